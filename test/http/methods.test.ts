import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiDocument } from '../../src/http/openapi/api-document.ts'
import { expectRefusal } from '../support/refusal.ts'
import { startService, type TestService } from '../support/service.ts'

const document = createApiDocument({ themes: ['default'], baseUrl: 'http://127.0.0.1' })
const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const
const TEMPLATES = Object.entries(document.paths).map(([template, methods]) => ({
  template,
  path: template.replaceAll(/\{[^}]+\}/g, `proj_${'a'.repeat(16)}`),
  pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  methods: Object.keys(methods).map((method) => method.toUpperCase()),
}))

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** The methods that the description has for a path, also as one of another template: `/pages/publish` is a page too. */
function listedFor(path: string): readonly string[] {
  const listed = new Set(
    TEMPLATES.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods),
  )
  return [...listed, ...(listed.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()
}

const bodyFor = (method: string) => (method === 'GET' || method === 'DELETE' ? undefined : {})

describe('a path of the API', () => {
  test.each(TEMPLATES)('$template answers 405 to each method that it does not have', async ({ path }) => {
    const listed = listedFor(path)
    for (const method of METHODS.filter((one) => !listed.includes(one))) {
      const answer = await service.call(method, path, bodyFor(method))
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, listed.join(', ')])
      if (!path.startsWith('/v1')) expectRefusal(answer, 'method_not_allowed', method)
    }
  })

  test('is judged after the key, before the version and the body', async () => {
    const wrong = ['PATCH', '/pages', '{'] as const
    expectRefusal(await service.call(...wrong, { key: null }), 'missing_api_key')
    expectRefusal(
      await service.call(...wrong, { headers: { 'service-version': '1999-01-01' } }),
      'method_not_allowed',
    )
  })

  test('needs no key for the answer when it needs none itself', async () => {
    expectRefusal(
      await service.call('POST', '/healthz', {}, { key: null }),
      'method_not_allowed',
      'GET, HEAD',
    )
  })
})

test('the dashboard answers 405 at its pages', async () => {
  const answer = await fetch(`${service.url}/dashboard/sign-in`, { method: 'PUT' })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST'])
})
