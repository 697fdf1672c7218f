import { performance } from 'node:perf_hooks'
import { setImmediate as pause } from 'node:timers/promises'
import type { Artifact } from '../domain/artifact.ts'
import type { LivePage } from '../domain/live-page.ts'
import type { FeedEntry } from '../domain/site-lines.ts'
import type { ThemeFolders } from '../theme/list-themes.ts'
import type { Theme } from '../theme/theme.ts'
import { createInProcessRenderer } from './in-process.ts'
import type { ThreadCall } from './protocol.ts'
import { type RenderThread, startRenderThread } from './render-thread.ts'
import type { TimedPage, TimingRenderer } from './renderer.ts'
import { createSpool, type Spooled, withBody } from './spool.ts'
import { createThemeFiles } from './theme-files.ts'

export interface CrewOptions {
  readonly themes: ReadonlyMap<string, Theme>
  /** Where these lie. */
  readonly folders: ThemeFolders
  /** The compiled `thread.js`. */
  readonly entry: string
  /** Threads that render at the most, this one among them. */
  readonly size: number
  /** Pages that may wait before others are called to help: each has to load all that renders first. */
  readonly patience?: number
  /** Pages that will be asked for, as far as is known; where they are many, others load meanwhile. */
  readonly expected?: number
  /** Folder in which pages lie until they are deployed, where they are many; null leaves them in memory. */
  readonly spool?: string | null
}

const PATIENCE = 100

/** One that it renders and one that it begins with at once, while this thread is busy itself. */
const MOST_UNANSWERED = 2

/** What is rendered of a page, its files told without their bodies where those are spooled. */
interface ThreadPage extends Omit<TimedPage, 'artifacts'> {
  readonly artifacts: readonly (Artifact | Spooled)[]
}

interface Job {
  readonly call: ThreadCall
  readonly live: LivePage
  resolve(value: unknown): void
  reject(error: unknown): void
}

/**
 * Renders pages in this thread, and where many wait in others beside it, which end when nothing waits any
 * more. For an owner's own pages: nothing is limited but by what the pages themselves are refused for.
 *
 * What a site's indexes need is rendered here.
 */
export function createRenderCrew(options: CrewOptions): TimingRenderer {
  const { themes, folders, entry, size, patience = PATIENCE, expected = 0, spool = null } = options
  const digests = new Map([...themes].map(([name, { digest }]) => [name, digest]))
  const files = createThemeFiles(themes)
  const here = createInProcessRenderer(themes)
  const spooled = spool === null ? null : createSpool(spool)
  const threads = new Set<RenderThread>()
  const isReady = new WeakSet<RenderThread>()
  /** By their keys, which name their bytes. */
  const assets = new Map<string, Artifact>()
  let waiting: Job[] = []
  let isAtWork = false
  /** Until then those that have loaded wait. */
  let hasBegun = false
  /** Why one that was called could not come. */
  let missing: Error | null = null
  if (expected > patience) callAll()

  return {
    ...here,
    async renderPage(live) {
      const page = (await ask('renderPage', live)) as ThreadPage
      return {
        ...page,
        artifacts: page.artifacts.map((artifact) => shared(files.restored(withBody(artifact)))),
      }
    },
    feedEntry: async (live) =>
      live.page.type === 'article' ? ((await ask('feedEntry', live)) as FeedEntry | null) : null,
    async close() {
      refuse(new Error('The renderer was closed.'))
      await Promise.all([...threads].map(dismiss))
    },
  }

  /** What many pages bring along is kept once. */
  function shared(artifact: Artifact): Artifact {
    if (artifact.stage !== 'asset') return artifact
    const first = assets.get(artifact.key) ?? artifact
    assets.set(artifact.key, first)
    return first
  }

  function ask(call: ThreadCall, live: LivePage): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (missing !== null) return reject(missing)
      waiting.push({ call, live, resolve, reject })
      hasBegun = true
      if (!isAtWork) void work()
    })
  }

  /** Until nothing waits. Between two pages others are heard: those who ask, and the other threads. */
  async function work(): Promise<void> {
    isAtWork = true
    await pause()
    threads.forEach(employ)
    for (;;) {
      if (waiting.length > patience) callAll()
      const job = waiting.shift()
      if (job === undefined) break
      await renderHere(job).then(job.resolve, job.reject)
      await pause()
    }
    isAtWork = false
  }

  async function renderHere({ call, live }: Job): Promise<unknown> {
    if (call === 'feedEntry') return here.feedEntry(live)
    const began = performance.now()
    const rendered = await here.renderPage(live)
    const ms = performance.now() - began
    const { artifacts: made, ...said } = rendered
    // Few pages are not worth their files.
    const artifacts = spooled === null || threads.size === 0 ? made : made.map(spooled)
    // As if it came from another thread: none of its texts is a part of the whole document then, which
    // would stay in memory with it.
    return { ...structuredClone(said), artifacts, ms }
  }

  function callAll(): void {
    while (threads.size < size - 1) call()
  }

  function call(): void {
    const thread = startRenderThread({ entry, folders, digests, spool })
    threads.add(thread)
    thread.ready.then(() => {
      isReady.add(thread)
      employ(thread)
    }, giveUp)
  }

  function employ(thread: RenderThread): void {
    if (!hasBegun || !isReady.has(thread)) return
    while (thread.unanswered() < MOST_UNANSWERED) {
      const job = waiting.shift()
      if (job === undefined) break
      void thread
        .ask(job.call, job.live)
        .then(job.resolve, job.reject)
        .then(() => employ(thread))
    }
    if (thread.unanswered() === 0) void dismiss(thread)
  }

  async function dismiss(thread: RenderThread): Promise<void> {
    if (threads.delete(thread)) await thread.end()
  }

  function giveUp(error: Error): void {
    missing = error
    refuse(error)
  }

  function refuse(error: Error): void {
    for (const { reject } of waiting) reject(error)
    waiting = []
  }
}
