import { LRUCache } from 'lru-cache'
import type { KeyId } from '../domain/ids.ts'
import type { LimitedEndpoint } from '../domain/rate-limit.ts'
import {
  type Account,
  allowanceFor,
  charge,
  decide,
  isUnlimited,
  type Moment,
  monthOf,
  newAccount,
  shownUsage,
  standing,
  type TimedDecision,
  usedOf,
} from './decide.ts'
import type { CountedRequest, Decision, RateLimits, Subject } from './rate-limits.ts'
import type { SharedAccount, SharedAccounts } from './shared-accounts.ts'

/** Requests that one statement counts at most. */
const BATCH = 500
/** Keys whose refusal is remembered, so that a flood asks for nothing. */
const REFUSED_KEYS = 10_000
/** Times of requests this far in the future are from before the clock of the database was set back. */
const SET_BACK_MS = 60_000

export interface SharedLimitsOptions {
  readonly accounts: SharedAccounts
  /** Counts in this process: addresses, visits, and keys while the accounts cannot be reached. */
  readonly local: RateLimits
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  readonly onFailure: (error: unknown) => void
}

type Key = Extract<Subject, { kind: 'key' }>
type KeyRequest = CountedRequest & { readonly subject: Key; readonly budget: 'calls' }

/** An account while a batch changes it. */
interface Open {
  readonly account: Account
  readonly month: string
  monthRequests: number
}

interface Waiting {
  readonly key: KeyId
  act(open: Open, moment: Moment): void
  commit(): void
  fail(error: unknown): void
}

/**
 * Rate limits over all processes: the calls of a key are counted in an account that they share. A process has one change
 * of accounts under way at a time, with all requests that arrived meanwhile, so that their number costs little.
 *
 * Visits and calls without a key count in each process: a visitor's page must not wait for a database, and the number
 * of addresses is unlimited.
 */
export function createSharedLimits({
  accounts,
  local,
  monotonic,
  onFailure,
}: SharedLimitsOptions): RateLimits {
  const refused = new LRUCache<KeyId, { readonly decision: TimedDecision; readonly until: number }>({
    max: REFUSED_KEYS,
  })
  let waiting: Waiting[] = []
  let running: Promise<void> | null = null

  return {
    take(request) {
      if (!isShared(request) || isUnlimited(request)) return local.take(request)
      return refusalOf(request.subject.id) ?? takeShared(request)
    },

    charge(request, more) {
      if (!isShared(request)) return local.charge(request, more)
      const act = ({ account }: Open, moment: Moment) => charge(account, request, more, moment)
      return ask(request.subject.id, act).catch(() => local.charge(request, more))
    },

    peek(request) {
      if (!isShared(request)) return local.peek(request)
      const act = ({ account: { all } }: Open, moment: Moment) => standing(all, allowanceFor(request), moment)
      return ask(request.subject.id, act).catch(() => local.peek(request))
    },

    usage(key) {
      const act = ({ account, monthRequests }: Open, { time, unix }: Moment) => {
        const isCounted = monthOf({ subject: key, budget: 'calls' }, unix) !== null
        return shownUsage({ ...usedOf(account, time), month: isCounted ? monthRequests : 0 }, key.allowance)
      }
      return ask(key.id, act).catch(() => local.usage(key))
    },

    async close() {
      await running
      await local.close()
    },
  }

  async function takeShared(request: KeyRequest): Promise<Decision> {
    const act = (open: Open, moment: Moment) => {
      const isCounted = monthOf(request, moment.unix) !== null
      const decision = decide(open.account, request, isCounted ? open.monthRequests : null, moment)
      if (decision.refusal === null && isCounted) open.monthRequests += 1
      return decision
    }
    try {
      const timed = await ask(request.subject.id, act)
      // The endpoint's window concerns no other request.
      if (timed.refusal !== null && timed.refusal.window !== 'endpoint')
        refused.set(request.subject.id, { decision: timed, until: monotonic() + timed.waitMs })
      return withoutWait(timed)
    } catch {
      return local.take(request)
    }
  }

  /** The refusal of a key while its window cannot have opened: windows that no request enters open on time. */
  function refusalOf(key: KeyId): Decision | null {
    const known = refused.get(key)
    const waitMs = known === undefined ? 0 : known.until - monotonic()
    if (known === undefined || known.decision.refusal === null || waitMs <= 0) return null
    const refusal = { ...known.decision.refusal, retryAfter: Math.ceil(waitMs / 1000) }
    return withoutWait({ ...known.decision, refusal })
  }

  /** Resolves with the result of the act once what it changed is stored. */
  function ask<Result>(key: KeyId, act: (open: Open, moment: Moment) => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result
      waiting.push({
        key,
        act: (open, moment) => (result = act(open, moment)),
        commit: () => resolve(result),
        fail: reject,
      })
      running ??= work().finally(() => (running = null))
    })
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      const keys = [...new Set(batch.map(({ key }) => key))]
      try {
        await accounts.change(keys, (found, unix) => changed(keys, found, unix, batch))
        for (const one of batch) one.commit()
      } catch (error) {
        onFailure(error)
        for (const one of batch) one.fail(error)
      }
    }
  }
}

/** Runs again when the change does, so it starts from the stored accounts. */
function changed(
  keys: readonly KeyId[],
  found: readonly SharedAccount[],
  unix: number,
  batch: readonly Waiting[],
): readonly SharedAccount[] {
  const opened = new Map(
    keys.map((key, index) => [key, { ...openAccount(found[index], unix), time: timeOf(found[index], unix) }]),
  )
  for (const { key, act } of batch) {
    const open = opened.get(key)
    if (open !== undefined) act(open, { unix, time: open.time })
  }
  return [...opened.values()].map(stored)
}

function openAccount(found: SharedAccount | undefined, unix: number): Open {
  const month = new Date(unix).toISOString().slice(0, 7)
  const account = newAccount()
  if (found === undefined) return { account, month, monthRequests: 0 }
  account.all.values.push(...found.all.filter((time) => time < unix + SET_BACK_MS))
  for (const [name, times] of Object.entries(found.endpoints))
    account.endpoints[name as LimitedEndpoint] = {
      values: times.filter((time) => time < unix + SET_BACK_MS),
      start: 0,
    }
  return { account, month, monthRequests: found.month === month ? found.monthRequests : 0 }
}

/** Never before the last request, whatever the clock of the database does. */
function timeOf(found: SharedAccount | undefined, unix: number): number {
  const newest = [found?.all.at(-1), ...Object.values(found?.endpoints ?? {}).map((times) => times.at(-1))]
  return Math.max(
    unix,
    ...newest.filter((time) => time !== undefined && time < unix + SET_BACK_MS).map(Number),
  )
}

function stored({ account: { all, endpoints }, month, monthRequests }: Open): SharedAccount {
  const times = ({ values, start }: Account['all']) => values.slice(start)
  return {
    all: times(all),
    endpoints: Object.fromEntries(Object.entries(endpoints).map(([name, list]) => [name, times(list)])),
    month,
    monthRequests,
  }
}

function isShared<Request extends Pick<CountedRequest, 'subject' | 'budget'>>(
  request: Request,
): request is Request & { readonly subject: Key; readonly budget: 'calls' } {
  return request.subject.kind === 'key' && request.budget === 'calls'
}

function withoutWait({ waitMs: _, ...decision }: TimedDecision): Decision {
  return decision
}
