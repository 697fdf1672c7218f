import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { leftToWait } from '../platform/answer-time.ts'
import type { Transact, TransactOptions } from './connections.ts'
import { rowsOf } from './dialect.ts'
import { isUniqueViolation } from './errors.ts'
import { isConflict, isLost, isReadOnly, unavailable } from './postgres-errors.ts'
import { WRITE_DEADLINE_MS } from './write-lock.ts'

const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 500
/** Between two questions for the fate of a transaction. */
const FATE_PAUSE_MS = 100

/** Longest wait of a statement for a lock. */
const LOCK_MS = 10_000

/** The attempt from which on a refused transaction runs alone. */
const ALONE_FROM = 3

/**
 * The first statements of a transaction. A frozen process must not keep its locks, and one that waits for them not its
 * connection. Timeouts are set within each transaction, because a pooler hands a connection to another client after it.
 *
 * The lock comes before anything is read: a transaction sees the rows as they are at its first query, so one that runs
 * alone must have waited for the others by then. It waits shorter than for a row, as later transactions wait behind it.
 */
const opening = (isAlone: boolean, leftMs: number) => `
  SET LOCAL statement_timeout = '30s';
  SET LOCAL idle_in_transaction_session_timeout = '5s';
  SET LOCAL lock_timeout = ${Math.min(isAlone ? 4_000 : LOCK_MS, leftMs)};
  LOCK TABLE write_gate IN ${isAlone ? 'EXCLUSIVE' : 'ROW SHARE'} MODE;
  SET LOCAL lock_timeout = ${Math.min(LOCK_MS, leftMs)};
  SELECT pg_current_xact_id()::text AS id`

/**
 * Runs transactions as if one ran after the other. PostgreSQL refuses transactions that it could not order, and two in
 * a deadlock. They run again, as do transactions whose connection was lost: nothing of them is written.
 *
 * Refused transactions of a process run again one at a time. All at once, they would refuse each other again: 40
 * writers that change one account needed five attempts each, and 140 of them not all within the time. One that is
 * refused again then runs while no other transaction of any process does. Otherwise a long one, such as the end of a
 * publish of many pages, would lose against short ones again and again.
 *
 * A transaction of a request is given up with the waits of the request, and never commits after that.
 *
 * With `alone`, a lock makes them run one after the other, and rows that others change are waited for.
 */
export function postgresTransactions(db: Knex): Transact {
  const waitForTurn = createTurns()
  return async (work, timeoutMs = WRITE_DEADLINE_MS, options = {}) => {
    const requestMs = leftToWait()
    const giveUp = createGiveUp(requestMs, timeoutMs)
    return giveUp.orEnd(run(work, Math.min(timeoutMs, requestMs), timeoutMs, options, giveUp))
  }

  async function run<Result>(
    work: (trx: Knex.Transaction) => Promise<Result>,
    withinMs: number,
    timeoutMs: number,
    options: TransactOptions,
    giveUp: GiveUp,
  ): Promise<Result> {
    const deadline = performance.now() + withinMs
    let endTurn = () => {}
    let refusals = 0
    let lastCollision: string | null = null
    try {
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
        const attempt = createAttempt(work, giveUp)
        try {
          return await db.transaction((trx) => attempt.run(trx, options, refusals + 1 >= ALONE_FROM), {
            isolationLevel: options.alone === undefined ? 'serializable' : 'read committed',
          })
        } catch (error) {
          if (isLost(error) && attempt.ended !== null && (await isCommitted(db, attempt.id, deadline)))
            return attempt.ended.result
          // Another transaction may have taken what this one saw free: the next attempt sees it, and takes something else.
          const collision = collisionOf(error)
          const collides = collision !== null && collision !== lastCollision
          if (!collides && !isConflict(error) && !isLost(error)) throw error
          giveUp.refusedBy(error)
          lastCollision = collision
          if (isConflict(error)) refusals += 1
          if (isConflict(error) && refusals === 1) {
            endTurn = await waitForTurn()
          } else {
            // A random pause keeps two processes from refusing each other again.
            await sleep(pause * (0.5 + Math.random()))
          }
          if (performance.now() > deadline) throw collides ? error : gaveUp(timeoutMs, error)
        }
      }
    } finally {
      endTurn()
    }
  }
}

/** The end of a transaction with the waits of its request. */
interface GiveUp {
  leftMs(): number
  /** @throws {UnavailableError} when the request waits no longer. */
  assertWaiting(): void
  /** Why the last attempt failed, which is the reason when no other one succeeds. */
  refusedBy(error: unknown): void
  /** From here on the transaction may be committed, so that its end is awaited. */
  committing(): void
  /** The result of the transaction, or an error as soon as the request waits no longer. */
  orEnd<Result>(transaction: Promise<Result>): Promise<Result>
}

function createGiveUp(requestMs: number, timeoutMs: number): GiveUp {
  const endsAt = performance.now() + requestMs
  let isCommitting = false
  let reason: unknown = null
  const leftMs = () => Math.max(1, Math.ceil(endsAt - performance.now()))
  const late = () => (reason === null ? tooBusy(timeoutMs) : gaveUp(timeoutMs, reason))
  return {
    leftMs,
    assertWaiting() {
      if (performance.now() >= endsAt) throw late()
    },
    refusedBy(error) {
      reason = error
    },
    committing() {
      isCommitting = true
    },
    async orEnd(transaction) {
      if (requestMs === Number.POSITIVE_INFINITY) return transaction
      // It is rolled back, and its error is that of the request.
      transaction.catch(() => {})
      const ended = new AbortController()
      const inTime = sleep(requestMs, undefined, { signal: ended.signal }).then(
        () => (isCommitting ? transaction : Promise.reject(late())),
        () => transaction,
      )
      try {
        return await Promise.race([transaction, inTime])
      } finally {
        ended.abort()
        inTime.catch(() => {})
      }
    },
  }
}

/** @returns a function that waits for its turn, in the order of calls, and returns a function to end it. */
function createTurns(): () => Promise<() => void> {
  let last = Promise.resolve()
  return async () => {
    const previous = last
    let end = () => {}
    last = new Promise((resolve) => {
      end = resolve
    })
    await previous
    return end
  }
}

interface Attempt<Result> {
  /** The id of the transaction, once it has one. */
  readonly id: string | null
  /** The result of the work; only the commit is left then. Null before. */
  readonly ended: { readonly result: Result } | null
  run(trx: Knex.Transaction, options: TransactOptions, isAlone: boolean): Promise<Result>
}

function createAttempt<Result>(
  work: (trx: Knex.Transaction) => Promise<Result>,
  giveUp: GiveUp,
): Attempt<Result> {
  let id: string | null = null
  let ended: Attempt<Result>['ended'] = null
  return {
    get id() {
      return id
    },
    get ended() {
      return ended
    },
    async run(trx, { alone }, isAlone) {
      // It may have waited for its connection for long.
      giveUp.assertWaiting()
      // One answer for each statement.
      const answers: readonly { readonly rows: readonly { readonly id: string }[] }[] = await trx.raw(
        opening(isAlone, giveUp.leftMs()),
      )
      id = answers.at(-1)?.rows[0]?.id ?? null
      if (alone !== undefined) await trx.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [alone])
      const result = await work(trx)
      giveUp.assertWaiting()
      giveUp.committing()
      ended = { result }
      return result
    },
  }
}

/**
 * Reports whether a transaction was committed although its commit got no answer.
 *
 * @throws {UnavailableError} when the server does not say so before the deadline.
 */
async function isCommitted(db: Knex, id: string | null, deadline: number): Promise<boolean> {
  for (;;) {
    try {
      const [row] = rowsOf<{ readonly fate: string | null }>(
        await db.raw('SELECT pg_xact_status(?::xid8) AS fate', [id]),
      )
      if (row?.fate === 'committed') return true
      if (row?.fate === 'aborted') return false
    } catch (error) {
      if (!isLost(error)) throw error
    }
    if (performance.now() + FATE_PAUSE_MS > deadline)
      throw unavailable(
        'The database was lost while it stored the change. It is unknown whether it did; look before you try again.',
        null,
      )
    await sleep(FATE_PAUSE_MS)
  }
}

/**
 * Returns the values that a unique index refused, also for the error of a repository with this violation as its cause;
 * null for other errors.
 */
function collisionOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (!isUniqueViolation(error)) return collisionOf(error.cause)
  return 'detail' in error ? String(error.detail) : error.message
}

function gaveUp(timeoutMs: number, cause: unknown) {
  const why = isReadOnly(cause)
    ? 'it takes no writes now'
    : isLost(cause)
      ? 'it cannot be reached'
      : 'other writes changed the same rows'
  return notTaken(timeoutMs, why, cause)
}

function tooBusy(timeoutMs: number) {
  return notTaken(timeoutMs, 'other work holds its tables or connections', null)
}

function notTaken(timeoutMs: number, why: string, cause: unknown) {
  return unavailable(
    `The database could not take the change within ${timeoutMs / 1000} s, because ${why}. Nothing was changed; try again.`,
    cause,
  )
}
