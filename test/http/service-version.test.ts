import { afterAll, beforeAll, expect, test } from 'vitest'
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

const UNKNOWN = { headers: { 'service-version': '1999-01-01' } }

test.each([
  ['GET', '/projects/{project}'],
  ['PUT', '/projects/{project}/settings'],
  ['GET', '/pages/{page}?format=markdown'],
  ['POST', '/pages/{page}/publish'],
  ['GET', '/render/{page}'],
  ['GET', '/users/me'],
  ['GET', '/v1/projects'],
  ['POST', '/v1/pages'],
  ['PUT', '/v1/projects/{project}/settings'],
  ['DELETE', '/pages/{page}'],
])('an unknown version is refused on %s %s', async (method, path) => {
  const target = path.replace('{project}', project).replace('{page}', page)
  expectRefusal(await service.call(method, target, undefined, UNKNOWN), 'invalid_request', 'service-version')
})

test('an unknown version is refused on a signed preview, before the signature is checked', async () => {
  const { token } = (await service.call('POST', `/pages/${page}/preview`)).body.data
  for (const given of [token, 'forged']) {
    const visit = (options: object) =>
      service.call('GET', `/render/${page}?token=${given}`, undefined, { key: null, ...options })
    expectRefusal(await visit(UNKNOWN), 'invalid_request', 'service-version')
    expect((await visit({})).status).toBe(given === token ? 200 : 403)
  }
})

test('a request with an unknown version has no effect', async () => {
  const body = { title: 'Changed' }
  expectRefusal(await service.call('PUT', `/pages/${page}`, body, UNKNOWN), 'invalid_request')
  expect((await service.call('GET', `/pages/${page}`)).body.data.page_name).toBe('A page')
})

test.each(['/nowhere', '/v1/nowhere', '/v1/users'])('%s does not exist in any version', async (path) => {
  expectRefusal(await service.call('GET', path, undefined, UNKNOWN), 'not_found')
})

test.each(['/healthz', '/openapi.json', '/schemas/sections.json'])('%s has no version', async (path) => {
  expect((await service.call('GET', path, undefined, { ...UNKNOWN, key: null })).status).toBe(200)
})
