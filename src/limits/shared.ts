import { LRUCache } from 'lru-cache'
import type { KeyId, SessionId } from '../domain/ids.ts'
import type { LimitedEndpoint } from '../domain/rate-limit.ts'
import { type AccountCounts, noAccountCounts } from './account-counts.ts'
import {
  type Account,
  allowanceFor,
  budgetTogether,
  charge,
  decide,
  isUnlimited,
  type Moment,
  monthOf,
  newAccount,
  shownUsage,
  standing,
  type TimedDecision,
  type Together,
  usedOf,
} from './decide.ts'
import type { AccountBudget, CountedRequest, Decision, RateLimits, Subject } from './rate-limits.ts'
import type { SharedAccount, SharedAccounts, SharedSubject } from './shared-accounts.ts'

/** Requests that one statement counts at most. */
const BATCH = 500
/** Keys and sessions with a remembered rejection, so that a flood does not query the accounts. */
const REFUSED_SUBJECTS = 10_000
/** Times of requests this far in the future are from before the clock of the database was set back. */
const SET_BACK_MS = 60_000

export interface SharedLimitsOptions {
  readonly accounts: SharedAccounts
  /** Counts in this process: addresses, visits, and the others while the accounts cannot be reached. */
  readonly local: RateLimits
  /** Same as in `MemoryLimitsOptions`. */
  readonly accountFactor: number
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  readonly onFailure: (error: unknown) => void
}

interface Call {
  readonly subject: Extract<Subject, { kind: 'key' | 'session' }>
  readonly budget: 'calls'
}

/** An account while a batch changes it. */
interface Open {
  readonly account: Account
  readonly counts: AccountCounts
  readonly month: string
  monthRequests: number
}

interface Waiting {
  readonly subject: KeyId | SessionId
  /** Budget of the user; null where the request counts for no user. */
  readonly budget: AccountBudget | null
  act(open: Open, together: Together | null, moment: Moment): void
  commit(): void
  fail(error: unknown): void
}

/**
 * Rate limits over all processes: the calls of a key are counted in an account that they share. A process runs one
 * change of accounts at a time, with all requests that arrived meanwhile: their number costs little.
 *
 * Visits and calls without a key count in each process: a visitor's page must not wait for a database, and the number
 * of addresses is unlimited.
 */
export function createSharedLimits({
  accounts,
  local,
  accountFactor,
  monotonic,
  onFailure,
}: SharedLimitsOptions): RateLimits {
  const refused = new LRUCache<
    KeyId | SessionId,
    { readonly decision: TimedDecision; readonly until: number }
  >({
    max: REFUSED_SUBJECTS,
  })
  let waiting: Waiting[] = []
  let running: Promise<void> | null = null

  return {
    take(request) {
      if (!isShared(request) || isUnlimited(request, accountFactor)) return local.take(request)
      return refusalOf(request.subject.id) ?? takeShared(request)
    },

    charge(request, more) {
      if (!isShared(request)) return local.charge(request, more)
      const act = (open: Open, together: Together | null, moment: Moment) =>
        charge(open.account, together, request, countedMonth(open, request, moment), more, moment)
      return ask(request, act).catch(() => local.charge(request, more))
    },

    peek(request) {
      if (!isShared(request)) return local.peek(request)
      const act = ({ account: { all } }: Open, _: Together | null, moment: Moment) =>
        standing(all, allowanceFor(request), moment)
      return ask(request, act).catch(() => local.peek(request))
    },

    usage(key) {
      const act = ({ account, monthRequests }: Open, _: Together | null, { time, unix }: Moment) => {
        const isCounted = monthOf({ subject: key, budget: 'calls' }, unix) !== null
        return shownUsage({ ...usedOf(account, time), month: isCounted ? monthRequests : 0 }, key.allowance)
      }
      return ask({ subject: key, budget: 'calls' }, act).catch(() => local.usage(key))
    },

    async close() {
      await running
      await local.close()
    },
  }

  async function takeShared(request: CountedRequest & Call): Promise<Decision> {
    const act = (open: Open, together: Together | null, moment: Moment) => {
      const month = countedMonth(open, request, moment)
      const decision = decide(open.account, together, request, month, moment)
      if (decision.refusal === null && month !== null) open.monthRequests += 1
      return decision
    }
    try {
      const timed = await ask(request, act)
      // The endpoint's window concerns no other request.
      if (timed.refusal !== null && timed.refusal.window !== 'endpoint')
        refused.set(request.subject.id, { decision: timed, until: monotonic() + timed.waitMs })
      return withoutWait(timed)
    } catch {
      return local.take(request)
    }
  }

  /**
   * Returns the rejection of a key or session while the window cannot have opened. Windows that no request enters open
   * on time, and the window of its account not earlier.
   */
  function refusalOf(subject: KeyId | SessionId): Decision | null {
    const known = refused.get(subject)
    const waitMs = known === undefined ? 0 : known.until - monotonic()
    if (known === undefined || known.decision.refusal === null || waitMs <= 0) return null
    const refusal = { ...known.decision.refusal, retryAfter: Math.ceil(waitMs / 1000) }
    const elapsedMs = known.decision.waitMs - waitMs
    const windows = known.decision.windows.map((one) => ({
      ...one,
      resetMs:
        one.name === refusal.window ? refusal.retryAfter * 1_000 : Math.max(0, one.resetMs - elapsedMs),
    }))
    return withoutWait({ ...known.decision, windows, refusal })
  }

  /** Resolves with the result of the act once what it changed is stored. */
  function ask<Result>(
    call: Call,
    act: (open: Open, together: Together | null, moment: Moment) => Result,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result
      waiting.push({
        subject: call.subject.id,
        budget: budgetTogether(call, accountFactor),
        act: (open, together, moment) => (result = act(open, together, moment)),
        commit: () => resolve(result),
        fail: reject,
      })
      running ??= work()
    })
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      const subjects = [...new Set(batch.flatMap(subjectsOf))]
      try {
        await accounts.change(subjects, (found, unix) => changed(subjects, found, unix, batch))
        for (const one of batch) one.commit()
      } catch (error) {
        onFailure(error)
        for (const one of batch) one.fail(error)
      }
    }
    // Right after the last look: a request that comes in between would wait for the next one.
    running = null
  }
}

/** The requests of the month so far; null when the month is unlimited. */
function countedMonth({ monthRequests }: Open, request: Call, { unix }: Moment): number | null {
  return monthOf(request, unix) === null ? null : monthRequests
}

function subjectsOf({ subject, budget }: Waiting): readonly SharedSubject[] {
  return budget === null ? [subject] : [subject, budget.id]
}

/** Runs again when the change does, so it starts from the stored accounts. */
function changed(
  subjects: readonly SharedSubject[],
  found: readonly SharedAccount[],
  unix: number,
  batch: readonly Waiting[],
): readonly SharedAccount[] {
  const opened = new Map(subjects.map((subject, index) => [subject, openAccount(found[index], unix)]))
  // One time for all, as requests count in two accounts.
  const time = Math.max(...found.map((account) => timeOf(account, unix)))
  for (const { subject, budget, act } of batch) {
    const open = opened.get(subject)
    const counts = budget === null ? null : opened.get(budget.id)?.counts
    if (open === undefined || counts === undefined) continue
    const together = budget && counts && { counts, allowance: budget.allowance }
    act(open, together, { unix, time })
  }
  return [...opened.values()].map(stored)
}

function openAccount(found: SharedAccount | undefined, unix: number): Open {
  const month = new Date(unix).toISOString().slice(0, 7)
  const account = newAccount()
  if (found === undefined) return { account, counts: noAccountCounts(), month, monthRequests: 0 }
  account.all.values.push(...found.all.filter((time) => time < unix + SET_BACK_MS))
  for (const [name, times] of Object.entries(found.endpoints))
    account.endpoints[name as LimitedEndpoint] = {
      values: times.filter((time) => time < unix + SET_BACK_MS),
      start: 0,
    }
  const { seconds, minutes } = found.together ?? noAccountCounts()
  const counts = { seconds: slotsUntil(unix, seconds), minutes: slotsUntil(unix, minutes) }
  return { account, counts, month, monthRequests: found.month === month ? found.monthRequests : 0 }
}

/** A copy, because slots are mutable. */
function slotsUntil(unix: number, slots: AccountCounts['seconds']): AccountCounts['seconds'] {
  return slots.filter(([last]) => last < unix + SET_BACK_MS).map(([last, requests]) => [last, requests])
}

/** Never before the last request, whatever the clock of the database does. */
function timeOf(found: SharedAccount | undefined, unix: number): number {
  const newest = [
    found?.all.at(-1),
    ...Object.values(found?.endpoints ?? {}).map((times) => times.at(-1)),
    ...Object.values(found?.together ?? {}).map((slots) => slots.at(-1)?.[0]),
  ]
  return Math.max(
    unix,
    ...newest.filter((time) => time !== undefined && time < unix + SET_BACK_MS).map(Number),
  )
}

function stored({ account: { all, endpoints }, counts, month, monthRequests }: Open): SharedAccount {
  const times = ({ values, start }: Account['all']) => values.slice(start)
  return {
    all: times(all),
    endpoints: Object.fromEntries(Object.entries(endpoints).map(([name, list]) => [name, times(list)])),
    month,
    monthRequests,
    ...(counts.seconds.length + counts.minutes.length > 0 && { together: counts }),
  }
}

function isShared<Request extends Pick<CountedRequest, 'subject' | 'budget'>>(
  request: Request,
): request is Request & Call {
  const { subject, budget } = request
  return budget === 'calls' && (subject.kind === 'key' || subject.kind === 'session')
}

function withoutWait({ waitMs: _, ...decision }: TimedDecision): Decision {
  return decision
}
