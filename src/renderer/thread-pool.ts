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
import { createSpool, SPOOLED_AT_ONCE, type Spooled, spooledPage, withBody } from './spilled-artifacts.ts'
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

/** Pages that a thread has been asked for: one that it renders, and one that it begins with at once. */
const LEAST_ASKED = 2
/** More where they are spooled: those that are written together, and some to go on with meanwhile. */
const MOST_ASKED = SPOOLED_AT_ONCE + LEAST_ASKED

/** What is rendered of a page, its files told without their bodies where those are spooled. */
interface ThreadPage extends Omit<TimedPage, 'artifacts'> {
  readonly artifacts: readonly (Artifact | Spooled)[]
}

/** A page that was rendered here, and who waits for it. */
interface Made {
  readonly job: Job
  readonly page: TimedPage
}

interface Job extends ThreadCall {
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
        artifacts: page.artifacts.map((artifact) => shared(files.restored(withBody(artifact, spool ?? '')))),
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

  function ask(call: ThreadCall['call'], live: LivePage): Promise<unknown> {
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
    let made: Made[] = []
    for (;;) {
      if (waiting.length > patience) callAll()
      const job = waiting.shift()
      if (job !== undefined) await renderHere(job, made)
      // Few pages are not worth their files.
      const spool = threads.size > 0 ? spooled : null
      if (job === undefined || spool === null || made.length === SPOOLED_AT_ONCE) {
        for (const one of made) answer(one, spool)
        made = []
      }
      if (job === undefined) break
      await pause()
    }
    isAtWork = false
  }

  /** @param made where the page goes. */
  async function renderHere(job: Job, made: Made[]): Promise<void> {
    const { call, live, resolve, reject } = job
    try {
      if (call === 'feedEntry') return resolve(await here.feedEntry(live))
      const began = performance.now()
      const { artifacts, ...said } = await here.renderPage(live)
      const ms = performance.now() - began
      // As if it came from another thread: none of its texts is a part of the whole document then, which
      // would stay in memory with it.
      made.push({ job, page: Object.assign(structuredClone(said), { artifacts, ms }) })
    } catch (error) {
      reject(error)
    }
  }

  function answer({ job, page }: Made, spool: typeof spooled): void {
    try {
      job.resolve(spool === null ? page : spooledPage(page, spool))
    } catch (error) {
      job.reject(error)
    }
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
    // As many as all have to do in the end, so that none waits for another.
    const share = spooled === null ? 0 : Math.ceil(waiting.length / (2 * size))
    const most = Math.min(Math.max(share, LEAST_ASKED), MOST_ASKED)
    const jobs = waiting.splice(0, Math.max(0, most - thread.unanswered()))
    if (jobs.length > 0) askOf(thread, jobs)
    if (thread.unanswered() === 0) void dismiss(thread)
  }

  function askOf(thread: RenderThread, jobs: readonly Job[]): void {
    const answers = thread.ask(jobs)
    for (const [place, { resolve, reject }] of jobs.entries()) {
      void answers[place]?.then(resolve, reject).then(() => employ(thread))
    }
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
