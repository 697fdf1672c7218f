import { expect, onTestFinished, test } from 'vitest'
import type { CertificateAuthority } from '../../../src/certificates/certificate-authority.ts'
import { createDatabase } from '../../../src/db/database.ts'
import { newMasterKey, parseMasterKey } from '../../../src/secrets/master-key.ts'
import { createCertificateService } from '../../../src/services/certificates/certificates.ts'
import { newDatabase } from '../../support/new-database.ts'

const MINUTE = 60_000
/** Times that a visitor looks for the certificate at most. */
const WAITS = 60

/** A service on a database of its own, with an authority that refuses each order. */
async function newCertificates() {
  const connections = await newDatabase()
  onTestFinished(() => connections.close())
  const db = createDatabase(connections)
  let time = Date.parse('2026-01-02T03:04:05.678Z')
  const [orders, logged]: [string[], string[]] = [[], []]
  const served = new Set(['a.example.com'])
  const waits: number[] = []
  const hooks = { onOrder: async (_host: string) => {} }
  const authority: CertificateAuthority = {
    directory: 'https://acme.example/directory',
    createAccountKey: async () => 'key',
    async order(host) {
      orders.push(host)
      await hooks.onOrder(host)
      throw new Error('The authority refuses.')
    },
  }
  const log = (_about: object, message: string) => {
    logged.push(message)
  }
  const service = createCertificateService({
    db,
    masterKey: parseMasterKey(newMasterKey()),
    authority,
    ownHosts: [],
    isSite: async (host) => served.has(host),
    now: () => new Date(time).toISOString(),
    timers: {
      after: () => () => {},
      sleep: async (ms) => {
        waits.push(ms)
        await new Promise((resolve) => setTimeout(resolve, 10))
      },
    },
    log: { info: log, warn: log, error: log },
  })
  const forward = (ms: number) => {
    time += ms
  }
  return {
    db,
    service,
    orders,
    logged,
    served,
    waits,
    hooks,
    forward,
    now: () => new Date(time).toISOString(),
  }
}

test('each order counts against the limit of the account, also repeated ones and those of deleted hosts', async () => {
  const { db, now, forward } = await newCertificates()
  const claim = (host: string) =>
    db.write(async ({ certificates }) => {
      const since = new Date(Date.parse(now()) - 180 * MINUTE).toISOString()
      const outcome = await certificates.claim(host, {
        holder: 'one',
        now: now(),
        heldUntil: now(),
        limit: { orders: 3, since },
      })
      await certificates.release('one')
      return outcome
    })
  expect(await claim('a.example.com')).toBe('claimed')
  forward(MINUTE)
  expect(await claim('a.example.com')).toBe('claimed')
  await db.write(({ certificates }) => certificates.delete('a.example.com'))
  expect(await claim('b.example.com')).toBe('claimed')
  expect(await claim('c.example.com')).toBe('refused')
  forward(180 * MINUTE)
  expect(await claim('c.example.com')).toBe('claimed')
})

test('a visitor waits no longer than the order that fails, and not at all when none may be made', async () => {
  const { db, service, orders, waits, forward, now } = await newCertificates()
  expect(await service.find('a.example.com')).toBeNull()
  expect(waits.length).toBeLessThan(WAITS / 2)
  expect(orders).toEqual(['a.example.com'])
  forward(2 * MINUTE)
  // Another host has used up all orders.
  for (let order = 0; order < 200; order += 1)
    await db.write(async ({ certificates }) => {
      const limit = { orders: 1_000, since: '2026-01-01T00:00:00.000Z' }
      await certificates.claim(`h${order}.example.com`, { holder: 'x', now: now(), heldUntil: now(), limit })
    })
  waits.length = 0
  expect(await service.find('a.example.com')).toBeNull()
  expect(waits.length).toBeLessThan(WAITS / 2)
  expect(orders).toHaveLength(1)
})

test('a host that is no longer served is forgotten when its order is due, and not ordered again', async () => {
  const { service, orders, served, forward } = await newCertificates()
  await service.find('a.example.com')
  served.clear()
  forward(24 * 60 * MINUTE)
  await service.renew()
  expect(orders).toEqual(['a.example.com'])
  expect(await service.list()).toEqual([])
})

test('the end of an order is logged only where it was recorded', async () => {
  const { db, service, logged, hooks } = await newCertificates()
  hooks.onOrder = (host) => db.write(({ certificates }) => certificates.delete(host))
  await service.find('a.example.com')
  expect(logged).toEqual([])
})
