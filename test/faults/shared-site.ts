import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Random } from '../support/random.ts'
import type { PageModel, Recorded, Request, Seen, Shown } from './page-model.ts'
import type { Process } from './processes.ts'

/** How long a client waits for an answer. */
const PATIENCE_MS = 20_000
/** No request without an answer has an effect of its own later: a write is tried for 15 s, and a frozen process wakes after 7 s. */
const DOUBT_MS = PATIENCE_MS + 25_000
/** Pages that each job publishes. */
const JOB_PAGES = 3

/** A page that several writers change, with all that was asked of it. */
export interface SharedPage {
  readonly id: string
  readonly project: string
  readonly first: PageModel
  readonly history: Recorded[]
}

export type SharedSite = Awaited<ReturnType<typeof createSharedSite>>

/** Creates projects with pages, and records each request for them. Every request goes to any of the processes. */
export async function createSharedSite(
  apis: readonly Process[],
  key: string,
  random: Random,
  { projects, pages: count }: { readonly projects: number; readonly pages: number },
) {
  let marks = 0
  const pages: SharedPage[] = []
  for (let project = 0; project < projects; project++) {
    const id = await newProject(`Site ${project}`)
    for (let n = 0; n < count / projects; n++) pages.push(await create(id, `p${n}`))
  }
  return { pages, perform, settle, publishByJobs }

  /** @returns the status, or null without an answer. */
  async function perform(
    page: SharedPage,
    kind: 'edit' | 'publish' | 'unpublish' | 'read',
  ): Promise<number | null> {
    const title = newMark()
    const invoked = performance.now()
    const answer = await (kind === 'read'
      ? call('GET', `/pages/${page.id}`)
      : kind === 'edit'
        ? call('PUT', `/pages/${page.id}`, { title })
        : call('POST', `/pages/${page.id}/${kind}`)
    ).catch(() => null)
    const request = requestOf(kind, title, answer)
    if (request !== null) page.history.push({ invoked, answered: performance.now(), request })
    return answer?.status ?? null
  }

  /** Publishes the page, which ends everything that was under way in it, and looks at it and its file. */
  async function settle({ id, project, first, history }: SharedPage): Promise<void> {
    const settled = performance.now()
    const { body } = await sure('POST', `/pages/${id}/publish`)
    const invoked = performance.now()
    // Attempts before the one that succeeded may have gone live, too.
    history.push({ invoked: settled, answered: invoked, request: { kind: 'publish', url: body.data.url } })
    const answer = seen((await sure('GET', `/pages/${id}`)).body)
    const site = await sure('GET', `/public/${project}/${first.slug}/`, undefined, false)
    const title = /M\d+x/.exec(site.body)?.[0] ?? ''
    const shown: Shown = { title, slug: first.slug, footer: '' }
    history.push({ invoked, answered: performance.now(), request: { kind: 'visit', answer, shown } })
  }

  /** Publishes pages of a project of its own by one job after the other. @returns what went wrong, one line each. */
  async function publishByJobs(
    isOver: () => boolean,
    tally: (name: string) => void,
  ): Promise<readonly string[]> {
    const wrong: string[] = []
    const project = await newProject('Jobs')
    const ids: string[] = []
    for (let n = 0; n < JOB_PAGES; n++) ids.push((await create(project, `j${n}`)).id)
    let rounds = 0
    for (; !isOver(); rounds++) {
      // Only a changed page has another release.
      for (const id of ids) await sure('PUT', `/pages/${id}`, { title: newMark() })
      const key = `round-${rounds}`
      const { body } = await sure('POST', `/projects/${project}/publish`, { pages: ids }, true, key)
      const job = await finished(body.data.id)
      tally(`job ${job.status}`)
      if (job.status !== 'succeeded' || job.done !== JOB_PAGES)
        wrong.push(`Round ${rounds}: ${JSON.stringify(job)}`)
    }
    for (const id of ids) {
      const { body } = await sure('GET', `/pages/${id}/releases`)
      if (body.meta.total !== rounds) wrong.push(`${id} has ${body.meta.total} releases of ${rounds} jobs.`)
    }
    return wrong
  }

  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answered.
  async function finished(id: string): Promise<any> {
    for (;;) {
      const { body } = await sure('GET', `/jobs/${id}`)
      if (body.data.finished_at !== null) return body.data
      await sleep(250)
    }
  }

  async function newProject(name: string): Promise<string> {
    return (await sure('POST', '/projects', { name })).body.data.id
  }

  async function create(project: string, slug: string): Promise<SharedPage> {
    const title = newMark()
    const fields = { project_id: project, title, slug, subroute: '', type: 'article' }
    const { body } = await sure(
      'POST',
      '/pages',
      { ...fields, markdown_content: 'A text.' },
      true,
      slug + project,
    )
    const first = { title, slug, footer: '', live: null, taken: {} }
    return { id: body.data.id, project, first, history: [] }
  }

  /** Until it succeeds. */
  async function sure(method: string, path: string, body?: object, auth = true, idempotencyKey?: string) {
    for (let tries = 0; ; tries++) {
      const answer = await call(method, path, body, auth, idempotencyKey).catch((error: unknown) => ({
        status: 0,
        body: String(error),
      }))
      // A publish that is still under way is asked for again.
      const isOngoing = answer.status === 202 && path.startsWith('/pages/')
      if (answer.status > 0 && answer.status < 300 && !isOngoing) return answer
      if (tries === 120) expect.fail(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      await sleep(500)
    }
  }

  async function call(method: string, path: string, body?: object, auth = true, idempotencyKey?: string) {
    const running = apis.filter((api) => api.isRunning())
    const { url } = random.pick(running.length > 0 ? running : apis)
    const response = await fetch(url + path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(auth && { Authorization: `Bearer ${key}` }),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    return { status: response.status, body: isJson ? JSON.parse(text) : text }
  }

  function newMark(): string {
    marks += 1
    return `M${marks}x`
  }
}

/**
 * The history in which a request without a certain answer has its effect, if it has one, before the answer to the first
 * publish that was asked for long after it, and that was acknowledged.
 */
export function withLimitedDoubt(history: readonly Recorded[]): readonly Recorded[] {
  return history.map((recorded) => {
    if (!isUncertain(recorded.request)) return recorded
    const after = recorded.invoked + DOUBT_MS
    const ends = history.flatMap(({ invoked, answered, request }) =>
      request.kind === 'publish' && request.url !== null && invoked >= after ? [answered] : [],
    )
    return { ...recorded, answered: ends.length > 0 ? Math.min(...ends) : Number.POSITIVE_INFINITY }
  })
}

function isUncertain(request: Request): boolean {
  switch (request.kind) {
    case 'edit':
      return request.answer === null
    case 'publish':
      return request.url === null
    case 'unpublish':
      return request.status === null
    default:
      return false
  }
}

/** Null for a request that says nothing. */
function requestOf(
  kind: 'edit' | 'publish' | 'unpublish' | 'read',
  title: string,
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answered.
  answer: { readonly status: number; readonly body: any } | null,
): Request | null {
  const status = answer?.status ?? 503
  if (kind === 'read') return answer?.status === 200 ? { kind, answer: seen(answer.body) } : null
  if (![200, 202, 409, 500, 503].includes(status))
    expect.fail(`${kind} was answered ${status}: ${JSON.stringify(answer?.body)}`)
  // Refused, or failed and never to go live.
  if (status === 409 || status === 500) return null
  const isCertain = status === 200
  if (kind === 'edit') return { kind, title, answer: isCertain ? written(answer?.body) : null }
  if (kind === 'publish') return { kind, url: isCertain ? answer?.body.data.url : null }
  return { kind, status: isCertain ? 200 : null }
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answered.
function written({ data: { title, status, url } }: any): Seen {
  return { title, status, slug: url.slice(url.lastIndexOf('/') + 1) }
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answered.
function seen({ data: { page_name: title, slug, status } }: any): Seen {
  return { title, slug, status }
}
