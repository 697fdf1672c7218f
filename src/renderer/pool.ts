import type { Artifact } from '../domain/artifact.ts'
import type { ParseIssue } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import type { ProjectId } from '../domain/ids.ts'
import type { FeedEntry } from '../domain/site-lines.ts'
import type { WholeText } from '../page-text/page-includes.ts'
import type { VariableTexts } from '../page-text/page-variables.ts'
import { type AccountOf, createFairQueue, type Owner } from '../platform/fair-queue.ts'
import type { ProcessLimits } from '../platform/limit-watch.ts'
import { ownPayment, type Pay } from '../platform/processor-time.ts'
import type { RenderedPage, RenderedPreview } from '../render/page/render-page.ts'
import { mayContainText } from '../render/site-files/feeds.ts'
import type { Theme } from '../theme/theme.ts'
import { createInProcessRenderer } from './in-process.ts'
import { packMessage } from './message-framing.ts'
import { encodeRequest, type RenderRequest, type RenderResult } from './protocol.ts'
import { type ChildOptions, type RenderChild, startRenderChild } from './render-child.ts'
import type { DocumentFacts, DocumentInput, Renderer, RenderTurn } from './renderer.ts'
import { createThemeFiles } from './theme-files.ts'

export interface PoolOptions extends Pick<ChildOptions, 'entry' | 'folders' | 'tokenCache' | 'usageOf'> {
  readonly themes: ReadonlyMap<string, Theme>
  /** Absent: each project is an account of its own. */
  readonly accountOf?: AccountOf
  /** The most child processes at a time. One account uses all but one of them, or the only one. */
  readonly size: number
  readonly limits?: ProcessLimits
}

const LIMITS: ProcessLimits = { cpuMs: 2_000, wallMs: 10_000, memory: 512 * 2 ** 20 }

/** Requests sent to a child at a time: the one in progress and the next ones. */
const MAX_UNANSWERED = 4
/** Bytes of a request that is short enough to be sent ahead: rendering it delays others little. */
const SHORT = 16_384

const MAX_ACCOUNTS = 1_000

interface Job {
  readonly request: RenderRequest
  readonly turn: RenderTurn
  /** Charges the request that waits for the page. */
  readonly pay: Pay
  resolve(result: RenderResult): void
  reject(error: unknown): void
}

/**
 * Renders pages in child processes, so that no page can block or end the service. A child renders one page at a time,
 * and a project uses one child at a time. Accounts take turns, beginning with accounts without a page in progress. The
 * projects of an account take turns within its turns. No account uses all children, so another one finds a child
 * without waiting for a costly page to end. Children start when they are first needed. If only one project waits, its
 * next pages are sent to the child ahead.
 *
 * Site indexes are rendered in this process: their cost grows with the number of live pages, not with a page's
 * content, and sending them would cost more than rendering.
 */
export function createRendererPool({
  themes,
  accountOf = async (project) => project,
  size,
  limits = LIMITS,
  ...start
}: PoolOptions): Renderer {
  const digests = new Map([...themes].map(([name, { digest }]) => [name, digest]))
  const files = createThemeFiles(themes)
  const queue = createFairQueue<Job>()
  const maxOfAccount = Math.max(1, size - 1)
  /** The projects that use a child, with their accounts. */
  const busy = new Map<Owner['project'], Owner['account']>()
  const children = new Set<RenderChild>()
  const idle: RenderChild[] = []
  /** Accounts whose last pages ended child processes, with the number of children not replaced yet. */
  const ended = new Map<Owner['account'], number>()

  let isClosed = false

  const inProcess = createInProcessRenderer(themes)

  return {
    ...inProcess,
    async renderPage(live, turn) {
      const request: RenderRequest = { call: 'renderPage', args: [live] }
      const { data, files: sent } = await ask(live.page.projectId, request, turn)
      const artifacts = (sent as readonly Artifact[]).map(files.restored)
      return { ...(data as Omit<RenderedPage, 'artifacts'>), artifacts }
    },
    async feedEntry(live, turn) {
      if (live.page.type !== 'article' || !mayContainText(live)) return inProcess.feedEntry(live)
      const request: RenderRequest = { call: 'feedEntry', args: [live] }
      return (await ask(live.page.projectId, request, turn)).data as FeedEntry | null
    },
    async preview(live, prefixes, turn) {
      const request: RenderRequest = { call: 'preview', args: [live, prefixes] }
      const { data, files: sent } = await ask(live.page.projectId, request, turn)
      return { ...(data as Omit<RenderedPreview, 'assets'>), assets: sent.map(files.restored) }
    },
    cssIssue: (project, css, turn) =>
      ask(project, { call: 'cssIssue', args: [project, css] }, turn).then(
        ({ data }) => data as ParseIssue | null,
        costIssue,
      ),
    async document(project, input) {
      if (isShort(input)) return inProcess.document(project, input)
      const request: RenderRequest = { call: 'document', args: [project, input] }
      return (await ask(project, request)).data as string
    },
    async includedPaths(project, path, markdown, turn) {
      const request: RenderRequest = { call: 'includedPaths', args: [project, path, markdown] }
      return (await ask(project, request, turn)).data as readonly string[]
    },
    async wholeText(project, page, turn) {
      const request: RenderRequest = { call: 'wholeText', args: [project, page] }
      return (await ask(project, request, turn)).data as WholeText
    },
    async shownTexts(project, page, variables, turn) {
      const request: RenderRequest = { call: 'shownTexts', args: [project, page, variables] }
      return (await ask(project, request, turn)).data as VariableTexts | null
    },
    async readDocument(placed, html, turn) {
      if (html.length < SHORT) return inProcess.readDocument(placed, html)
      const request: RenderRequest = { call: 'readDocument', args: [placed, html] }
      return (await ask(placed.page.projectId, request, turn)).data as DocumentFacts
    },
    async close() {
      isClosed = true
      startNext()
      await Promise.all([...children].map((child) => child.end()))
    },
  }

  async function ask(
    project: ProjectId,
    request: RenderRequest,
    turn: RenderTurn = {},
  ): Promise<RenderResult> {
    const pay = turn.pay ?? ownPayment()
    const account = await accountOf(project)
    return new Promise((resolve, reject) => {
      queue.push({ account, project }, { request, turn, pay, resolve, reject }, turn.urgent)
      startNext()
    })
  }

  function startNext(): void {
    while (isClosed || busy.size < size) {
      const taken =
        queue.take((owner) => !isClosed && countOf(owner.account) === 0) ??
        queue.take((owner) => isClosed || mayGo(owner))
      if (taken === null) return
      const { owner, work } = taken
      if (isClosed) work.reject(new Error('The renderer was closed.'))
      else if (!isDropped(work)) void run(owner, work)
    }
  }

  function mayGo({ account, project }: Owner): boolean {
    if (busy.has(project)) return false
    return countOf(account) < maxOfAccount
  }

  function countOf(account: Owner['account']): number {
    return [...busy.values()].filter((other) => other === account).length
  }

  async function run(owner: Owner, job: Job): Promise<void> {
    const { account, project } = owner
    busy.set(project, account)
    // An account that ended a child waits for a fresh one, so it cannot take the last idle one from others.
    const mustWaitForFresh = hasToReplace(account) && children.size < size
    const child = (mustWaitForFresh ? null : takeIdle()) ?? startChild()
    await sendJobs(child, owner, job)
    busy.delete(project)
    if (child.isUsable()) idle.push(child)
    else {
      children.delete(child)
      if (ended.size < MAX_ACCOUNTS) ended.set(account, (ended.get(account) ?? 0) + 1)
    }
    startNext()
  }

  /** Reports whether the account has ended more children than it has replaced. Counts one as replaced. */
  function hasToReplace(account: Owner['account']): boolean {
    const count = ended.get(account) ?? 0
    if (count > 1) ended.set(account, count - 1)
    else ended.delete(account)
    return count > 0
  }

  async function sendJobs(child: RenderChild, owner: Owner, first: Job): Promise<void> {
    const unanswered: Promise<void>[] = []
    for (let job: Job | null = first; job !== null; ) {
      const message = packMessage(encodeRequest(job.request))
      unanswered.push(child.ask(message, job.pay).then(answerTo(job, owner), job.reject))
      const limit = message.length > SHORT ? 1 : MAX_UNANSWERED
      while (unanswered.length >= limit) await unanswered.shift()
      job = child.isUsable() ? nextOfOnly(owner) : null
    }
    await Promise.all(unanswered)
  }

  function nextOfOnly(owner: Owner): Job | null {
    for (let job = queue.takeOfOnly(owner); job !== null; job = queue.takeOfOnly(owner))
      if (!isDropped(job)) return job
    return null
  }

  function answerTo(job: Job, owner: Owner): (result: RenderResult | null) => void {
    return (result) => {
      if (result !== null) job.resolve(result)
      else queue.push(owner, job, job.turn.urgent)
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

/**
 * Reports whether writing the document takes less time than sending it to a child. Only a `---` can begin front matter.
 */
function isShort({ page: { config, markdown } }: DocumentInput): boolean {
  const isPlain = markdown.length < SHORT || !/^\uFEFF?---/.test(markdown)
  return isPlain && JSON.stringify(config).length < SHORT
}

/** Turns the error of a child that exceeded a limit into an issue: parsing CSS raises no `validation_error` itself. */
function costIssue(error: unknown): ParseIssue {
  if (!(error instanceof ServiceError) || error.name !== 'validation_error') throw error
  return { line: 1, column: 1, message: 'takes too long to read. Make it simpler.' }
}

/** Rejects a job whose caller has given up. */
function isDropped({ turn: { signal }, reject }: Job): boolean {
  if (signal?.aborted) reject(signal.reason)
  return signal?.aborted ?? false
}
