import { idParam } from '../answer-fields.ts'
import { CreateKey, KEY_FIXED, KEY_READ_ONLY, ListKeys, RotateKey, UpdateKey } from '../bodies/key-schemas.ts'
import { requestBody } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import { DeletedKey, Key, KeyList, KeyWithSecret } from './key-answers.ts'

const key = idParam('key')

/** Descriptions of the operations on keys, which `key-routes.ts` implements. All need the permission `manage`. */
export const KEY_OPERATIONS: readonly Operation[] = [
  {
    id: 'listKeys',
    method: 'get',
    path: '/keys',
    tag: 'Keys',
    summary: 'List the keys of the account',
    description:
      'Keys that are neither revoked nor expired, newest first, without their secrets. A key of one project sees the keys of that project.',
    query: ListKeys,
    answers: [json(200, 'The keys.', KeyList)],
  },
  {
    id: 'createKey',
    method: 'post',
    path: '/keys',
    tag: 'Keys',
    summary: 'Create a key',
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
  },
  {
    id: 'getKey',
    method: 'get',
    path: '/keys/{id}',
    tag: 'Keys',
    summary: 'Get a key',
    params: key,
    answers: [json(200, 'The key, without its secret.', Key)],
  },
  {
    id: 'updateKey',
    method: 'put',
    path: '/keys/{id}',
    tag: 'Keys',
    summary: 'Change a key',
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
    guarded: true,
  },
  {
    id: 'deleteKey',
    method: 'delete',
    path: '/keys/{id}',
    tag: 'Keys',
    summary: 'Revoke a key',
    description: 'The server that answers refuses the key at once, others within 5 seconds.',
    params: key,
    answers: [json(200, 'The key is revoked.', DeletedKey)],
    guarded: true,
  },
  {
    id: 'rotateKey',
    method: 'post',
    path: '/keys/{id}/rotate',
    tag: 'Keys',
    summary: 'Give a key a new secret',
    description:
      'The secret before is accepted for the hours that the body names, also when the key is rotated again meanwhile; `0` hours end all secrets of before at once. A key is rotated by one that has all its permissions and ends no earlier.',
    params: key,
    body: { schema: requestBody(RotateKey, { id: 'RotateKey' }), required: false, example: { hours: 24 } },
    answers: [json(200, 'The key, with its new secret.', KeyWithSecret)],
    errors: ['conflict'],
  },
]
