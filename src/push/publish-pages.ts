import type { Client } from '../client/client.ts'

/** Called after each step of a long operation. */
export type Progress = (done: number, total: number) => void

export interface FailedPublish {
  readonly pageId: string
  readonly message: string
}

/** A warning of the server about a page that was published. */
export interface PageWarning {
  readonly pageId: string
  /** The field, e.g. `config.sections[2]`. Null when the warning concerns the whole page. */
  readonly at: string | null
  readonly message: string
  /** The text that the warning is about, or its beginning. Undefined when there is none. */
  readonly written: string | undefined
}

/** The result of one or more publish jobs. */
export interface PublishResult {
  readonly failed: readonly FailedPublish[]
  readonly warnings: readonly PageWarning[]
  /** Counts all warnings. The server lists only the first of many. */
  readonly warningCount: number
}

/** The API's limit for one request. */
const MAX_PAGES_PER_JOB = 10_000

/** Time between two polls of a job. It grows with each poll, to stay within the rate limits. */
const FIRST_POLL_MS = 100
const MAX_POLL_MS = 3_000

/** Publishes these pages as one or more jobs, and waits until they finish. */
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
