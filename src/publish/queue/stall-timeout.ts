import { setMaxListeners } from 'node:events'
import type { CancelTimer, Timers } from '../../domain/timers.ts'
import type { CallOptions, Storage, StoredObject } from '../../storage/storage.ts'
import { watchedBody } from '../../storage/streamed-body.ts'

/** Longest time without a completed call or a chunk of a streamed body. Longer than all attempts of one call together. */
const STALL_TIMEOUT_MS = 60_000

/**
 * Wraps a storage so that the controller aborts its calls. It also aborts the controller when calls are pending
 * and nothing moves for a minute; work without a deadline would otherwise never end.
 *
 * @param onMove called when a call has succeeded, and when one has taken more of a streamed body than before.
 */
export function withStallTimeout(
  storage: Storage,
  controller: AbortController,
  timers: Timers,
  onMove: () => void = () => {},
): Storage {
  const { signal } = controller
  // Each pending call listens to it: Node warns of a leak above ten.
  setMaxListeners(0, signal)
  let pending = 0
  let cancelTimeout: CancelTimer = () => {}

  return {
    put: (object) => tracked((options) => storage.put(watched(object), options)),
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
      const result = await call({ signal })
      onMove()
      return result
    } finally {
      pending -= 1
      restartTimeout()
    }
  }

  function watched({ key, body }: StoredObject): StoredObject {
    if (!('open' in body)) return { key, body }
    let most = 0
    // A store that stops half-way takes the first half again with each attempt.
    const onChunk = (taken: number) => {
      if (taken > most) onMove()
      most = Math.max(most, taken)
      restartTimeout()
    }
    return { key, body: watchedBody(body, onChunk) }
  }

  function restartTimeout(): void {
    cancelTimeout()
    if (pending > 0) cancelTimeout = timers.after(STALL_TIMEOUT_MS, abort)
  }

  function abort(): void {
    controller.abort(
      new Error(`The store took nothing and completed no call within ${STALL_TIMEOUT_MS / 1000} s.`),
    )
  }
}
