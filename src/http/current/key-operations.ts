import { prefixed } from '../../domain/ids.ts'
import type { KeyWithSecret as CreatedKey, KeyService } from '../../services/accounts/keys.ts'
import { idParam } from '../answer-fields.ts'
import type { Representation } from '../api.ts'
import {
  CreateKey,
  KEY_FIXED,
  KEY_READ_ONLY,
  ListKeys,
  RotateKey,
  readCreateKey,
  readRotateKey,
  readUpdateKey,
  UpdateKey,
} from '../bodies/key-schemas.ts'
import { type ApiAnswer, type ApiRequest, type Endpoint, endpointsWith, record } from '../endpoint.ts'
import { sliceOf, walked } from '../list-walk.ts'
import { requestBody } from '../openapi/body.ts'
import { json } from '../openapi/operation.ts'
import { DeletedKey, Key, KeyList, KeyWithSecret } from './key-answers.ts'
import { presentKey, presentKeyWithSecret } from './present-key.ts'

export interface KeyOperationPorts {
  readonly keys: KeyService
}

const endpoint = endpointsWith<KeyOperationPorts>()

const key = idParam('key')

export const KEY_OPERATIONS: readonly Endpoint<KeyOperationPorts>[] = [
  endpoint({
    id: 'listKeys',
    method: 'get',
    path: '/keys',
    tag: 'Keys',
    summary: 'List the keys of the account',
    client: 'keys.list',
    permission: 'manage',
    description:
      'Keys that are neither revoked nor expired, newest first, without their secrets. A key of one project sees the keys of that project.',
    query: ListKeys,
    answers: [json(200, 'The keys.', KeyList)],
    async run({ caller, query, walk }, { keys }) {
      const slice = sliceOf(walk, query)
      return walked(walk, slice, await keys.list(caller, slice), presentKey)
    },
  }),
  endpoint({
    id: 'createKey',
    method: 'post',
    path: '/keys',
    tag: 'Keys',
    summary: 'Create a key',
    client: 'keys.create',
    permission: 'manage',
    agents: 'confirm',
    description: [
      'The key has the plan of the key of the request, and never more rights. An account has at most 500 keys.',
      'Repeated with the same `Idempotency-Key`, the request gives the same key a new secret, because the first answer was not received.',
    ].join(' '),
    body: {
      schema: requestBody(CreateKey, { id: 'CreateKey', ignored: KEY_READ_ONLY }),
      required: true,
      example: { name: 'CI', permissions: ['read', 'write'] },
    },
    answers: [json(201, 'The new key, with its secret.', KeyWithSecret)],
    errors: ['conflict', 'not_found', 'project_scope_violation'],
    async run({ caller, body }, { keys }) {
      return withSecret(await keys.create(caller, readCreateKey(body)), 201)
    },
  }),
  endpoint({
    id: 'getKey',
    method: 'get',
    path: '/keys/{id}',
    tag: 'Keys',
    summary: 'Get a key',
    client: 'keys.get',
    permission: 'manage',
    params: key,
    answers: [json(200, 'The key, without its secret.', Key)],
    async run({ caller, param }, { keys }) {
      const found = await keys.get(caller, param('id'))
      return record(presentKey(found), { version: found.version })
    },
  }),
  endpoint({
    id: 'updateKey',
    method: 'put',
    path: '/keys/{id}',
    tag: 'Keys',
    summary: 'Change a key',
    client: 'keys.update',
    permission: 'manage',
    agents: 'confirm',
    description:
      'Fields that the body leaves out stay unchanged. A key is changed by one that has all its permissions. Rights that the key loses are refused at once by the server that answers, and within 5 seconds by others.',
    params: key,
    body: {
      schema: requestBody(UpdateKey, { id: 'UpdateKey', ignored: KEY_FIXED }),
      required: true,
      example: { name: 'Nightly import' },
    },
    answers: [json(200, 'The updated key.', Key)],
    errors: ['conflict'],
    current: currentKey,
    async run({ caller, body, param, match }, { keys }) {
      const updated = await keys.update(caller, param('id'), (stored) => {
        match(stored)
        return readUpdateKey(body)
      })
      return record(presentKey(updated), { version: updated.version })
    },
  }),
  endpoint({
    id: 'deleteKey',
    method: 'delete',
    path: '/keys/{id}',
    tag: 'Keys',
    summary: 'Revoke a key',
    client: 'keys.delete',
    permission: 'manage',
    description: 'The server that answers refuses the key at once, others within 5 seconds.',
    params: key,
    answers: [json(200, 'The key is revoked.', DeletedKey)],
    current: currentKey,
    async run({ caller, param, match }, { keys }) {
      const { id } = await keys.remove(caller, param('id'), match)
      return record({ id: prefixed('key', id), deleted: true })
    },
  }),
  endpoint({
    id: 'rotateKey',
    method: 'post',
    path: '/keys/{id}/rotate',
    tag: 'Keys',
    summary: 'Give a key a new secret',
    client: 'keys.rotate',
    permission: 'manage',
    agents: 'confirm',
    description:
      'The secret before is accepted for the hours that the body names, also when the key is rotated again meanwhile; `0` hours end all secrets of before at once. A key is rotated by one that has all its permissions and ends no earlier.',
    params: key,
    body: { schema: requestBody(RotateKey, { id: 'RotateKey' }), required: false, example: { hours: 24 } },
    answers: [json(200, 'The key, with its new secret.', KeyWithSecret)],
    errors: ['conflict'],
    async run({ caller, body, param }, { keys }) {
      return withSecret(await keys.rotate(caller, param('id'), () => readRotateKey(body).hours), 200)
    },
  }),
]

/** Reads a key as its GET answers it. */
async function currentKey(
  { caller, param }: ApiRequest,
  { keys }: KeyOperationPorts,
): Promise<Representation> {
  const found = await keys.get(caller, param('id'))
  return { version: found.version, body: { data: presentKey(found) } }
}

function withSecret(created: CreatedKey, status: number): ApiAnswer {
  return record(presentKeyWithSecret(created), { status, secret: true, version: created.record.version })
}
