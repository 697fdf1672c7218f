import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Koa from 'koa'
import { expect, test } from 'vitest'
import type { Database } from '../../src/db/repositories.ts'
import { countCalls } from '../../src/http/middleware/rate-limit.ts'
import { createMemoryLimits } from '../../src/limits/in-memory.ts'
import { newApiKey } from '../../src/secrets/api-key.ts'
import { createAuthentication } from '../../src/services/accounts/authentication.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { createMemoryUsage } from '../support/memory-usage.ts'

/** Allowance for other memory of the process, in bytes. */
const SLACK = 2_000_000
const MANY = LONG_FORM ? 200_000 : 20_000

test.runIf(LONG_FORM)('many unknown keys from as many addresses cost at most 150 bytes each', async () => {
  const limits = createMemoryLimits({
    // One moment for all: nothing leaves a window meanwhile, however slow the machine is.
    now: () => Date.UTC(2026, 10, 15),
    usage: createMemoryUsage(),
    accountFactor: 5,
    onFailure: (error) => expect.unreachable(String(error)),
  })
  const db = { read: { keys: { findByHash: async () => null } } } as unknown as Database
  const { authenticate } = createAuthentication({
    db,
    now: () => new Date().toISOString(),
    monotonic: () => performance.now(),
  })
  const count = countCalls({ limits, authenticate, trustProxy: ['192.0.2.1'] })
  const app = new Koa()
  const proxy = Object.defineProperty(new Socket(), 'remoteAddress', { value: '192.0.2.1' })

  const send = async (i: number) => {
    const request = new IncomingMessage(proxy)
    request.url = '/pages'
    request.headers = {
      authorization: `Bearer ${newApiKey()}`,
      // Long, so that keeping any part of it would show.
      'x-forwarded-for': `${'203.0.113.9, '.repeat(20)}${addressNumber(i)}`,
    }
    const ctx = app.createContext(request, new ServerResponse(request))
    await count(ctx, async () => {})
    return { remaining: ctx.response.get('X-RateLimit-Remaining'), fault: ctx.state['identity'].name }
  }

  for (let i = 0; i < 1_000; i++) await send(i)
  const before = memoryInUse()
  for (let i = 0; i < MANY; i++) await send(i)
  expect(memoryInUse() - before).toBeLessThan(MANY * 150 + SLACK)

  expect(await send(MANY - 1)).toEqual({ remaining: '98', fault: 'invalid_api_key' })
  await limits.close()
})

/** Every other one is IPv6. */
function addressNumber(i: number): string {
  return i % 2 === 0
    ? `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`
    : `2001:db8:${(i >> 16).toString(16)}:${(i & 0xffff).toString(16)}::1`
}

function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
