import type { Knex } from 'knex'
import type { PageId, ProjectId, ReleaseId } from '../../domain/ids.ts'
import type { AnyRelease } from '../../domain/release.ts'
import { exchangeablePaths } from '../../publish/decide/exchanges.ts'
import type { WaitingRelease } from '../../publish/decide/next-in-line.ts'
import { selectReleases, toRelease } from '../release-rows.ts'
import { pagesAt } from './pages-at.ts'

/** Largest number of added releases, within the limits of a batch. */
const MAX_PARTNERS = 500

/**
 * Loads the releases to claim, with those of pages that move away from their paths: an exchange of addresses is claimed
 * as a whole, however small the batch is.
 *
 * @param waiting all waiting releases of the project, in order of acceptance.
 */
export async function withPartners(
  db: Knex,
  projectId: ProjectId,
  next: readonly WaitingRelease[],
  waiting: readonly WaitingRelease[],
): Promise<readonly AnyRelease[]> {
  const firstOf = new Map<PageId | null, ReleaseId>()
  for (const { pageId: page, id } of waiting) if (!firstOf.has(page)) firstOf.set(page, id)
  const found = new Map<ReleaseId, AnyRelease>()
  for (let open = next.map(({ id }) => id); open.length > 0; ) {
    const loaded = await load(db, open)
    for (const release of loaded) found.set(release.id, release)
    const occupants = new Set((await pagesAt(db, projectId, exchangeablePaths(loaded))).values())
    const partners = [...occupants].flatMap((page) => firstOf.get(page) ?? [])
    open = partners.filter((id) => !found.has(id)).slice(0, MAX_PARTNERS + next.length - found.size)
  }
  return [...found.values()].sort((a, b) => a.seq - b.seq)
}

/** Snapshots parsed in one turn of the event loop. */
const SNAPSHOTS_PER_READ = 10

async function load(db: Knex, ids: readonly ReleaseId[]): Promise<readonly AnyRelease[]> {
  const loaded: AnyRelease[] = []
  for (let start = 0; start < ids.length; start += SNAPSHOTS_PER_READ) {
    const rows = await selectReleases(db).whereIn('releases.id', ids.slice(start, start + SNAPSHOTS_PER_READ))
    loaded.push(...rows.map(toRelease))
  }
  return loaded
}
