import { listFault } from '../../domain/listing.ts'
import { type Snapshot, snapshotPath } from '../../domain/live-page.ts'
import { MAX_FORMER_PATHS } from '../../domain/redirect-path.ts'
import type { ReleaseFailure } from '../../domain/release.ts'
import { pathFault } from '../../domain/route.ts'
import type { KeyConflict } from './key-claims.ts'

/* Reasons to refuse the release of a page. */

export const GONE: ReleaseFailure = { name: 'not_found', message: 'The page was deleted in the meantime.' }
export const KEY_LOST: ReleaseFailure = {
  name: 'conflict',
  message:
    'The content key of this project was lost with the master key of the installation. Regenerate it first (POST /projects/:id/data-mode/regenerate-key); that encrypts every page with the new key.',
}
export const TOO_MANY_ADDRESSES: ReleaseFailure = {
  name: 'conflict',
  message: `The page has been at ${MAX_FORMER_PATHS} other paths, and a page has no more redirects. Delete some of them first: GET /projects/:id/redirects?kind=former lists them, DELETE /projects/:id/redirects/:redirect_id deletes one.`,
}
export const NOT_PUBLISHED: ReleaseFailure = { name: 'not_published', message: 'The page is not published.' }

/** Fault of the path of a page, or of a list of its tags or author, for stores; null without one. */
export function addressFailure(snapshot: Snapshot): ReleaseFailure | null {
  const isSealed = snapshot.site.hostingMode === 'data_mode'
  const message = pathFault(snapshotPath(snapshot)) ?? (isSealed ? null : listFault(snapshot)?.message)
  return message == null ? null : { name: 'validation_error', message }
}

export function pathTaken({ owner, key }: KeyConflict): ReleaseFailure {
  return {
    name: 'conflict',
    message: `Another published page (page_${owner}) is served at this path (${key}). Change one of the two; pages that exchange their addresses must be published together, in one bulk publish.`,
  }
}
