import type { Client } from '../client/client.ts'

/** Called after each step of something long. */
export type Progress = (done: number, total: number) => void

export interface FailedPublish {
  readonly pageId: string
  readonly message: string
}

/** Something that an owner should know of a page that went live. */
export interface PageWarning {
  readonly pageId: string
  /** As in `config.sections[2]`; null when it is about the whole page. */
  readonly at: string | null
  readonly message: string
  /** The text it is about, or the beginning of it; undefined where it is about none. */
  readonly written: string | undefined
}

/** What became of pages that were to be published. */
export interface PublishResult {
  readonly failed: readonly FailedPublish[]
  readonly warnings: readonly PageWarning[]
  /** Of many the server lists the first. */
  readonly warningCount: number
}

/** How many one request may name. */
const MAX_PAGES_PER_JOB = 10_000

/** How long to wait before a job is asked how far it has come; longer each time, so as to spare the limits. */
const FIRST_POLL_MS = 100
const MAX_POLL_MS = 3_000

/** Publish these pages together, and wait until that is done. */
export async function publishPages(
  api: Client,
  project: string,
  ids: readonly string[],
  progress: Progress,
): Promise<PublishResult> {
  const failed: FailedPublish[] = []
  const warnings: PageWarning[] = []
  let warningCount = 0
  for (let start = 0; start < ids.length; start += MAX_PAGES_PER_JOB) {
    const pages = ids.slice(start, start + MAX_PAGES_PER_JOB)
    let { data: job } = await api.request('POST /projects/{id}/publish', {
      path: { id: project },
      body: { pages },
    })
    for (let wait = FIRST_POLL_MS; job.finished_at === null; wait = Math.min(wait * 1.5, MAX_POLL_MS)) {
      await new Promise((resolve) => setTimeout(resolve, wait))
      job = (await api.request('GET /jobs/{id}', { path: { id: job.id } })).data
      if (job.done > 0) progress(start + job.done, ids.length)
    }
    failed.push(...job.failed.map(({ page_id: pageId, message }) => ({ pageId, message })))
    for (const { page_id: pageId, at, message, written } of job.warnings ?? [])
      warnings.push({ pageId, at, message, written })
    warningCount += job.warning_count ?? 0
  }
  return { failed, warnings, warningCount }
}
