import { afterAll, beforeAll, expect, test } from 'vitest'
import { sectionsJsonSchema } from '../../src/sections/json-schema.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const get = (headers = {}) => service.call('GET', '/schemas/sections.json', undefined, { key: null, headers })

test('the schema of sections is served without a key, once per client', async () => {
  const { status, headers, body } = await get()
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(body).toEqual(sectionsJsonSchema())
  expect((await get({ 'If-None-Match': headers.get('etag') ?? '' })).status).toBe(304)
})

test('no other schema is there', async () => {
  expect((await service.call('GET', '/schemas/pages.json')).status).toBe(404)
})
