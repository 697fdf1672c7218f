import { Worker } from 'node:worker_threads'
import type { Inputs, Look, Sight } from './last-look.ts'

/** What the thread tells, in few pieces: each takes its time to be told. */
export interface ToldSight {
  readonly look: ToldLook | null
  readonly isOutAsLeft: boolean
}

interface ToldLook extends Pick<Look, 'request'> {
  /** With a NUL after each but the last: none has one in it. */
  readonly paths: string
  readonly stamps: Float64Array
}

/** What it sees; what the last build kept, this thread reads meanwhile. */
type SightBeside = Omit<Sight, 'last'>

/** What the thread is started with. */
export interface Looked {
  readonly inputs: Inputs
  /** In milliseconds since 1970. */
  readonly now: number
}

/** By itself V8 takes eight times as much for what is new, and the system as long again to hand it out. */
const YOUNG_MB = 6

/**
 * The sight of a site in a thread of its own, while this one makes ready to build: a large one takes as long.
 *
 * @param entry the compiled `look-thread.js`.
 * @returns null where the thread could not look.
 */
export function sightBeside(looked: Looked, entry: string): Promise<SightBeside | null> {
  return new Promise((resolve) => {
    try {
      const thread = new Worker(entry, {
        workerData: looked,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      })
      thread.on('message', (told: ToldSight) => resolve(sightIn(told)))
      thread.on('error', () => resolve(null))
      thread.on('exit', () => resolve(null))
    } catch {
      // Not every process may start one.
      resolve(null)
    }
  })
}

function sightIn({ look, isOutAsLeft }: ToldSight): SightBeside {
  return { look: look && lookIn(look), isOutAsLeft: () => isOutAsLeft }
}

function lookIn({ request, paths, stamps }: ToldLook): Look {
  return { request, files: { paths: paths === '' ? [] : paths.split('\0'), stamps } }
}

export function toldLook({ request, files }: Look): ToldLook {
  return { request, paths: files.paths.join('\0'), stamps: Float64Array.from(files.stamps) }
}
