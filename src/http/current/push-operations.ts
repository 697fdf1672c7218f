import { z } from 'zod'
import { ServiceError } from '../../domain/errors.ts'
import { PUSH_RETENTION_DAYS } from '../../domain/push.ts'
import { isFolderIdentity } from '../../domain/source.ts'
import type { PushService } from '../../services/pushes/pushes.ts'
import type { SourceService } from '../../services/pushes/sources.ts'
import { idParam, idRef } from '../answer-fields.ts'
import {
  ListPushes,
  ListSources,
  ReportPush,
  readReportPush,
  readStartPush,
  StartPush,
} from '../bodies/push-schemas.ts'
import { folderIdentity } from '../bodies/source-schemas.ts'
import { type Endpoint, endpointsWith, record } from '../endpoint.ts'
import { sliceOf, walked } from '../list-walk.ts'
import { requestBody } from '../openapi/body.ts'
import { json } from '../openapi/operation.ts'
import { presentPush, presentPushedRecord, presentStartedPush } from './present-push.ts'
import { PushList, ReportedPush, SourceList, StartedPush } from './push-answers.ts'

export interface PushOperationPorts {
  readonly pushes: PushService
  readonly sources: SourceService
}

const endpoint = endpointsWith<PushOperationPorts>()

const project = idParam('proj')

export const PUSH_OPERATIONS: readonly Endpoint<PushOperationPorts>[] = [
  endpoint({
    id: 'listSources',
    method: 'get',
    path: '/projects/{id}/sources/{folder}',
    tag: 'Pushes',
    summary: 'List what a content folder pushed',
    client: 'projects.sources',
    description:
      'The pages, assets and settings that were last pushed from the folder, by path: with the digests of the last push, and of the values that are stored now. A page whose `current` differs from its `digest` was edited on the server.',
    params: z.object({ id: idRef('proj'), folder: folderIdentity }),
    query: ListSources,
    answers: [json(200, 'The records.', SourceList)],
    async run({ caller, query, param, walk }, { sources }) {
      const folder = param('folder')
      // Others have pushed nothing, but a mistake in an address is worth an answer.
      if (!isFolderIdentity(folder))
        throw new ServiceError(
          'invalid_request',
          `No content folder has the id ${JSON.stringify(folder.slice(0, 64))}.`,
        )
      const slice = sliceOf(walk, query)
      const found = await sources.list(caller, param('id'), folder, slice)
      return walked(walk, slice, found, presentPushedRecord)
    },
  }),
  endpoint({
    id: 'listPushes',
    method: 'get',
    path: '/projects/{id}/pushes',
    tag: 'Pushes',
    summary: 'List the pushes to a project',
    client: 'projects.pushes',
    description: `Newest first. Stored for ${PUSH_RETENTION_DAYS} days, the last push of each folder for longer.`,
    params: project,
    query: ListPushes,
    answers: [json(200, 'The pushes.', PushList)],
    async run({ caller, query, param, walk }, { pushes }) {
      const { folder = null } = query
      const slice = sliceOf(walk, query)
      return walked(walk, slice, await pushes.list(caller, param('id'), folder, slice), presentPush)
    },
  }),
  endpoint({
    id: 'startPush',
    method: 'post',
    path: '/projects/{id}/pushes',
    tag: 'Pushes',
    summary: 'Begin a push',
    client: 'projects.startPush',
    description:
      'One push of a folder to a project runs at a time: another one is refused with `conflict` until it ends, or reports nothing for 3 minutes.',
    params: project,
    body: {
      schema: requestBody(StartPush, { id: 'StartPush' }),
      required: true,
      example: { folder: 'k3v9q2m7x4tz8wpa', name: 'My site', revision: null, committed_at: null },
    },
    answers: [json(201, 'The push.', StartedPush)],
    errors: ['conflict'],
    async run({ caller, body, param }, { pushes }) {
      const started = await pushes.start(caller, param('id'), () => readStartPush(body))
      return record(presentStartedPush(started), { status: 201 })
    },
  }),
  endpoint({
    id: 'reportPush',
    method: 'put',
    path: '/pushes/{id}',
    tag: 'Pushes',
    summary: 'Report the progress or the end of a push',
    client: 'projects.reportPush',
    description: 'Each report extends the push by 3 minutes. One that has ended takes none.',
    params: idParam('psh'),
    body: {
      schema: requestBody(ReportPush, { id: 'ReportPush' }),
      required: true,
      example: { state: 'done', counts: { created: 2, updated: 1 } },
    },
    answers: [json(200, 'The push.', ReportedPush)],
    errors: ['project_scope_violation', 'conflict'],
    async run({ caller, body, param }, { pushes }) {
      const push = await pushes.report(caller, param('id'), () => readReportPush(body))
      return record(presentPush(push))
    },
  }),
]
