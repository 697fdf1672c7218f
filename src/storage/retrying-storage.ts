import pLimit from 'p-limit'
import type { Timers } from '../domain/timers.ts'
import { bodySize, type CallOptions, type Storage, StorageError, type StoredObject } from './storage.ts'
import { watchedBody } from './streamed-body.ts'

/** Time limit of one attempt. A large body gets more; a streamed one as much again with each chunk that is taken. */
const ATTEMPT_MS = 3_000
const LIST_MS = 10_000
const CHECK_MS = 5_000
/** Added per megabyte of a body. */
const MEGABYTE_MS = 1_000
/** Megabytes of a streamed body that may be in transit when its last chunk has been taken. */
const STREAMED_MEGABYTES = 4
/** Deletes of more keys get the time of several attempts. */
const KEYS_PER_ATTEMPT = 1_000
const WRITE_ATTEMPTS = 6
/** Fewer, because a visitor waits for the result. */
const READ_ATTEMPTS = 3
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 2_000
const CONCURRENT_WRITES = 32

export interface RetryPorts {
  readonly timers: Timers
  /** From 0 to less than 1. */
  readonly random: () => number
}

/**
 * Adds retries to a store on the network. Each attempt has a time limit. After a transient error the call is
 * repeated with exponential backoff and full jitter. It fails when its attempts are used up, after an error that is
 * not transient, and immediately when the caller's signal is aborted. `check` is not repeated.
 *
 * Retries are safe because every write of the port is idempotent. An attempt that was given up may arrive later all the
 * same: `onGivenUp` says so.
 */
export function createRetryingStorage(storage: Storage, { timers, random }: RetryPorts): Storage {
  const slot = pLimit(CONCURRENT_WRITES)

  return {
    put: (object, options) =>
      slot(() =>
        repeat(
          `put ${object.key}`,
          { ms: ATTEMPT_MS + megabytesUnderWay(object.body) * MEGABYTE_MS, attempts: WRITE_ATTEMPTS },
          options,
          (attempt, onMove) => storage.put(moving(object, onMove), attempt),
        ),
      ),
    get: (key, options) => repeat(`get ${key}`, READ, options, (attempt) => storage.get(key, attempt)),
    open: (key, options) => repeat(`open ${key}`, READ, options, (attempt) => storage.open(key, attempt)),
    headers: (key, options) =>
      repeat(`read the headers of ${key}`, READ, options, (attempt) => storage.headers(key, attempt)),
    delete: (keys, options) =>
      slot(() =>
        repeat(
          `delete ${keys.length} objects`,
          { ms: ATTEMPT_MS * Math.ceil(keys.length / KEYS_PER_ATTEMPT), attempts: WRITE_ATTEMPTS },
          options,
          (attempt) => storage.delete(keys, attempt),
        ),
      ),
    list: (prefix, options) =>
      repeat(`list ${prefix}`, LIST, options, (attempt) => storage.list(prefix, attempt)),
    check: (options) => repeat('check', CHECK, options, (attempt) => storage.check(attempt)),
  }

  async function repeat<T>(
    operation: string,
    { ms, attempts }: RetryPolicy,
    { signal, onGivenUp }: CallOptions = {},
    call: Attempt<T>,
  ): Promise<T> {
    for (let failures = 0; ; ) {
      signal?.throwIfAborted()
      try {
        return await withTimeLimit(operation, ms, signal, call)
      } catch (error) {
        failures += 1
        if (signal?.aborted || isTransient(error)) onGivenUp?.()
        signal?.throwIfAborted()
        if (!isTransient(error) || failures >= attempts) throw error
      }
      await timers.sleep(random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures), signal)
    }
  }

  /** Makes one attempt. Rejects after the time limit even if the adapter ignores the signal. */
  async function withTimeLimit<T>(
    operation: string,
    ms: number,
    signal: AbortSignal | undefined,
    call: Attempt<T>,
  ): Promise<T> {
    const attempt = new AbortController()
    const forward = () => attempt.abort(signal?.reason)
    signal?.addEventListener('abort', forward)
    let hasEnded = false
    const expire = () =>
      attempt.abort(
        new StorageError(`The store did not answer "${operation}" within ${Math.round(ms)} ms.`, {
          transient: true,
        }),
      )
    let cancelTimer = timers.after(ms, expire)
    const onMove = () => {
      cancelTimer()
      if (!hasEnded) cancelTimer = timers.after(ms, expire)
    }
    const aborted = new Promise<never>((_, reject) => {
      attempt.signal.addEventListener('abort', () => reject(attempt.signal.reason))
    })
    try {
      return await Promise.race([call({ signal: attempt.signal }, onMove), aborted])
    } finally {
      hasEnded = true
      cancelTimer()
      signal?.removeEventListener('abort', forward)
    }
  }
}

/** @param onMove restarts the time limit. */
type Attempt<T> = (attempt: CallOptions, onMove: () => void) => Promise<T>

function megabytesUnderWay(body: StoredObject['body']): number {
  const megabytes = bodySize(body) / 1e6
  return 'open' in body ? Math.min(megabytes, STREAMED_MEGABYTES) : megabytes
}

function moving({ key, body }: StoredObject, onMove: () => void): StoredObject {
  return { key, body: 'open' in body ? watchedBody(body, onMove) : body }
}

interface RetryPolicy {
  readonly ms: number
  readonly attempts: number
}

const READ: RetryPolicy = { ms: ATTEMPT_MS, attempts: READ_ATTEMPTS }
const LIST: RetryPolicy = { ms: LIST_MS, attempts: READ_ATTEMPTS }
const CHECK: RetryPolicy = { ms: CHECK_MS, attempts: 1 }

function isTransient(error: unknown): boolean {
  return error instanceof StorageError && error.transient
}
