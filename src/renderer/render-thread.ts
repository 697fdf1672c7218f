import { Worker } from 'node:worker_threads'
import { messageOf } from '../domain/errors.ts'
import type { Settings } from '../domain/settings.ts'
import type { ThemeFolders } from '../theme/list-themes.ts'
import {
  outcomeOf,
  type RenderReply,
  type ThreadCall,
  type ThreadMessage,
  type ThreadRequest,
} from './protocol.ts'

export interface ThreadOptions {
  /** The compiled `thread.js`. */
  readonly entry: string
  readonly folders: ThemeFolders
  /** What it must have loaded too: the digest of each theme by name. */
  readonly digests: ReadonlyMap<string, string>
  /** As in `createSpool`; null hands over all that is rendered. */
  readonly spool?: string | null
}

/** A thread that renders pages in the order in which it is asked for them. */
export interface RenderThread {
  /** Resolves when it can be asked. @throws {Error} when it cannot be started, or has found other themes. */
  readonly ready: Promise<void>
  /** How much of what it was asked it has not answered. */
  unanswered(): number
  /**
   * @returns for each call what the called method returned.
   * @throws {ServiceError} what the method refused.
   * @throws {Error} when the thread has ended over it.
   */
  ask(calls: readonly ThreadCall[]): readonly Promise<unknown>[]
  /** Resolves when it is gone; what it was asked is refused. */
  end(): Promise<void>
}

interface Waiter {
  resolve(reply: RenderReply): void
  reject(error: Error): void
}

/** By itself V8 takes four times as much for what is new, of which hardly anything outlives the page it is made for. */
const YOUNG_MB = 12

export function startRenderThread({ entry, folders, digests, spool = null }: ThreadOptions): RenderThread {
  const { themes, templates, own = [] } = folders
  const worker = new Worker(entry, {
    workerData: { folders: { themes: String(themes), templates: String(templates), own }, spool },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })
  let waiting: Waiter[] = []
  let ended: Error | null = null
  let told: Settings | null = null
  worker.on('message', (replies: readonly RenderReply[]) => {
    for (const reply of replies) waiting.shift()?.resolve(reply)
  })
  worker.on('error', (error) => giveUp(messageOf(error)))
  worker.on('exit', (code) => giveUp(`code ${code}`))

  return {
    ready: receive().then((first) => assertSameThemes(first, digests)),
    unanswered: () => waiting.length,
    ask(calls) {
      try {
        worker.postMessage(calls.map(requestOf) satisfies ThreadMessage)
      } catch (error) {
        return calls.map(() => Promise.reject(error))
      }
      return calls.map(async () => outcomeOf(await receive()))
    },
    async end() {
      await worker.terminate()
    },
  }

  function requestOf({ call, live: { settings, ...live } }: ThreadCall): ThreadRequest {
    const request = { call, live, settings: settings === told ? null : settings }
    told = settings
    return request
  }

  function receive(): Promise<RenderReply> {
    return new Promise((resolve, reject) => {
      if (ended !== null) reject(ended)
      else waiting.push({ resolve, reject })
    })
  }

  /** The first reason is the true one: whatever ends a thread, `exit` follows. */
  function giveUp(why: string): void {
    ended ??= new Error(`A thread that renders pages ended (${why}); nothing was written.`)
    for (const { reject } of waiting) reject(ended)
    waiting = []
  }
}

/** @throws {Error} when a theme was changed on disk since the build began. */
function assertSameThemes(first: RenderReply, digests: ReadonlyMap<string, string>): void {
  const loaded = new Map('ready' in first ? first.ready : [])
  for (const [name, digest] of digests) {
    if (loaded.get(name) !== digest)
      throw new Error(`The theme ${name} was changed while the site was built; build again.`)
  }
}
