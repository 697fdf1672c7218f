import { UnavailableError } from '../domain/errors.ts'

/* Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */

/** The connection, or the server, is lost. Nothing of an open transaction is written. */
const LOST_CODES: readonly unknown[] = [
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
  ],
  // Shut down or started again, too many connections, and a transaction that was idle for too long.
  ...['57P01', '57P02', '57P03', '53300', '25P03'],
]
/** `connection_exception` and its relatives. */
const LOST_CLASS = /^08/
/** Messages of errors to which the driver gives no code. */
const LOST_MESSAGES =
  /Connection terminated|not queryable|timeout exceeded when trying to connect|Query read timeout/

/** Could not be ordered, waited for each other, or waited too long for a lock. */
const CONFLICT_CODES: readonly unknown[] = ['40001', '40P01', '55P03']

/** `statement_timeout` ended it. */
const SLOW = '57014'
/** No connection of the pool became free. */
const POOL_IS_BUSY = 'KnexTimeoutError'

/** The session, or its transaction, may only read. */
const READ_ONLY = '25006'
/** A copy of another server refuses the transactions of Quoin like this. */
const IS_STANDBY = /hot standby|during recovery/

const RETRY_AFTER_S = 5

export function isLost(error: unknown): boolean {
  const { code, message } = detailsOf(error)
  return (
    LOST_CODES.includes(code) ||
    LOST_CLASS.test(String(code)) ||
    LOST_MESSAGES.test(message) ||
    isReadOnly(error)
  )
}

/**
 * Reports whether the server takes no writes in this session: it has become the copy of another one, or has no room.
 * Another session may be one that writes, so this one is as good as lost.
 */
export function isReadOnly(error: unknown): boolean {
  const { code, message } = detailsOf(error)
  return code === READ_ONLY || IS_STANDBY.test(message)
}

export function isConflict(error: unknown): boolean {
  return CONFLICT_CODES.includes(detailsOf(error).code)
}

/** The error of a query as callers get it: what passes by itself asks for another try. */
export function withRetryAfter(error: unknown): unknown {
  const { code, name } = detailsOf(error)
  const message = isReadOnly(error)
    ? 'The database takes no writes now. Try again.'
    : isLost(error)
      ? 'The database cannot be reached. Try again.'
      : code === SLOW || code === '55P03' || name === POOL_IS_BUSY
        ? 'The database is too busy. Try again.'
        : null
  return message === null ? error : unavailable(message, error)
}

export function unavailable(message: string, cause: unknown): UnavailableError {
  return Object.assign(new UnavailableError(message, RETRY_AFTER_S), { cause })
}

/** The error of the server or of the driver, also of one that `withRetryAfter` or a repository translated. */
function detailsOf(error: unknown): {
  readonly code: unknown
  readonly message: string
  readonly name: string
} {
  if (!(error instanceof Error)) return { code: undefined, message: '', name: '' }
  if (error.cause instanceof Error) return detailsOf(error.cause)
  return { code: 'code' in error ? error.code : undefined, message: error.message, name: error.name }
}
