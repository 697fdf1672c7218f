import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Percent of what lives on a heap that may be garbage beside it. By itself V8 looks for some when a small heap has
 * grown to four times what lived; by then that memory has cost as much time to be had as it takes to look.
 */
const MOST_GARBAGE = 25

/**
 * From here on V8 looks for garbage early, in every thread that has looked for some since.
 *
 * Not to be called before all threads have loaded what they need: code that was kept is of use under the flags of
 * a command only.
 */
export function wantLittleGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${MOST_GARBAGE}`)
  setFlagsFromString('--expose-gc')
}

/**
 * Has this thread look for garbage now, which takes a hundredth of a second and more.
 *
 * @returns false where little garbage is not wanted so far.
 */
export function collectGarbage(): boolean {
  const collect: unknown = runInNewContext('globalThis.gc')
  if (typeof collect !== 'function') return false
  collect()
  return true
}
