import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { Plan } from '../../src/domain/caller.ts'
import type { KeyId, SessionId, UserId } from '../../src/domain/ids.ts'
import { allowanceOf } from '../../src/domain/plan-allowance.ts'
import type { Allowance } from '../../src/domain/rate-limit.ts'
import type { CountedRequest, RateLimits, Subject, WindowStatus } from '../../src/limits/rate-limits.ts'
import type { UsageStore } from '../../src/limits/usage-store.ts'
import { runs } from '../support/long-form.ts'
import { createMemoryUsage } from '../support/memory-usage.ts'
import { createNaiveLimits } from '../support/naive-limits.ts'

/** Noon of 15 November 2026, in UTC. */
const NOON = Date.UTC(2026, 10, 15, 12)
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How many times the largest plan of an account its keys and sessions have together. */
const FACTOR = 5

/**
 * Tests every promise of `limits/rate-limits.ts`. Call it once per adapter.
 *
 * @param create returns limits without any counted request except the months of `usage`.
 */
export function testLimitsContract(
  create: (options: { now: () => number; usage: UsageStore; accountFactor: number }) => RateLimits,
): void {
  function start({ usage = createMemoryUsage(), unix = NOON, accountFactor = FACTOR } = {}) {
    const clock = { unix }
    const limits = create({ now: () => clock.unix, usage, accountFactor })
    return {
      limits,
      clock,
      take: async (request: CountedRequest) => limits.take(request),
      /** Sends the request until it is refused. */
      async exhaust(request: CountedRequest) {
        for (let accepted = 0; ; accepted++) {
          const { refusal } = await limits.take(request)
          if (refusal !== null) return { accepted, ...refusal }
        }
      },
    }
  }

  test('decides like a linear search through a list of all requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(allowances, allowances), histories, async ([one, other], history) => {
        const subjects = [call(one, 'one'), call(other, 'other'), addressCall].map(({ subject }) => subject)
        const { limits, clock } = start()
        const naive = createNaiveLimits()
        for (const { passes, who, times, ...rest } of history) {
          clock.unix += passes
          const request = { ...rest, subject: subjects[who] ?? expect.unreachable() }
          for (let i = 0; i < times; i++) {
            const { refusal, windows, ...standing } = await limits.take(request)
            const expected = naive.take(request, clock.unix)
            const { windows: naiveWindows, ...naiveStanding } = expected.standing
            expect(standing).toEqual(naiveStanding)
            const exceeded = windows.find(({ name }) => name === refusal?.window)
            expect(exceeded?.resetMs).toBe(refusal === null ? undefined : refusal.retryAfter * SECOND)
            const ofOthers = (all: readonly WindowStatus[]) =>
              all.map((one) => (one.name === refusal?.window ? { ...one, resetMs: null } : one))
            expect(ofOthers(windows.filter(({ name }) => name !== 'account'))).toEqual(ofOthers(naiveWindows))
            expect(expected.refusals).toContainEqual(refusal)
          }
        }
        await limits.close()
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('a request is accepted after the time that the refusal named', async () => {
    await fc.assert(
      fc.asyncProperty(allowances, histories, async (allowance, history) => {
        const { limits, clock, take } = start()
        for (const { passes, endpoint } of history) {
          clock.unix += Math.abs(passes)
          const { refusal } = await take({ ...call(allowance), endpoint })
          if (refusal === null) continue
          clock.unix += refusal.retryAfter * SECOND
          expect((await take({ ...call(allowance), endpoint })).refusal).toBeNull()
        }
        await limits.close()
      }),
      { numRuns: runs(300) },
    )
  })

  describe('the budget of an account', () => {
    test('is shown by the window of which the smallest part remains', async () => {
      const { limits, clock, take } = start()
      const shown = async (name: string) =>
        (await take(callIn('one', name, { minute: 4, hour: 5 }))).windows.find(
          ({ name }) => name === 'account',
        )
      expect(await shown('a')).toEqual({
        name: 'account',
        limit: 20,
        remaining: 19,
        lengthMs: MINUTE,
        resetMs: MINUTE,
      })
      clock.unix += 30 * SECOND
      expect(await shown('b')).toMatchObject({ remaining: 18, lengthMs: MINUTE, resetMs: 30 * SECOND })
      clock.unix += 30 * SECOND
      expect(await shown('c')).toMatchObject({ limit: 25, remaining: 22, lengthMs: HOUR })
      await limits.close()
    })

    test('is shared by its keys and sessions, and by nobody else', async () => {
      const { limits, take, exhaust } = start()
      for (let key = 0; key < 4; key++)
        expect(await exhaust(callIn('one', `key ${key}`, {}))).toMatchObject({
          accepted: 3,
          window: 'minute',
        })
      const last = { window: 'account', span: 'minute', limit: 15, retryAfter: 60 }
      expect(await exhaust(sessionCall('one', 'session', 3))).toEqual({ accepted: 3, ...last })
      expect(await exhaust(callIn('one', 'new key', {}))).toEqual({ accepted: 0, ...last })
      expect((await take(callIn('other', 'key', {}))).refusal).toBeNull()
      await limits.close()
    })

    test('never holds more than its limits, and has room after the time that a refusal named', async () => {
      await fc.assert(
        fc.asyncProperty(accountHistories, async (history) => {
          const { limits, clock, take } = start({ accountFactor: 2 })
          const allowance = { burst: 2, minute: 4, hour: 10 }
          const accepted: number[] = []
          for (const { passes, key } of history) {
            clock.unix += passes
            const request = callIn('one', key, allowance)
            const { refusal } = await take(request)
            if (refusal === null) accepted.push(clock.unix)
            else {
              clock.unix += refusal.retryAfter * SECOND
              expect((await take(request)).refusal).toBeNull()
              accepted.push(clock.unix)
            }
            for (const [lengthMs, limit] of [
              [10 * SECOND, 4],
              [MINUTE, 8],
              [HOUR, 20],
            ] as const)
              expect(accepted.filter((time) => time > clock.unix - lengthMs).length).toBeLessThanOrEqual(
                limit,
              )
          }
          await limits.close()
        }),
        { numRuns: runs(300) },
      )
    })

    test('pays for costly requests too', async () => {
      const { limits, take, exhaust } = start()
      const request = callIn('one', 'key', {})
      await take(request)
      await limits.charge(request, 13)
      expect(await exhaust(callIn('one', 'other', {}))).toMatchObject({ accepted: 1, window: 'account' })
      await limits.close()
    })

    test('counts previews of all keys together, apart from their calls', async () => {
      const { limits, exhaust } = start({ accountFactor: 2 })
      const previews = (key: string) => exhaust({ ...callIn('one', key, {}), budget: 'visits' })
      expect(await previews('a')).toMatchObject({ accepted: 1_000, window: 'minute' })
      expect(await previews('b')).toMatchObject({ accepted: 1_000 })
      expect(await previews('c')).toMatchObject({ accepted: 0, window: 'account', limit: 2_000 })
      expect(await exhaust(callIn('one', 'c', {}))).toMatchObject({ accepted: 3 })
      await limits.close()
    })

    test('has no limit without a factor', async () => {
      const { limits, exhaust } = start({ accountFactor: 0 })
      for (let key = 0; key < 20; key++)
        expect(await exhaust(callIn('one', `key ${key}`, {}))).toMatchObject({
          accepted: 3,
          window: 'minute',
        })
      await limits.close()
    })

    test('lets a user read 1,000 pages of the dashboard a minute', async () => {
      const { limits, exhaust } = start()
      const subject = { kind: 'user', id: 'one' as UserId } as const
      const reads = await exhaust({ subject, budget: 'visits', endpoint: null })
      expect(reads).toMatchObject({ accepted: 1_000, limit: 1_000 })
      await limits.close()
    })
  })

  test.each<[Plan, number, string, number]>([
    ['standard', 100, 'minute', 60],
    ['free', 10, 'burst', 10],
    ['pro', 50, 'burst', 10],
    ['business', 100, 'burst', 10],
  ])('a key of the plan %s may send %i at once', async (plan, accepted, window, retryAfter) => {
    const { limits, exhaust } = start()
    expect(await exhaust(call(allowanceOf(plan, null)))).toEqual({
      accepted,
      window,
      limit: accepted,
      retryAfter,
    })
    await limits.close()
  })

  test.each<[Plan, number, number, number]>([
    ['free', 60, 1_000, 10_000],
    ['pro', 300, 10_000, 100_000],
  ])(
    'a key of the plan %s that never pauses has %i a minute, %i an hour, %i a month',
    async (plan, ...wanted) => {
      const { limits, clock, take } = start({ unix: Date.UTC(2026, 10, 1) })
      const counts: number[] = []
      let accepted = 0
      for (const lengthMs of [MINUTE, HOUR, 30 * DAY]) {
        while (clock.unix < Date.UTC(2026, 10, 1) + lengthMs) {
          const { refusal } = await take(call(allowanceOf(plan, null)))
          if (refusal === null) accepted += 1
          else clock.unix += refusal.retryAfter * SECOND
        }
        counts.push(accepted)
      }
      expect(counts).toEqual(wanted)
      await limits.close()
    },
  )

  test('an enterprise key has its own limits, and no limit where it has no number', async () => {
    const { limits, take, exhaust } = start()
    expect(await exhaust(call(allowanceOf('enterprise', { hour: 7 })))).toMatchObject({
      accepted: 7,
      window: 'hour',
    })
    const unlimited = call(allowanceOf('enterprise', null), 'unlimited')
    for (let i = 0; i < 5_000; i++) expect((await take(unlimited)).refusal).toBeNull()
    expect(await take(unlimited)).toEqual({
      windows: [],
      limit: Infinity,
      remaining: Infinity,
      resetAt: NOON,
      burstLimit: Infinity,
      burstRemaining: Infinity,
      refusal: null,
    })
    await limits.close()
  })

  test('a limit of 0 refuses every request', async () => {
    const { limits, exhaust } = start()
    for (const window of ['burst', 'minute', 'hour', 'month', 'create_page'] as const) {
      const none = call(allowanceOf('enterprise', { [window]: 0 }), window)
      expect((await exhaust({ ...none, endpoint: 'create_page' })).accepted).toBe(0)
    }
    await limits.close()
  })

  test('an endpoint’s limit applies in addition to the general one', async () => {
    const { limits, take, exhaust } = start()
    const own = call(allowanceOf('enterprise', { minute: 10, create_page: 2, update_page: 3 }))
    expect(await exhaust({ ...own, endpoint: 'create_page' })).toMatchObject({
      accepted: 2,
      window: 'endpoint',
      limit: 2,
    })
    expect(await exhaust({ ...own, endpoint: 'update_page' })).toMatchObject({
      accepted: 3,
      window: 'endpoint',
      limit: 3,
    })
    expect((await take(own)).remaining).toBe(4)
    expect(await exhaust({ ...own, endpoint: 'create_project' })).toMatchObject({
      accepted: 4,
      window: 'minute',
    })
    await limits.close()
  })

  test('visits have a separate limit of 1,000 a minute, for every plan and address', async () => {
    const { limits, take, exhaust } = start()
    for (const request of [call(allowanceOf('free', null)), addressCall]) {
      expect(await exhaust({ ...request, budget: 'visits' })).toEqual({
        accepted: 1_000,
        window: 'minute',
        limit: 1_000,
        retryAfter: 60,
      })
      expect((await take(request)).refusal).toBeNull()
    }
    await limits.close()
  })

  test('an address has the limits of the standard plan', async () => {
    const { limits, take, exhaust } = start()
    expect(await exhaust(addressCall)).toMatchObject({ accepted: 100, window: 'minute' })
    expect((await take({ ...addressCall, subject: { kind: 'address', id: '192.0.2.2' } })).remaining).toBe(99)
    await limits.close()
  })

  test('an address is counted for the whole minute, however many others make requests', async () => {
    const { limits, clock, take } = start()
    await take(addressCall)
    for (let i = 0; i < 59; i++) {
      clock.unix += SECOND
      await take({ ...addressCall, subject: { kind: 'address', id: `198.51.100.${i}` } })
    }
    expect((await take(addressCall)).remaining).toBe(98)
    await limits.close()
  })

  test('reading the limits counts nothing', async () => {
    const { limits, clock, take } = start()
    for (const request of [call(allowanceOf('free', null)), addressCall]) {
      const { subject, budget } = request
      const fresh = await limits.peek({ subject, budget })
      expect(fresh.remaining).toBe(fresh.limit)
      expect(fresh.resetAt).toBe(clock.unix)
      const { refusal, windows, ...standing } = await take(request)
      const own = windows.filter(({ name }) => name !== 'account' && name !== 'month')
      for (let i = 0; i < 3; i++)
        expect(await limits.peek({ subject, budget })).toEqual({ ...standing, windows: own })
      expect(refusal).toBeNull()
    }
    await limits.close()
  })

  test('a costly request is charged as several, which delay the next ones like any others', async () => {
    const { limits, clock, take, exhaust } = start()
    const request = call(allowanceOf('free', null))
    await take(request)
    const charged = await limits.charge(request, 6)
    expect(charged).toMatchObject({ remaining: 53, burstRemaining: 3 })
    expect(charged.windows).toMatchObject([
      { name: 'burst', limit: 10, remaining: 3, resetMs: 10 * SECOND },
      { name: 'minute', limit: 60, remaining: 53, resetMs: 60 * SECOND },
      { name: 'hour', limit: 1_000, remaining: 993, resetMs: 3_600 * SECOND },
      { name: 'month', limit: 10_000, remaining: 9_999, lengthMs: null },
    ])
    expect(await limits.peek(request)).toEqual({ ...charged, windows: charged.windows.slice(0, 3) })
    expect(await exhaust(request)).toMatchObject({ accepted: 3, window: 'burst' })
    // More than fit: nothing is refused, and all of them leave the windows in time.
    expect(await limits.charge(request, 100)).toMatchObject({ remaining: 0, burstRemaining: 0 })
    clock.unix += 10 * SECOND
    expect((await take(request)).refusal).toMatchObject({
      window: 'minute',
      retryAfter: 50,
    })
    clock.unix += 50 * SECOND
    expect((await take(request)).refusal).toBeNull()
    await limits.close()
  })

  test('a key without limits is charged nothing', async () => {
    const { limits } = start()
    const charged = await limits.charge(call(allowanceOf('enterprise', null)), 100)
    expect(charged).toMatchObject({ remaining: Infinity, windows: [] })
    await limits.close()
  })

  test('setting the clock back an hour neither frees a key nor delays it', async () => {
    const { limits, clock, take, exhaust } = start()
    const free = call(allowanceOf('free', null))
    await exhaust(free)
    clock.unix -= HOUR
    expect((await take(free)).refusal).toMatchObject({ window: 'burst', retryAfter: 10 })
    clock.unix += 10 * SECOND
    expect((await take(free)).refusal).toBeNull()
    await limits.close()
  })

  describe('concurrent requests', () => {
    test.each(['free', 'standard'] as const)('are accepted up to the limit of the plan %s', async (plan) => {
      const { limits, take } = start()
      const request = call(allowanceOf(plan, null))
      const decisions = await Promise.all(Array.from({ length: 200 }, () => take(request)))
      expect(decisions.filter(({ refusal }) => refusal === null)).toHaveLength(
        request.subject.allowance.burst,
      )
      await limits.close()
    })

    test('share one read of the month', async () => {
      const usage = createMemoryUsage()
      const reads = vi.spyOn(usage, 'requests')
      const { limits, take } = start({ usage })
      await Promise.all(Array.from({ length: 50 }, () => take(call(allowanceOf('free', null)))))
      await take(call(allowanceOf('free', null)))
      expect(reads).toHaveBeenCalledOnce()
      await limits.close()
    })
  })

  describe('the month', () => {
    const three = call(allowanceOf('enterprise', { month: 3 }))
    const untilDecember = (Date.UTC(2026, 11, 1) - NOON) / SECOND

    test('is the calendar month in UTC', async () => {
      const { limits, clock, exhaust } = start()
      const refused = { accepted: 3, window: 'month', limit: 3 }
      expect(await exhaust(three)).toEqual({ ...refused, retryAfter: untilDecember })
      clock.unix = Date.UTC(2026, 11, 1) - 1
      expect(await exhaust(three)).toEqual({ ...refused, accepted: 0, retryAfter: 1 })
      clock.unix = Date.UTC(2026, 11, 1)
      expect(await exhaust(three)).toMatchObject(refused)
      await limits.close()
    })

    test('continues its count after a restart, for its own key only', async () => {
      const usage = createMemoryUsage()
      const before = start({ usage })
      await before.take(three)
      await before.take(three)
      await before.limits.close()

      const after = start({ usage })
      expect(await after.exhaust(three)).toMatchObject({ accepted: 1, window: 'month' })
      expect(await after.exhaust(call(three.subject.allowance, 'another'))).toMatchObject({ accepted: 3 })
      await after.limits.close()
    })

    test('counts neither requests that another window refused nor visits', async () => {
      const { limits, clock, take, exhaust } = start()
      const own = call(allowanceOf('enterprise', { burst: 1, month: 2 }))
      expect(await exhaust(own)).toMatchObject({ accepted: 1, window: 'burst' })
      await take({ ...own, budget: 'visits' })
      clock.unix += 10 * SECOND
      expect((await take(own)).refusal).toBeNull()
      expect((await take(own)).refusal).toMatchObject({ window: 'month' })
      await limits.close()
    })

    test('is neither read nor written without a limit', async () => {
      const never = () => expect.unreachable()
      const { limits, take } = start({ usage: { requests: never, add: never } })
      for (const plan of ['standard', 'enterprise'] as const) await take(call(allowanceOf(plan, null), plan))
      await limits.close()
    })

    test('fails the request when it cannot be read, and is read again for the next', async () => {
      const usage = createMemoryUsage()
      const answers = [() => Promise.reject(new Error('The disk is gone.'))]
      const { limits, take } = start({
        usage: { ...usage, requests: (of) => (answers.pop() ?? (() => usage.requests(of)))() },
      })
      await expect(take(three)).rejects.toThrow('The disk is gone.')
      expect((await take(three)).refusal).toBeNull()
      await limits.close()
    })
  })
}

/** A call of a key of an account. */
function callIn(account: string, name: string, { minute = 3, hour = Infinity, burst = Infinity }) {
  const allowance = { ...allowanceOf('enterprise', null), burst, minute, hour }
  const budget = { id: account as UserId, allowance }
  const subject = { kind: 'key', id: name as KeyId, allowance, account: budget } as const
  return { subject, budget: 'calls', endpoint: null } as const satisfies CountedRequest
}

function sessionCall(account: string, name: string, minute: number) {
  const { budget, endpoint, subject } = callIn(account, name, { minute })
  return {
    subject: { kind: 'session', id: name as SessionId, account: subject.account },
    budget,
    endpoint,
  } as const satisfies CountedRequest
}

function call(allowance: Allowance, name = 'key') {
  const account = { id: 'user' as UserId, allowance: allowanceOf('enterprise', null) }
  const subject = { kind: 'key', id: name as KeyId, allowance, account } as const satisfies Subject
  return { subject, budget: 'calls', endpoint: null } as const satisfies CountedRequest
}

const addressCall: CountedRequest = {
  subject: { kind: 'address', id: '192.0.2.1' },
  budget: 'calls',
  endpoint: null,
}

const limit = fc.constantFrom(1, 2, 3, 5, 8, Infinity)
const allowances: fc.Arbitrary<Allowance> = fc.record({
  burst: limit,
  minute: limit,
  hour: limit,
  month: limit,
  create_page: limit,
  update_page: limit,
  create_project: limit,
})

/** Requests of three keys of one account, with the time before each. */
const accountHistories = fc.array(
  fc.record({
    passes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12_000 }), fc.constantFrom(60_000, 1_800_000)),
    key: fc.constantFrom('a', 'b', 'c'),
  }),
  { maxLength: 60 },
)

/** Steps of the clock: mostly about the length of a window, sometimes backwards. */
const passes = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.nat(20 * SECOND) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(10 * SECOND, MINUTE, HOUR), fc.integer({ min: -1, max: 1 }))
      .map(([length, more]) => length + more),
  },
  { weight: 1, arbitrary: fc.constantFrom(DAY, 20 * DAY) },
  { weight: 1, arbitrary: fc.integer({ min: -2 * HOUR, max: -1 }) },
  { weight: 1, arbitrary: fc.constant(-20 * DAY) },
)
const histories = fc.array(
  fc.record({
    passes,
    who: fc.nat(2),
    budget: fc.constantFrom('calls', 'calls', 'visits'),
    endpoint: fc.constantFrom(null, 'create_page', 'update_page', 'create_project'),
    times: fc.constantFrom(1, 1, 1, 2, 5),
  }),
  { maxLength: 40 },
)
