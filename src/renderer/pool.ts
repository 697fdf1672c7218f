import type { Artifact } from '../domain/artifact.ts'
import type { ParseIssue } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import type { ProjectId } from '../domain/ids.ts'
import type { FeedEntry } from '../domain/site-lines.ts'
import type { RenderedPage, RenderedPreview } from '../render/page/render-page.ts'
import { mayContainText } from '../render/site-files/feeds.ts'
import type { Theme } from '../theme/theme.ts'
import { createFairQueue } from './fair-queue.ts'
import { createInProcessRenderer } from './in-process.ts'
import { packMessage } from './message-framing.ts'
import { encodeRequest, type RenderRequest, type RenderResult } from './protocol.ts'
import { type ChildOptions, type RenderChild, type RenderLimits, startRenderChild } from './render-child.ts'
import type { Renderer } from './renderer.ts'
import { createThemeFiles } from './theme-files.ts'

export interface PoolOptions extends Pick<ChildOptions, 'entry' | 'folders' | 'usageOf'> {
  readonly themes: ReadonlyMap<string, Theme>
  /** The most child processes at a time. */
  readonly size: number
  readonly limits?: RenderLimits
}

const LIMITS: RenderLimits = { cpuMs: 2_000, wallMs: 10_000, memory: 512 * 2 ** 20 }

/** Requests sent to a child at a time: the one that it renders and those that it starts next. */
const MAX_UNANSWERED = 4
/** Bytes of a request that is short enough to be sent ahead: rendering it delays other projects little. */
const SHORT = 16_384

const MAX_PENALISED = 1_000

interface Job {
  readonly request: RenderRequest
  resolve(result: RenderResult): void
  reject(error: unknown): void
}

/**
 * Renders pages in child processes, so that no page can block or end the service. A child renders one page at a
 * time, a project uses one child at a time, and projects take turns. Children start when they are first needed.
 * If only one project waits, its next pages are sent to the child ahead.
 *
 * Site indexes are rendered in this process: their cost grows with the number of live pages, not with a page's
 * content, and sending them would cost more than rendering.
 */
export function createRendererPool({ themes, size, limits = LIMITS, ...start }: PoolOptions): Renderer {
  const digests = new Map([...themes].map(([name, { digest }]) => [name, digest]))
  const files = createThemeFiles(themes)
  const queue = createFairQueue<ProjectId, Job>()
  const busy = new Set<ProjectId>()
  const children = new Set<RenderChild>()
  const idle: RenderChild[] = []
  /** Projects whose last page ended a child process. */
  const penalised = new Set<ProjectId>()

  let isClosed = false

  const inProcess = createInProcessRenderer(themes)

  return {
    ...inProcess,
    async renderPage(live) {
      const request: RenderRequest = { call: 'renderPage', args: [live] }
      const { data, files: sent } = await ask(live.page.projectId, request)
      const artifacts = (sent as readonly Artifact[]).map(files.restored)
      return { ...(data as Omit<RenderedPage, 'artifacts'>), artifacts }
    },
    async feedEntry(live) {
      if (live.page.type !== 'article' || !mayContainText(live)) return inProcess.feedEntry(live)
      return (await ask(live.page.projectId, { call: 'feedEntry', args: [live] })).data as FeedEntry | null
    },
    async preview(live, prefixes) {
      const request: RenderRequest = { call: 'preview', args: [live, prefixes] }
      const { data, files: sent } = await ask(live.page.projectId, request)
      return { ...(data as Omit<RenderedPreview, 'assets'>), assets: sent.map(files.restored) }
    },
    cssIssue: (project, css) =>
      ask(project, { call: 'cssIssue', args: [project, css] }).then(
        ({ data }) => data as ParseIssue | null,
        costIssue,
      ),
    async close() {
      isClosed = true
      startNext()
      await Promise.all([...children].map((child) => child.end()))
    },
  }

  function ask(project: ProjectId, request: RenderRequest): Promise<RenderResult> {
    return new Promise((resolve, reject) => {
      queue.push(project, { request, resolve, reject })
      startNext()
    })
  }

  function startNext(): void {
    while (isClosed || busy.size < size) {
      const taken = queue.take((project) => isClosed || !busy.has(project))
      if (taken === null) return
      if (isClosed) taken.work.reject(new Error('The renderer was closed.'))
      else void run(taken.owner, taken.work)
    }
  }

  async function run(project: ProjectId, job: Job): Promise<void> {
    busy.add(project)
    // A penalised project waits for a fresh child, so that it cannot take the last idle one from others.
    const mustWaitForFresh = penalised.delete(project) && children.size < size
    const child = (mustWaitForFresh ? null : takeIdle()) ?? startChild()
    await sendJobs(child, project, job)
    busy.delete(project)
    if (child.isUsable()) idle.push(child)
    else {
      children.delete(child)
      if (penalised.size < MAX_PENALISED) penalised.add(project)
    }
    startNext()
  }

  async function sendJobs(child: RenderChild, project: ProjectId, first: Job): Promise<void> {
    const unanswered: Promise<void>[] = []
    for (let job: Job | null = first; job !== null; ) {
      const message = packMessage(encodeRequest(job.request))
      unanswered.push(child.ask(message).then(answerTo(job, project), job.reject))
      const limit = message.length > SHORT ? 1 : MAX_UNANSWERED
      while (unanswered.length >= limit) await unanswered.shift()
      job = child.isUsable() ? queue.takeOfOnly(project) : null
    }
    await Promise.all(unanswered)
  }

  function answerTo(job: Job, project: ProjectId): (result: RenderResult | null) => void {
    return (result) => {
      if (result !== null) job.resolve(result)
      else queue.push(project, job)
    }
  }

  /** Skips children that were killed while they were idle. */
  function takeIdle(): RenderChild | null {
    for (let child = idle.pop(); child !== undefined; child = idle.pop()) {
      if (child.isUsable()) return child
      children.delete(child)
    }
    return null
  }

  function startChild(): RenderChild {
    const child = startRenderChild({ ...start, digests, limits })
    children.add(child)
    return child
  }
}

/** Turns the error of a child that exceeded a limit into an issue: parsing CSS raises no `validation_error` itself. */
function costIssue(error: unknown): ParseIssue {
  if (!(error instanceof ServiceError) || error.name === 'internal_error') throw error
  return { line: 1, column: 1, message: 'takes too long to read. Make it simpler.' }
}
