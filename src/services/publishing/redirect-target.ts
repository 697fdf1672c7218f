import type { Repositories } from '../../db/repositories.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type PageId, type ProjectId, readId } from '../../domain/ids.ts'
import {
  type DecidingSite,
  decidingKeys,
  decidingPaths,
  type WantedRedirect,
} from '../../domain/redirect-decision.ts'
import {
  MAX_SITE_REDIRECTS,
  type RedirectChange,
  type RedirectTarget,
  readRedirectTarget,
  TARGET_RULE,
  TOO_MANY_REDIRECTS,
} from '../../domain/site-redirect.ts'

/**
 * Reads the target of a redirect as a request writes it.
 *
 * @param refusal the error for a message about it.
 * @throws {ServiceError} for an invalid target, and for a page that the project does not have.
 */
export async function readTarget(
  { pages }: Pick<Repositories, 'pages'>,
  projectId: ProjectId,
  written: string,
  refusal: (message: string) => ServiceError,
): Promise<RedirectTarget> {
  const [ref = '', fragment = null] = written.startsWith('page_') ? written.split('#') : []
  if (ref === '') {
    const target = readRedirectTarget(written)
    if (target === null) throw refusal(`${TARGET_RULE} It may also be the id of a page.`)
    return target
  }
  const pageId: PageId | null = readId('page', ref)
  const known = pageId === null ? new Set() : await pages.idsWithin(projectId, [pageId])
  if (pageId === null || known.size === 0) throw refusal('must be a page of the project.')
  return { kind: 'page', pageId, fragment }
}

/** The redirects and the part of the live site that decide about redirects. */
export async function decidingSite(
  { redirects, pages }: Pick<Repositories, 'redirects' | 'pages'>,
  projectId: ProjectId,
  wanted: readonly WantedRedirect[],
): Promise<DecidingSite> {
  return {
    redirects: await redirects.list(projectId),
    pages: await pages.liveAt(projectId, decidingPaths(wanted)),
    owners: await redirects.ownersAt(projectId, decidingKeys(wanted)),
  }
}

/** @throws {ServiceError} `conflict` when a project would have too many redirects. */
export async function assertFewRedirects(
  { redirects }: Pick<Repositories, 'redirects'>,
  projectId: ProjectId,
  { put, remove }: RedirectChange,
): Promise<void> {
  if (put.length === 0) return
  const known = (await redirects.list(projectId)).map(({ id }) => id)
  const next = new Set([...known.filter((id) => !remove.includes(id)), ...put.map(({ id }) => id)])
  if (next.size > MAX_SITE_REDIRECTS) throw new ServiceError('conflict', TOO_MANY_REDIRECTS)
}
