import type { Caller } from '../domain/caller.ts'
import type { Job } from '../domain/job.ts'
import type { JobService } from '../services/jobs/jobs.ts'
import type { PageDetails, PageService } from '../services/pages/pages.ts'
import type { ReleaseContinues } from '../services/publishing/await-release.ts'
import type { Representation } from './api.ts'
import { type ApiAnswer, type ApiRequest, accepted } from './endpoint.ts'
import { readPageRef } from './legacy-bodies.ts'

/**
 * The parts of endpoints about one page that both surfaces have, with the answers of one of them.
 *
 * @param pageBody the body that its GET of a page answers.
 * @param pendingBody the body for a release that continues after its request.
 */
export function pageEndpoints(pageBody: (found: PageDetails) => object, pendingBody: (job: Job) => object) {
  return {
    /** The page of the path, as its GET answers it. */
    currentPage: (
      { caller, param }: ApiRequest,
      { pages }: Pick<PageEndpointPorts, 'pages'>,
    ): Promise<Representation> => asRead(pages, caller, param('id')),

    /** The page that the body names, as its GET answers it. */
    pageNamedByBody: (
      { caller, body }: ApiRequest,
      { pages }: Pick<PageEndpointPorts, 'pages'>,
    ): Promise<Representation> => asRead(pages, caller, readPageRef(caller, body)),

    async pending(
      release: ReleaseContinues,
      _: ApiRequest,
      { jobs }: Pick<PageEndpointPorts, 'jobs'>,
    ): Promise<ApiAnswer> {
      const job = await jobs.following(release)
      return accepted(job, pendingBody(job))
    },
  }

  /** Any caller who may change the page sees it, so that a version can be compared. */
  async function asRead(pages: PageService, caller: Caller, ref: string): Promise<Representation> {
    const found = await pages.get({ ...caller, permissions: ['read'] }, ref)
    return { version: found.page.version, body: pageBody(found) }
  }
}

export interface PageEndpointPorts {
  readonly pages: PageService
  readonly jobs: JobService
}
