import { setFlagsFromString } from 'node:v8'

/* What V8 is asked for by a command that ends when a site is built. It counts for all threads. */

/** In memory, as a first build of a large site is to be. */
export const SPARING = [
  // In bytes of code that was run: V8 optimizes a function after so many, in threads beside those that build and at
  // their cost. By its own measure, which is less than half, much of that is hardly run any more before the site is
  // there.
  '--interrupt-budget=300000',
  // Percent of what lives that may be garbage beside it. By itself V8 looks for some when a small heap has grown to
  // four times what lived; by then that memory has cost as much time to be had as it takes to look.
  '--heap-growing-percent=25',
  // Room for what is new stays as it is by now: twice as much, which V8 would take soon, saves no time.
  '--semi-space-growth-factor=1',
] as const

/** As V8 is by itself: a build of few edits reads what lives, and has ended before much of it is garbage. */
export const HASTY = ['--heap-growing-percent=0', '--semi-space-growth-factor=2'] as const

export function askV8(flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag)
}
