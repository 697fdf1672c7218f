import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const send = (path: string, bytes: number) =>
  fetch(service.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.alloc(bytes, ' '),
  })

test.each(['/pages', '/v1/pages', '/nothing'])(
  'a long body to %s without a key is not read, and its client gets the answer',
  async (path) => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(path, 250 * 2 ** 10)))
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'close'])
      expect(await answer.json()).toMatchObject({ name: 'missing_api_key' })
    }
  },
)

test('a short one leaves the connection open for the next request', async () => {
  const answer = await send('/pages', 1_000)
  expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'keep-alive'])
})
