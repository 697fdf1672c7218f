import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/refusal.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let page: string

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
  page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
})
afterAll(() => service.close())

describe('every response', () => {
  test.each([
    ['a success', 200, () => service.call('GET', '/users/me')],
    ['a creation', 201, () => service.call('POST', '/projects', { name: 'Headers' })],
    ['a conflict', 400, () => service.call('POST', '/pages', pageBody(project))],
    ['a missing key', 401, () => service.call('GET', '/users/me', undefined, { key: null })],
    ['a dead key', 403, () => service.call('GET', '/users/me', undefined, { key: 'dead' })],
    ['an unknown route', 404, () => service.call('GET', '/nowhere')],
    ['a wrong state', 409, () => service.call('POST', `/pages/${page}/unpublish`)],
    ['a body that is too large', 413, () => service.call('POST', '/pages', ' '.repeat(6 * 1024 * 1024))],
    ['a fault', 422, () => service.call('POST', '/pages', {})],
    ['the legacy surface', 200, () => service.call('GET', `/v1/projects/${project}/settings`)],
    ['a visitor’s page that is not there', 404, () => service.call('GET', `/public/${project}/x/`)],
    ['a health check', 200, () => service.call('GET', '/healthz', undefined, { key: null })],
    ['a preflight', 204, () => service.call('OPTIONS', '/pages', undefined, { key: null })],
  ])('to %s names its request and the version, and any origin may read it', async (_, status, send) => {
    const answer = await send()
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-request-id')).toMatch(/^[\x21-\x7e]{1,128}$/)
    expect(answer.headers.get('service-version')).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('is JSON in UTF-8, errors too', async () => {
    for (const path of ['/users/me', '/nowhere'])
      expect((await service.call('GET', path)).headers.get('content-type')).toBe(
        'application/json; charset=utf-8',
      )
  })

  test('to HEAD has the headers of GET and no body', async () => {
    const get = await service.call('GET', `/pages/${page}`)
    const head = await service.call('HEAD', `/pages/${page}`)
    expect(head).toMatchObject({ status: 200, body: '' })
    for (const name of ['content-type', 'content-length'])
      expect(head.headers.get(name)).toBe(get.headers.get(name))
  })
})

test('the answer with a page has a Link to its public URL, also after the page has moved', async () => {
  const { body } = await service.call(
    'POST',
    '/pages',
    pageBody(await service.newProject(), { slug: 'linked', subroute: 'a' }),
  )
  const { id, url } = body.data
  const link = async () => (await service.call('GET', `/pages/${id}`)).headers.get('link')
  expect(await link()).toBe(`<${url}>; rel="alternate"`)
  await service.call('PUT', `/pages/${id}`, { subroute: '', slug: 'index' })
  expect(await link()).toBe(`<${url.replace('/a/linked', '/')}>; rel="alternate"`)
})

describe('X-Request-Id', () => {
  const idFor = async (given: string) =>
    (await service.call('GET', '/healthz', undefined, { headers: { 'X-Request-Id': given } })).headers.get(
      'x-request-id',
    )

  test.each(['a', 'trace-1234', '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~', 'x'.repeat(128)])(
    '%j of the client is used',
    async (given) => {
      expect(await idFor(given)).toBe(given)
    },
  )

  test.each(['', 'two words', 'x'.repeat(129), 'ünïcode', 'tab\there'])(
    'in place of %j one is made',
    async (given) => {
      const made = await idFor(given)
      expect(made).not.toBe(given)
      expect(made).toMatch(/^[\x21-\x7e]{8,128}$/)
    },
  )

  test('is another one for each request', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.call('GET', '/healthz')))
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(20)
  })
})

describe('service-version', () => {
  const me = (version: string) =>
    service.call('GET', '/users/me', undefined, { headers: { 'service-version': version } })

  test('is echoed when the service knows the version', async () => {
    const known = (await service.call('GET', '/users/me')).headers.get('service-version') ?? ''
    const answer = await me(known)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('service-version')).toBe(known)
  })

  test.each(['1999-12-31', '2999-01-01', 'latest', '1'])('is refused when it is %s', async (version) => {
    expectRefusal(await me(version), 'invalid_request', 'service-version')
  })
})

describe('a preflight', () => {
  test('needs no key and allows what the API takes', async () => {
    const { status, headers } = await service.call('OPTIONS', `/pages/${page}`, undefined, {
      key: null,
      headers: {
        Origin: 'https://editor.example',
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'authorization, content-type',
      },
    })
    expect(status).toBe(204)
    const methods = headers.get('access-control-allow-methods')?.split(/, */)
    expect(methods).toEqual(expect.arrayContaining(['GET', 'POST', 'PUT', 'DELETE']))
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(/, */)
    expect(allowed).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'x-request-id', 'service-version']),
    )
    expect(headers.get('access-control-max-age')).toMatch(/^\d+$/)
  })
})

describe('the headers that a preflight allows', () => {
  const preflight = async (requested: string, path = '/pages') => {
    const { status, headers } = await service.call('OPTIONS', path, undefined, {
      key: null,
      headers: {
        Origin: 'https://editor.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': requested,
      },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('vary')?.toLowerCase()).toContain('access-control-request-headers')
    const text = headers.get('access-control-allow-headers') ?? ''
    return { text, allowed: text.toLowerCase().split(/, */) }
  }

  test.each([
    ['traceparent, tracestate, baggage', '/pages'],
    ['sentry-trace,baggage', '/v1/pages'],
    ['if-none-match, if-match, idempotency-key', '/pages/page_x'],
    ['x-datadog-trace-id,x-b3-traceid,newrelic', '/projects'],
    ['cache-control, pragma, range, x-requested-with, x-my-own-header', '/public/proj_x/_index.json'],
  ])('include %s, as a browser asks for %s', async (requested, path) => {
    const { allowed } = await preflight(requested, path)
    for (const name of requested.split(/, */)) expect(allowed).toContain(name)
    expect(allowed).toContain('authorization')
  })

  test('name each header once', async () => {
    const { allowed } = await preflight('authorization, AUTHORIZATION, baggage, baggage')
    expect(new Set(allowed).size).toBe(allowed.length)
  })

  test.each([
    ['a name that is not a token', 'good, b(a)d, sp ace, col:on, "quoted", ünïcode, <script>'],
    ['empty names', ',, good,,'],
    ['a name of 65 characters', `good, ${'x'.repeat(65)}`],
  ])('leave out each of these: %s', async (_, requested) => {
    const { text, allowed } = await preflight(requested)
    expect(allowed).toContain('good')
    expect(text).toMatch(/^[\w-]+(, [\w-]+)*$/)
    expect(text).not.toContain('x'.repeat(65))
  })

  test('are at most 64 requested ones', async () => {
    const { allowed } = await preflight(Array.from({ length: 500 }, (_, i) => `x-${i}`).join(','))
    expect(allowed).toContain('x-63')
    expect(allowed).not.toContain('x-64')
    expect(allowed).toContain('authorization')
  })
})

describe('a request whose Host makes no URL', () => {
  test.each(['[', 'a b', '%zz', 'host:port:port'])('(%j) is refused before its path counts', async (host) => {
    for (const path of [`/pages?project_id=${project}`, '/pages?limit=1', '/nothing'])
      expect(await rawGet(path, host)).toMatchObject({ status: 400, body: { name: 'invalid_request' } })
  })
})

/** `fetch` sends no Host but its own. */
function rawGet(path: string, host: string): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = { Host: host, Authorization: `Bearer ${service.key}` }
    request(service.url + path, { headers }, async (response) => {
      resolve({ status: response.statusCode, body: await json(response) })
    })
      .on('error', reject)
      .end()
  })
}
