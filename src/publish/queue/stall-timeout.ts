import { setMaxListeners } from 'node:events'
import type { CancelTimer, Timers } from '../../domain/timers.ts'
import type { CallOptions, Storage } from '../../storage/storage.ts'

/** Longest time without a completed call. Longer than all attempts of one call together. */
const STALL_TIMEOUT_MS = 60_000

/**
 * Wraps a storage so that the controller aborts its calls. It also aborts the controller when calls are pending
 * and none completes for a minute; work without a deadline would otherwise never end.
 */
export function withStallTimeout(storage: Storage, controller: AbortController, timers: Timers): Storage {
  const { signal } = controller
  // Each pending call listens to it: Node warns of a leak above ten.
  setMaxListeners(0, signal)
  let pending = 0
  let cancelTimeout: CancelTimer = () => {}

  return {
    put: (object) => tracked((options) => storage.put(object, options)),
    get: (key) => tracked((options) => storage.get(key, options)),
    headers: (key) => tracked((options) => storage.headers(key, options)),
    open: (key) => tracked((options) => storage.open(key, options)),
    delete: (keys) => tracked((options) => storage.delete(keys, options)),
    list: (prefix) => tracked((options) => storage.list(prefix, options)),
    check: () => tracked((options) => storage.check(options)),
  }

  async function tracked<T>(call: (options: CallOptions) => Promise<T>): Promise<T> {
    pending += 1
    if (pending === 1) restartTimeout()
    try {
      return await call({ signal })
    } finally {
      pending -= 1
      restartTimeout()
    }
  }

  function restartTimeout(): void {
    cancelTimeout()
    if (pending > 0) cancelTimeout = timers.after(STALL_TIMEOUT_MS, abort)
  }

  function abort(): void {
    controller.abort(new Error(`The store completed no call within ${STALL_TIMEOUT_MS / 1000} s.`))
  }
}
