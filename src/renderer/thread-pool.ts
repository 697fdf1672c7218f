import { setImmediate as pause } from 'node:timers/promises'
import type { Artifact } from '../domain/artifact.ts'
import type { LivePage } from '../domain/live-page.ts'
import type { ThemeFolders } from '../theme/list-themes.ts'
import type { Theme } from '../theme/theme.ts'
import { createInProcessRenderer } from './in-process.ts'
import { unwrapReply } from './protocol.ts'
import { type RenderThread, startRenderThread, type ThreadReply } from './render-thread.ts'
import type { TimedPage, TimingRenderer } from './renderer.ts'
import { BATCH_SIZE, createSpill, spillPage } from './spilled-artifacts.ts'
import { createThemeFiles } from './theme-files.ts'
import { timedPage } from './timed-page.ts'
import { cachedHighlighting } from './token-cache-file.ts'

export interface ThreadPoolOptions {
  readonly themes: ReadonlyMap<string, Theme>
  /** The folders these themes were loaded from. Each thread loads them itself. */
  readonly folders: ThemeFolders
  /** The compiled `thread.js`. */
  readonly entry: string
  /** Most threads that render, including the calling one. */
  readonly size: number
  /** Threads start when more pages than this wait: each thread has to load the renderer and the themes first. */
  readonly threshold?: number
  /** Pages that will be rendered, if known. Above the threshold the threads start to load at once. */
  readonly expected?: number
  /** Folder for the files of pages, when there are more than the threshold; null keeps them in memory. */
  readonly spillFolder?: string | null
  /** Folder of the token cache; null for none. */
  readonly tokenCache?: string | null
}

const THRESHOLD = 100

interface Job {
  readonly live: LivePage
  resolve(page: TimedPage): void
  reject(error: unknown): void
}

/**
 * Renders pages in this thread and, when many wait, in worker threads as well. Every thread takes the next
 * pages of one queue until it is empty; then the worker threads end. Where a thread cannot start, or ends
 * unexpectedly, this thread renders its pages.
 *
 * For a user's own pages: unlike `createRendererPool` it sets no limits to a page.
 */
export function createThreadPool(options: ThreadPoolOptions): TimingRenderer {
  const { themes, folders, entry, size, threshold = THRESHOLD, expected = 0 } = options
  const { spillFolder = null, tokenCache = null } = options
  const files = createThemeFiles(themes)
  const here = createInProcessRenderer(themes, cachedHighlighting(tokenCache))
  const spill = spillFolder === null ? null : createSpill(spillFolder)
  /** Assets by key, so that an asset of many pages is stored once. */
  const assets = new Map<string, Artifact>()
  const threads = new Set<RenderThread>()
  const queue: Job[] = []
  let start = () => {}
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  let isLarge = false
  let isRenderingHere = false
  let hasFailedThread = false
  /** The reason why nothing is rendered any more. */
  let stopped: Error | null = null
  if (expected > threshold) startThreads()

  return {
    ...here,
    async renderPage(live) {
      const page = await enqueue(live)
      const artifacts = page.artifacts.map((file) => shared(files.restored(file)))
      return { ...page, artifacts }
    },
    async close() {
      stop(new Error('The renderer was closed.'))
      await Promise.all([...threads].map((thread) => thread.end()))
    },
  }

  function enqueue(live: LivePage): Promise<TimedPage> {
    return new Promise((resolve, reject) => {
      if (stopped !== null) return reject(stopped)
      queue.push({ live, resolve, reject })
      start()
      if (!isRenderingHere) void renderHere()
    })
  }

  /** Fewer than `BATCH_SIZE` near the end, so that no thread waits long for another. */
  function nextBatch(): readonly Job[] {
    const share = Math.ceil(queue.length / (2 * size))
    return queue.splice(0, Math.min(share, BATCH_SIZE))
  }

  async function renderHere(): Promise<void> {
    isRenderingHere = true
    // The caller enqueues more pages meanwhile.
    await pause()
    if (queue.length > threshold) startThreads()
    for (let jobs = nextBatch(); jobs.length > 0; jobs = nextBatch()) {
      const rendered: (readonly [Job, TimedPage])[] = []
      for (const job of jobs) {
        try {
          const { artifacts, ...extract } = await timedPage(here, job.live)
          // A copy: a string cut from the document would keep all of the document in memory.
          rendered.push([job, { ...structuredClone(extract), artifacts }])
        } catch (error) {
          job.reject(error)
        }
        // The answers of other threads arrive meanwhile.
        await pause()
      }
      for (const [job, page] of rendered) {
        try {
          job.resolve(isLarge && spill !== null ? spillPage(page, spill) : page)
        } catch (error) {
          job.reject(error)
        }
      }
    }
    isRenderingHere = false
  }

  function startThreads(): void {
    isLarge = true
    while (!hasFailedThread && threads.size < size - 1)
      void runThread(startRenderThread({ entry, folders, spillFolder, tokenCache }))
  }

  async function runThread(thread: RenderThread): Promise<void> {
    threads.add(thread)
    // Two batches at a time: the thread has the next one when it has answered the first.
    await Promise.all([renderIn(thread), renderIn(thread)])
    threads.delete(thread)
    await thread.end()
  }

  async function renderIn(thread: RenderThread): Promise<void> {
    let jobs: readonly Job[] = []
    try {
      assertSameThemes(await thread.themeDigests)
      await started
      for (jobs = nextBatch(); jobs.length > 0; jobs = nextBatch()) {
        const replies = await thread.render(jobs.map(({ live }) => live))
        for (const [index, job] of jobs.entries()) settle(job, replies[index] as ThreadReply)
      }
    } catch (error) {
      hasFailedThread = true
      if (error instanceof ThemeChanged) stop(error)
      for (const { live, resolve, reject } of jobs) enqueue(live).then(resolve, reject)
    }
  }

  function settle({ resolve, reject }: Job, reply: ThreadReply): void {
    try {
      resolve(unwrapReply(reply))
    } catch (error) {
      reject(error)
    }
  }

  /** @throws {ThemeChanged} */
  function assertSameThemes(loaded: ReadonlyMap<string, string>): void {
    for (const [name, { digest }] of themes) if (loaded.get(name) !== digest) throw new ThemeChanged(name)
  }

  function stop(reason: Error): void {
    stopped ??= reason
    for (const { reject } of queue.splice(0)) reject(stopped)
  }

  function shared(artifact: Artifact): Artifact {
    if (artifact.stage !== 'asset') return artifact
    const first = assets.get(artifact.key) ?? artifact
    assets.set(artifact.key, first)
    return first
  }
}

class ThemeChanged extends Error {
  constructor(theme: string) {
    super(`The theme ${theme} changed during the build. Build again.`)
  }
}
