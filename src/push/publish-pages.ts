import type { Client } from '../client/client.ts'
import type { PageWarning } from '../domain/diagnostic.ts'
import { isDiagnosticCode } from '../domain/diagnostic-codes.ts'

/** Called after each step of a long operation. */
export type Progress = (done: number, total: number) => void

export interface FailedPublish {
  readonly pageId: string
  readonly message: string
}

/** A warning of the server about a page that was published. */
export interface JobWarning extends PageWarning {
  readonly pageId: string
}

/** The result of one or more publish jobs. */
export interface PublishResult {
  readonly failed: readonly FailedPublish[]
  readonly warnings: readonly JobWarning[]
  /** Counts all warnings. The server lists only the first of many. */
  readonly warningCount: number
}

/** The API's limit for one request. */
const MAX_PAGES_PER_JOB = 10_000

/** Publishes these pages as one or more jobs, and waits until they finish. @param request.strict refuses pages with warnings. */
export async function publishPages(
  api: Client,
  project: string,
  { ids, strict = false }: { readonly ids: readonly string[]; readonly strict?: boolean },
  progress: Progress,
): Promise<PublishResult> {
  const failed: FailedPublish[] = []
  const warnings: JobWarning[] = []
  let warningCount = 0
  for (let start = 0; start < ids.length; start += MAX_PAGES_PER_JOB) {
    const pages = ids.slice(start, start + MAX_PAGES_PER_JOB)
    const { id } = await api.projects.publish(project, { pages, ...(strict && { strict }) })
    const job = await api.jobs.wait(id, {
      onProgress: ({ done }) => done > 0 && progress(start + done, ids.length),
    })
    progress(start + job.done, ids.length)
    failed.push(...job.failed.map(({ page_id: pageId, message }) => ({ pageId, message })))
    warnings.push(...(job.warnings ?? []).map(readWarning))
    warningCount += job.warning_count ?? 0
  }
  return { failed, warnings, warningCount }
}

interface ServerWarning {
  readonly page_id: string
  readonly code?: string | undefined
  readonly at: string | null
  readonly message: string
  readonly written?: string | undefined
}

/** A newer server may send a code that this version does not know, and an older one none. */
function readWarning({ page_id: pageId, code = '', at, message, written }: ServerWarning): JobWarning {
  return {
    pageId,
    code: isDiagnosticCode(code) ? code : 'QN-SERVER-WARNING',
    at,
    message,
    ...(written !== undefined && { written }),
  }
}
