import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_PERMISSIONS } from '../../src/domain/caller.ts'
import type { ErrorName } from '../../src/domain/errors.ts'
import { STATUS } from '../../src/http/middleware/errors.ts'
import { prefersProblem } from '../../src/http/middleware/problem-details.ts'
import { Problem } from '../../src/http/openapi/error-schema.ts'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'

const PROBLEM = { Accept: 'application/problem+json' }
const NAMES = Object.keys(STATUS) as ErrorName[]

let service: TestService
let project: string

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
})
afterAll(() => service.close())

const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = PROBLEM) =>
  service.call(method, path, body, { headers })

describe('a client that accepts problem details', () => {
  test('gets an error in their form, with every invalid field', async () => {
    const refused = await ask('POST', '/pages', pageBody(project, { title: '', slug: 'a b' }))
    expect(refused.status).toBe(422)
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(refused.body).toEqual({
      type: `${service.url}/problems/validation_error`,
      title: 'Invalid field',
      status: 422,
      detail: expect.stringContaining('title: '),
      name: 'validation_error',
      request_id: refused.headers.get('x-request-id'),
      errors: [expect.objectContaining({ field: 'title' }), expect.objectContaining({ field: 'slug' })],
    })
  })

  test.each(['/pages/page_none', '/v1/pages/none', '/nowhere', '/projects/proj_none'])(
    'gets the same error at %s as other clients, in another form',
    async (path) => {
      const [problem, plain] = [await ask('GET', path), await ask('GET', path, undefined, {})]
      expect(Problem.safeParse(problem.body).error).toBeUndefined()
      expect(problem.status).toBe(plain.status)
      expect(problem.body).toMatchObject({
        status: plain.body.statusCode,
        name: plain.body.name,
        detail: plain.body.message,
        errors: [],
      })
      expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8')
      for (const { headers } of [problem, plain]) expect(varies(headers)).toContain('accept')
    },
  )

  test('is told when a limit opens again', async () => {
    const { key } = await service.server.service.accounts.createKey({
      userId: null,
      projectScope: null,
      name: 'test',
      plan: 'free',
      permissions: DEFAULT_PERMISSIONS,
      expiresAt: null,
    })
    const send = () => service.call('GET', '/users/me', undefined, { key, headers: PROBLEM })
    let answer = await send()
    for (let sent = 1; sent < 12 && answer.status === 200; sent++) answer = await send()
    expect(answer).toMatchObject({
      status: 429,
      body: { name: 'rate_limit_exceeded', limit: 10, window: 'burst', errors: [] },
    })
    expect(String(answer.body.retry_after)).toBe(answer.headers.get('retry-after'))
  })

  test('gets the stored error of a repeated request in this form', async () => {
    const repeated = { ...PROBLEM, 'Idempotency-Key': 'a-problem' }
    const send = () => ask('POST', '/pages', pageBody(project, { title: '' }), repeated)
    const [first, second] = [await send(), await send()]
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.body).toEqual({ ...first.body, request_id: second.headers.get('x-request-id') })
  })

  test('gets errors of /mcp as messages of its protocol', async () => {
    const { body } = await service.call('POST', '/mcp', {}, { key: null, headers: PROBLEM })
    expect(body).toMatchObject({ jsonrpc: '2.0', error: { data: { name: 'missing_api_key' } } })
  })
})

describe('the page that a type names', () => {
  test.each(NAMES)('explains %s without a key', async (name) => {
    const page: Answer = await service.call('GET', `/problems/${name}`, undefined, { key: null })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.body).toContain(`<code>${name}</code>`)
    expect(page.body).toContain(`Error ${STATUS[name]}`)
  })

  test('does not exist for another name', async () => {
    for (const name of ['nothing', 'constructor', '__proto__'])
      expect((await service.call('GET', `/problems/${name}`)).status).toBe(404)
  })
})

test.each([
  ['application/problem+json', true],
  ['application/json, application/problem+json', true],
  ['Application/Problem+JSON; q=0.5', true],
  ['application/problem+json;q=0.5, application/json;q=0.5', true],
  ['application/problem+json;q=0.5, application/json;q=0.6', false],
  ['application/problem+json;q=0, */*', false],
  ['application/*', false],
  ['*/*', false],
  ['application/json', false],
  ['', false],
  ['application/problem+json;q=2', false],
  [`${'a/b,'.repeat(400)}application/problem+json`, false],
])('an Accept of %j asks for problem details: %s', (accept, isWanted) => {
  expect(prefersProblem(accept)).toBe(isWanted)
})

function varies(headers: Headers): readonly string[] {
  return (headers.get('vary') ?? '').toLowerCase().split(/,\s*/)
}
