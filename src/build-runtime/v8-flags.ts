import { setFlagsFromString } from 'node:v8'

/**
 * Percent of what lives that may be garbage beside it. By itself V8 looks for some when a small heap has grown to four
 * times what lived; by then that memory has cost as much time to be had as it takes to look.
 */
const GARBAGE = 50
const LITTLE_GARBAGE = 25

/**
 * What V8 is asked for, before anything is compiled: code that was kept is of use under the same flags only. All of
 * it is about a command that ends when a site is built.
 */
const FLAGS = [
  // In bytes of code that was run: V8 optimizes a function after so many, in threads beside those that build and at
  // their cost. By its own measure, which is less than half, much of that is hardly run any more before the site is
  // there.
  '--interrupt-budget=600000',
  `--heap-growing-percent=${GARBAGE}`,
  // By itself V8 has threads beside look for what lives, a few milliseconds' work at a time: on two processors, both at
  // work anyway, that costs more than it saves.
  '--no-parallel-scavenge',
  // Room for what is new stays as it is by now: twice as much, which V8 would take soon, saves no time.
  '--semi-space-growth-factor=1',
] as const

/** To be called before much is read: V8 takes more room for it else, and keeps that. */
export function setFlags(): void {
  for (const flag of FLAGS) setFlagsFromString(flag)
}

/** From then on less garbage may lie about. All threads must have loaded their code: one that does sets flags anew. */
export function spareMemory(): void {
  setFlagsFromString(`--heap-growing-percent=${LITTLE_GARBAGE}`)
}
