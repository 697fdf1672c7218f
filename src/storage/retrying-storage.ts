import pLimit from 'p-limit'
import type { Timers } from '../domain/timers.ts'
import { type CallOptions, type Storage, StorageError } from './storage.ts'

/** How long one attempt may take; a large body gets more. */
const ATTEMPT_MS = 3_000
const LIST_MS = 10_000
const CHECK_MS = 5_000
/** What each megabyte of a body adds to that. */
const MEGABYTE_MS = 1_000
/** So many keys are deleted in the time of one attempt. */
const KEYS_AN_ATTEMPT = 1_000
const WRITE_ATTEMPTS = 6
/** A visitor waits for these. */
const READ_ATTEMPTS = 3
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000
/** Writes under way at once. */
const WRITES = 32

export interface RetryPorts {
  readonly timers: Timers
  /** From 0 to less than 1. */
  readonly random: () => number
}

/**
 * A store over a network, made dependable: each attempt has its own time limit, and what may succeed
 * later is tried again after a pause of random length (full jitter), which grows with each attempt.
 * A call ends for good when its attempts are used up, on an error that is not transient, and at once
 * when the caller's signal is aborted. `check` is never repeated.
 *
 * Safe because every write of the port may be repeated: a put whose answer was lost is put again.
 */
export function createRetryingStorage(storage: Storage, { timers, random }: RetryPorts): Storage {
  const slot = pLimit(WRITES)

  return {
    put: (object, options) =>
      slot(() =>
        repeat(
          `put ${object.key}`,
          { ms: ATTEMPT_MS + (object.body.length / 1e6) * MEGABYTE_MS, attempts: WRITE_ATTEMPTS },
          options,
          (attempt) => storage.put(object, attempt),
        ),
      ),
    get: (key, options) => repeat(`get ${key}`, READ, options, (attempt) => storage.get(key, attempt)),
    open: (key, options) => repeat(`open ${key}`, READ, options, (attempt) => storage.open(key, attempt)),
    delete: (keys, options) =>
      slot(() =>
        repeat(
          `delete ${keys.length} objects`,
          { ms: ATTEMPT_MS * Math.ceil(keys.length / KEYS_AN_ATTEMPT), attempts: WRITE_ATTEMPTS },
          options,
          (attempt) => storage.delete(keys, attempt),
        ),
      ),
    list: (prefix, options) =>
      repeat(`list ${prefix}`, LIST, options, (attempt) => storage.list(prefix, attempt)),
    check: (options) => repeat('check', CHECK, options, (attempt) => storage.check(attempt)),
  }

  async function repeat<T>(
    what: string,
    { ms, attempts }: RetryPolicy,
    { signal }: CallOptions = {},
    call: (attempt: CallOptions) => Promise<T>,
  ): Promise<T> {
    for (let failures = 0; ; ) {
      signal?.throwIfAborted()
      try {
        return await within(what, ms, signal, call)
      } catch (error) {
        failures += 1
        signal?.throwIfAborted()
        if (!isTransient(error) || failures >= attempts) throw error
      }
      await timers.sleep(random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures), signal)
    }
  }

  /** One attempt; rejects when its time is over even if the adapter does not notice. */
  async function within<T>(
    what: string,
    ms: number,
    signal: AbortSignal | undefined,
    call: (attempt: CallOptions) => Promise<T>,
  ): Promise<T> {
    const attempt = new AbortController()
    const forward = () => attempt.abort(signal?.reason)
    signal?.addEventListener('abort', forward)
    const callOff = timers.after(ms, () =>
      attempt.abort(
        new StorageError(`The store gave no answer to "${what}" within ${Math.round(ms)} ms.`, {
          transient: true,
        }),
      ),
    )
    const over = new Promise<never>((_, reject) => {
      attempt.signal.addEventListener('abort', () => reject(attempt.signal.reason))
    })
    try {
      return await Promise.race([call({ signal: attempt.signal }), over])
    } finally {
      callOff()
      signal?.removeEventListener('abort', forward)
    }
  }
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
