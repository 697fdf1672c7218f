import type { PublicAddresses } from '../../domain/project.ts'
import type { DataModeAction, DataModeService } from '../../services/publishing/data-mode.ts'
import { idParam } from '../answer-fields.ts'
import { EmptyBody, readNoFields } from '../bodies/publish-schemas.ts'
import { type Endpoint, endpointsWith, record } from '../endpoint.ts'
import { ChangeDataMode, presentDataModeAction, readDataModeAction } from '../legacy-bodies.ts'
import { requestBody } from '../openapi/body.ts'
import { json } from '../openapi/operation.ts'
import { presentChangedDataMode } from './present.ts'
import { ChangedDataMode, DataModeStatus, DisabledDataMode, EnabledDataMode } from './project-answers.ts'

export interface DataModeOperationPorts {
  readonly dataMode: DataModeService
  readonly addresses: PublicAddresses
}

const endpoint = endpointsWith<DataModeOperationPorts>()

const params = idParam('proj')

export const DATA_MODE_OPERATIONS: readonly Endpoint<DataModeOperationPorts>[] = [
  endpoint({
    id: 'enableDataMode',
    method: 'post',
    path: '/projects/{id}/data-mode/enable',
    tag: 'Data Mode',
    summary: 'Enable Data Mode',
    client: 'dataMode.enable',
    permission: 'publish',
    agents: 'confirm',
    description: 'Each publish from now on encrypts its page. The key is shown in this answer only.',
    params,
    body: { schema: EmptyBody, required: false },
    answers: [json(200, 'Data Mode is on.', EnabledDataMode)],
    errors: ['already_enabled'],
    run: changeTo('enable'),
  }),
  endpoint({
    id: 'disableDataMode',
    method: 'post',
    path: '/projects/{id}/data-mode/disable',
    tag: 'Data Mode',
    summary: 'Disable Data Mode',
    client: 'dataMode.disable',
    permission: 'publish',
    agents: 'confirm',
    description: 'Encrypted files stay, for readers with the key, until their pages are published again.',
    params,
    body: { schema: EmptyBody, required: false },
    answers: [json(200, 'Data Mode is off.', DisabledDataMode)],
    errors: ['not_enabled'],
    run: changeTo('disable'),
  }),
  endpoint({
    id: 'regenerateDataModeKey',
    method: 'post',
    path: '/projects/{id}/data-mode/regenerate-key',
    tag: 'Data Mode',
    summary: 'Replace the content key',
    client: 'dataMode.regenerateKey',
    permission: 'publish',
    agents: 'confirm',
    description:
      'Re-encrypts all live pages; the previous key no longer decrypts any of them. It is refused while a file that a sealed page shows is lost, and the answer names the file and its pages.',
    params,
    body: { schema: EmptyBody, required: false },
    answers: [json(200, 'All live pages are encrypted with the new key.', EnabledDataMode)],
    errors: ['not_enabled', 'conflict'],
    run: changeTo('regenerate-key'),
  }),
  endpoint({
    id: 'getDataMode',
    method: 'get',
    path: '/projects/{id}/data-mode',
    tag: 'Data Mode',
    summary: 'Get the state of Data Mode',
    client: 'dataMode.get',
    params,
    answers: [json(200, 'The state, without the key.', DataModeStatus)],
    async run({ caller, param }, { dataMode }) {
      const { enabled, enabledAt } = await dataMode.status(caller, param('id'))
      return record({ enabled, enabled_at: enabledAt })
    },
  }),
  endpoint({
    id: 'changeDataMode',
    method: 'post',
    path: '/projects/{id}/data-mode',
    tag: 'Data Mode',
    summary: 'Change Data Mode by an action',
    client: null,
    permission: 'publish',
    agents: 'confirm',
    description: 'Like the operations above, for clients of `/v1` that drop only the prefix.',
    params,
    body: {
      schema: requestBody(ChangeDataMode, { id: 'ChangeDataMode' }),
      required: true,
      example: { action: 'enable' },
    },
    answers: [json(200, 'Data Mode was changed.', ChangedDataMode)],
    errors: ['already_enabled', 'not_enabled', 'conflict'],
    async run({ caller, body, param }, { dataMode }) {
      const changed = await dataMode.change(caller, param('id'), () => readDataModeAction(body))
      return record(presentDataModeAction(changed), { secret: changed.contentKey !== null })
    },
  }),
]

function changeTo(action: DataModeAction): Endpoint<DataModeOperationPorts>['run'] {
  return async ({ caller, body, param }, { dataMode, addresses }) => {
    const changed = await dataMode.change(caller, param('id'), () => {
      readNoFields(body)
      return action
    })
    return record(presentChangedDataMode(changed, addresses), { secret: changed.contentKey !== null })
  }
}
