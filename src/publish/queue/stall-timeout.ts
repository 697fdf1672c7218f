import type { CallOff, Timers } from '../../domain/timers.ts'
import type { CallOptions, Storage } from '../../storage/storage.ts'

/** How long a store may leave calls under way without ending one: longer than all attempts of one take. */
const STILL_MS = 60_000

/**
 * A store whose calls are aborted by the controller, and which the controller is aborted for when it
 * ends none of the calls under way for a minute: work that nobody waits for has no end otherwise.
 */
export function withStallTimeout(storage: Storage, controller: AbortController, timers: Timers): Storage {
  const { signal } = controller
  let underWay = 0
  let callOff: CallOff = () => {}

  return {
    put: (object) => watched((options) => storage.put(object, options)),
    get: (key) => watched((options) => storage.get(key, options)),
    open: (key) => watched((options) => storage.open(key, options)),
    delete: (keys) => watched((options) => storage.delete(keys, options)),
    list: (prefix) => watched((options) => storage.list(prefix, options)),
    check: () => watched((options) => storage.check(options)),
  }

  async function watched<T>(call: (options: CallOptions) => Promise<T>): Promise<T> {
    underWay += 1
    if (underWay === 1) wait()
    try {
      return await call({ signal })
    } finally {
      underWay -= 1
      wait()
    }
  }

  function wait(): void {
    callOff()
    if (underWay > 0) callOff = timers.after(STILL_MS, giveUp)
  }

  function giveUp(): void {
    controller.abort(new Error(`The store has ended no call for ${STILL_MS / 1000} s.`))
  }
}
