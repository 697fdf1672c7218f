import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readId } from '../../src/domain/ids.ts'
import { expectRefusal, type Refusal } from '../support/refusal.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let archived: string
let page: string
let archivedPage: string
let keys: Readonly<Record<'none' | 'dead' | 'full' | 'reading' | 'writing' | 'scoped', string | null>>

const internal = (id: string) => readId('proj', id) ?? expect.unreachable()
const NOBODY = 'aaaaaaaaaaaaaaaa'

beforeAll(async () => {
  service = await startService()
  project = await service.newProject('Active')
  archived = await service.newProject('Archived')
  page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
  archivedPage = (await service.call('POST', '/pages', pageBody(archived))).body.data.id
  await service.call('PUT', `/projects/${archived}`, { status: 'archived' })
  keys = {
    none: null,
    dead: `qn_live_${'a'.repeat(38)}`,
    full: service.key,
    reading: await service.newKey({ permissions: ['read'] }),
    writing: await service.newKey({ permissions: ['read', 'write'] }),
    scoped: await service.newKey({ project: internal(project), permissions: ['read'] }),
  }
})
afterAll(() => service.close())

interface Request {
  readonly key?: keyof typeof keys
  readonly call: readonly [method: string, path: string, body?: unknown]
  readonly headers?: Readonly<Record<string, string>>
}

/** Each request has at least two faults; the earlier one must answer. */
const CASES: readonly [claim: string, request: () => Request, name: Refusal, mentions?: string][] = [
  ['a missing key before the route', () => ({ key: 'none', call: ['GET', '/nowhere'] }), 'missing_api_key'],
  ['a dead key before the route', () => ({ key: 'dead', call: ['GET', '/nowhere'] }), 'invalid_api_key'],
  [
    'a dead key before the form of the body',
    () => ({ key: 'dead', call: ['POST', '/pages', '{'] }),
    'invalid_api_key',
  ],
  [
    'the route before the version',
    () => ({ call: ['GET', '/nowhere'], headers: { 'service-version': '1999-01-01' } }),
    'not_found',
  ],
  [
    'the route before the form of the Idempotency-Key',
    () => ({ call: ['POST', '/nowhere', {}], headers: { 'Idempotency-Key': 'not one' } }),
    'not_found',
  ],
  [
    'the version before the form of the Idempotency-Key',
    () => ({
      call: ['POST', '/pages', {}],
      headers: { 'Idempotency-Key': 'not one', 'service-version': '1999-01-01' },
    }),
    'invalid_request',
    'service-version',
  ],
  [
    'the version before the form of the body',
    () => ({ call: ['POST', '/pages', '{'], headers: { 'service-version': '1999-01-01' } }),
    'invalid_request',
    'service-version',
  ],
  [
    'the form of the body before existence',
    () => ({ call: ['PUT', `/pages/page_${NOBODY}`, '{'] }),
    'invalid_request',
  ],
  [
    'the form of the body before permission',
    () => ({ key: 'reading', call: ['PUT', `/pages/${page}`, '['] }),
    'invalid_request',
  ],
  [
    'the query before existence',
    () => ({ call: ['GET', `/pages?project_id=proj_${NOBODY}&limit=0`] }),
    'invalid_request',
    'limit',
  ],
  [
    'the query of one page before its existence',
    () => ({ call: ['GET', `/pages/page_${NOBODY}?include_sections=maybe`] }),
    'invalid_request',
    'include_sections',
  ],
  [
    'existence before permission',
    () => ({ key: 'reading', call: ['PUT', `/projects/proj_${NOBODY}`, { name: 'x' }] }),
    'not_found',
  ],
  [
    'the existence of the project before the fields of a new page',
    () => ({ call: ['POST', '/pages', { project_id: `proj_${NOBODY}`, slug: '!' }] }),
    'not_found',
  ],
  [
    'the existence of the page before the fields of its publish',
    () => ({ call: ['POST', `/pages/page_${NOBODY}/publish`, { nonsense: 1 }] }),
    'not_found',
  ],
  [
    'scope before permission',
    () => ({ key: 'scoped', call: ['PUT', `/projects/${archived}`, { name: 'x' }] }),
    'project_scope_violation',
  ],
  [
    'scope before permission, on a page',
    () => ({ key: 'scoped', call: ['POST', `/pages/${archivedPage}/publish`] }),
    'project_scope_violation',
  ],
  [
    'permission before the state of the project',
    () => ({ key: 'reading', call: ['PUT', `/projects/${archived}`, { name: 'x' }] }),
    'forbidden',
    'permission',
  ],
  [
    'permission before the state of the project, on a page',
    () => ({ key: 'writing', call: ['POST', `/pages/${archivedPage}/publish`] }),
    'forbidden',
    'permission',
  ],
  [
    'permission before the fields of a project',
    () => ({ key: 'reading', call: ['POST', '/projects', {}] }),
    'forbidden',
    'permission',
  ],
  [
    'permission before the fields of a page that names no project',
    () => ({ key: 'reading', call: ['POST', '/pages', {}] }),
    'forbidden',
    'permission',
  ],
  [
    'permission before the fields of a publish',
    () => ({ key: 'writing', call: ['POST', `/pages/${page}/publish`, { nonsense: 1 }] }),
    'forbidden',
    'permission',
  ],
  [
    'the state of the project before the fields of a new page',
    () => ({ call: ['POST', '/pages', { project_id: archived }] }),
    'forbidden',
    'archived',
  ],
  [
    'the state of the project before the fields of a page',
    () => ({ call: ['PUT', `/pages/${archivedPage}`, { title: '' }] }),
    'forbidden',
    'archived',
  ],
  [
    'the state of the project before its fields',
    () => ({ call: ['PUT', `/projects/${archived}`, { name: '' }] }),
    'forbidden',
    'archived',
  ],
  [
    'the state of the project before the fields of its settings',
    () => ({ call: ['PUT', `/projects/${archived}/settings`, { theme: 'none' }] }),
    'forbidden',
    'archived',
  ],
  [
    'the state of the project before the fields of its legacy settings',
    () => ({ call: ['PUT', `/v1/projects/${archived}/settings`, { docs_nav: 1 }] }),
    'forbidden',
    'archived',
  ],
  [
    'the state of the project before the fields of a publish',
    () => ({ call: ['POST', `/pages/${archivedPage}/publish`, { nonsense: 1 }] }),
    'forbidden',
    'archived',
  ],
  [
    'the state of the project before the state of the page',
    () => ({ call: ['POST', `/pages/${archivedPage}/unpublish`] }),
    'forbidden',
    'archived',
  ],
  [
    'fields before the state of the page',
    () => ({ call: ['POST', `/pages/${page}/unpublish`, { nonsense: 1 }] }),
    'validation_error',
    'nonsense',
  ],
  [
    'fields before a conflict',
    () => ({ call: ['POST', '/pages', { ...pageBody(project), title: '' }] }),
    'validation_error',
    'title',
  ],
]

describe('of two faults the one that answers is', () => {
  test.each(CASES)('%s', async (_, request, name, mentions) => {
    const { key = 'full', call, headers = {} } = request()
    const [method, path, body] = call
    const answer = await service.call(method, path, body, { key: keys[key], headers })
    expectRefusal(answer, name, ...(mentions === undefined ? [] : [mentions]))
  })
})
