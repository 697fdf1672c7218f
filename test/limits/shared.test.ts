import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { createRateAccounts } from '../../src/db/rate-accounts.ts'
import type { Database } from '../../src/db/repositories.ts'
import { PLAN_LIMITS } from '../../src/domain/account-limits.ts'
import { DEFAULT_PERMISSIONS } from '../../src/domain/caller.ts'
import type { KeyId } from '../../src/domain/ids.ts'
import { allowanceOf } from '../../src/domain/plan-allowance.ts'
import type { Allowance } from '../../src/domain/rate-limit.ts'
import { createMemoryLimits } from '../../src/limits/in-memory.ts'
import type { CountedRequest, RateLimits } from '../../src/limits/rate-limits.ts'
import { createSharedLimits } from '../../src/limits/shared.ts'
import type { SharedAccount, SharedAccounts } from '../../src/limits/shared-accounts.ts'
import { createAccountLimits } from '../../src/services/accounts/account-limits.ts'
import { createAccountService } from '../../src/services/accounts/accounts.ts'
import { randomId as newId } from '../../src/services/new-id.ts'
import { createMemoryUsage } from '../support/memory-usage.ts'
import { createSchema, type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'

const programs = postgresPrograms()
const PROCESSES = 3
const UNLIMITED = allowanceOf('enterprise', null)

describe.skipIf(programs === null)('limits that several processes share', () => {
  let server: PostgresServer
  let db: Database
  let processes: readonly RateLimits[]
  beforeAll(async () => {
    server = await startPostgres(programs ?? '')
    const url = await createSchema(server.url, 'limits')
    const all = Array.from({ length: PROCESSES }, () => openPostgres(url))
    const [first] = all
    if (first === undefined) throw new Error('No connections.')
    await migrate(first.writer)
    db = createDatabase(first)
    processes = all.map(({ writer }) => sharing(createRateAccounts(writer)))
    closing = async () => {
      await Promise.all(all.map(({ close }) => close()))
    }
  })
  let closing = async () => {}
  afterAll(async () => {
    await closing()
    await server.stop()
  })

  async function newKey(): Promise<KeyId> {
    const now = () => new Date().toISOString()
    const accountLimits = createAccountLimits({ planLimits: PLAN_LIMITS, now })
    const accounts = createAccountService({ db, accountLimits, newId, now, onRevoked() {} })
    const owner = await accounts.firstUser()
    const wanted = { userId: owner.id, projectScope: null, name: 'a', permissions: DEFAULT_PERMISSIONS }
    return (await accounts.createKey({ ...wanted, plan: 'enterprise', expiresAt: null })).record.id
  }

  /** Sends requests at once, in turn to each process. @returns how many were accepted. */
  async function send(count: number, request: CountedRequest): Promise<number> {
    const decisions = await Promise.all(
      Array.from({ length: count }, (_, n) => processes[n % PROCESSES]?.take(request)),
    )
    return decisions.filter((decision) => decision?.refusal === null).length
  }

  test('accept exactly the limit of a window, to whichever process its requests go', async () => {
    const request = callOf(await newKey(), { burst: 50, minute: 60 })
    expect(await send(40, request)).toBe(40)
    expect(await send(90, request)).toBe(10)
    expect(await send(90, request)).toBe(0)
  })

  test('accept exactly the limit of a month, and store its count', async () => {
    const id = await newKey()
    const request = callOf(id, { month: 30 })
    expect(await send(20, request)).toBe(20)
    expect(await send(90, request)).toBe(10)
    const month = new Date().toISOString().slice(0, 7)
    expect(await db.read.usage.requests({ keyId: id, month })).toBe(30)
    expect(await processes[1]?.usage(request.subject)).toMatchObject({ month: 30 })
  })

  test('count costly requests and those of endpoints in all processes', async () => {
    const request = callOf(await newKey(), { minute: 20, create_page: 5 })
    expect(await send(9, { ...request, endpoint: 'create_page' })).toBe(5)
    await processes[0]?.charge(request, 10)
    expect(await processes[1]?.peek(request)).toMatchObject({ limit: 20, remaining: 5 })
    expect(await send(9, request)).toBe(5)
  })

  test('accept exactly the budget of an account, whichever of its keys and sessions send to which process', async () => {
    const user = newId<'usr'>()
    const allowance = { ...UNLIMITED, burst: 8, minute: 10 }
    const first = callOf(await newKey(), { minute: 30 }, user, allowance)
    const second = callOf(await newKey(), { minute: 30 }, user, allowance)
    const session = { kind: 'session', id: newId<'ses'>(), account: first.subject.account } as const
    expect(await send(20, first)).toBe(20)
    await processes[0]?.charge(second, 5)
    const accepted = await Promise.all([
      send(60, first),
      send(60, second),
      send(60, { ...first, subject: session }),
    ])
    expect(accepted.reduce((sum, one) => sum + one)).toBe(15)
    const { refusal } = (await processes[2]?.take(second)) ?? expect.unreachable()
    expect(refusal).toMatchObject({ window: 'account', span: 'burst', limit: 40 })
    expect(await send(3, callOf(await newKey(), { minute: 30 }, newId<'usr'>(), allowance))).toBe(3)
  })

  test('count an account in the transaction that counts its key', async () => {
    const accounts = createRateAccounts(connectionsOf(server))
    const changes: number[] = []
    const limits = sharing({
      change(subjects, change) {
        changes.push(subjects.length)
        return accounts.change(subjects, change)
      },
    })
    const allowance = { ...UNLIMITED, hour: 1_000 }
    await limits.take(callOf(await newKey(), { minute: 30 }, newId<'usr'>(), allowance))
    expect(changes).toEqual([2])
  })

  test('ask for a refused key no more until its window opens', async () => {
    let changes = 0
    const accounts = createRateAccounts(connectionsOf(server))
    const counted: SharedAccounts = {
      change(keys, change) {
        changes += 1
        return accounts.change(keys, change)
      },
    }
    const limits = sharing(counted)
    const request = callOf(await newKey(), { burst: 1 })
    expect((await limits.take(request)).refusal).toBeNull()
    for (let n = 0; n < 5; n++) {
      const { refusal } = await limits.take(request)
      expect(refusal).toMatchObject({ window: 'burst', limit: 1 })
    }
    expect(changes).toBe(2)
  })

  function connectionsOf({ url }: PostgresServer) {
    const within = new URL(url)
    within.searchParams.set('options', '-c search_path=limits')
    const { writer, close } = openPostgres(within.href.replaceAll('+', '%20'))
    onTestFinished(close)
    return writer
  }
})

test('a process counts alone while the accounts cannot be reached, and reports that', async () => {
  const failures: unknown[] = []
  const limits = sharing({ change: () => Promise.reject(new Error('away')) }, (error) => failures.push(error))
  const request = callOf(newId<'key'>(), { burst: 3 })
  const decisions = await Promise.all(Array.from({ length: 5 }, () => limits.take(request)))
  expect(decisions.filter(({ refusal }) => refusal === null)).toHaveLength(3)
  expect(failures).not.toEqual([])
})

test('a request is counted without another one after it, at whatever moment it comes', async () => {
  let stored: readonly SharedAccount[] = [{ all: [], endpoints: {}, month: '', monthRequests: 0 }]
  let onChanged = () => {}
  const limits = sharing({
    async change(_, change) {
      stored = change(stored, Date.now())
      onChanged()
    },
  })
  const request = callOf(newId<'key'>(), { minute: 1_000 })
  for (let steps = 0; steps < 10; steps++) {
    const next = new Promise((resolve) => {
      onChanged = () => {
        onChanged = () => {}
        const later = async () => {
          for (let step = 0; step < steps; step++) await null
          return limits.peek(request)
        }
        resolve(later())
      }
    })
    await limits.peek(request)
    expect(await Promise.race([next, setImmediate()]), `${steps} steps later`).toMatchObject({ limit: 1_000 })
  }
})

function sharing(accounts: SharedAccounts, onFailure = unexpected): RateLimits {
  const accountFactor = 5
  const usage = createMemoryUsage()
  const local = createMemoryLimits({ now: Date.now, usage, accountFactor, onFailure })
  return createSharedLimits({ accounts, local, accountFactor, monotonic: () => performance.now(), onFailure })
}

function unexpected(error: unknown): void {
  expect.unreachable(String(error))
}

function callOf(id: KeyId, allowance: Partial<Allowance>, user = newId<'usr'>(), ofUser = UNLIMITED) {
  const account = { id: user, allowance: ofUser }
  const subject = { kind: 'key', id, allowance: { ...UNLIMITED, ...allowance }, account } as const
  return { subject, budget: 'calls', endpoint: null } as const
}
