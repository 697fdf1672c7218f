import { expect, test } from 'vitest'
import { standardHeaders } from '../../../src/http/middleware/standard-headers.ts'
import { contextOf } from '../../support/koa-context.ts'

async function hstsOf(host: string, isEncrypted: boolean): Promise<string | undefined> {
  const ctx = contextOf('GET', '/', { host })
  if (isEncrypted) Object.assign(ctx.req.socket, { encrypted: true })
  await standardHeaders(ctx, async () => {})
  return ctx.response.get('Strict-Transport-Security') || undefined
}

test('a domain that the service itself serves over TLS tells browsers to stay with HTTPS for half a year', async () => {
  expect(await hstsOf('quoin.example.com', true)).toBe('max-age=15552000')
  expect(await hstsOf('Quoin.Example.com', true)).toBe('max-age=15552000')
})

test.each([
  ['over plain HTTP, as behind a proxy', 'quoin.example.com', false],
  ['at another port than 443', 'quoin.example.com:8443', true],
  ['at an address', '192.0.2.1', true],
  ['at an IPv6 address', '[2001:db8::1]', true],
  ['at localhost', 'localhost', true],
])('a service %s does not', async (_, host, isEncrypted) => {
  expect(await hstsOf(host, isEncrypted)).toBe(undefined)
})
