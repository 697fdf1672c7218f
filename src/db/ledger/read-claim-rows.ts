import type { Knex } from 'knex'
import type { OwnerKind } from '../../domain/artifact.ts'
import type { PageId, ProjectId, ReleaseId } from '../../domain/ids.ts'
import { snapshotPath } from '../../domain/live-page.ts'
import { PUTTING_BACK, putsLive, type Release } from '../../domain/release.ts'
import type { LiveVersion } from '../../publish/decide/claimed-release.ts'
import { type Candidate, type ClaimRows, claimableKeys, type PageState } from '../../publish/decide/claims.ts'
import { onCurrentSite } from '../../publish/decide/current-site.ts'
import type { KeyOwner } from '../../publish/decide/key-claims.ts'
import type { KnownRedirect } from '../../publish/decide/redirect-changes.ts'
import type { ClaimPorts } from '../../publish/ledger/release-queue.ts'
import { jsonText } from '../dialect.ts'
import type { ReleaseRow } from '../release-rows.ts'
import { readCurrentSite } from './content-keys.ts'
import { selectInChunks } from './objects.ts'
import { pagesAt } from './pages-at.ts'

/** Rows for decisions about releases of pages. */
export interface ReadClaim {
  readonly candidates: readonly Candidate[]
  readonly rows: ClaimRows
  /** Stored ids in feeds; null for a site or page without one. */
  readonly feedIds: KnownFeedIds
}

export interface KnownFeedIds {
  readonly site: string | null
  readonly pages: ReadonlyMap<PageId, string | null>
}

/**
 * Reads the rows for decisions about waiting releases, with equally many statements for one page and for a batch of 200
 * keys.
 *
 * @param db a Knex instance or, inside a transaction, the transaction.
 * @param releases at most one of each page.
 */
export async function readClaim(
  db: Knex,
  projectId: ProjectId,
  releases: readonly Release[],
  { keysOf, redirectFrom, keyIdOf }: Pick<ClaimPorts, 'keysOf' | 'redirectFrom' | 'keyIdOf'>,
  now: string,
): Promise<ReadClaim> {
  const current = await readCurrentSite(db, projectId, keyIdOf)
  const { pages, feedIds } = await readPages(db, releases)
  const candidates = releases.map((given) => {
    const release = onCurrentSite(given, current, feedIds.get(given.pageId) ?? null, now)
    const isPublish = putsLive(release)
    return {
      release,
      keys: isPublish ? keysOf(release) : [],
      redirectFrom: isPublish ? redirectFrom(release) : [],
    }
  })
  const paths = candidates
    .map(({ release }) => release)
    .filter(putsLive)
    .map(({ snapshot }) => snapshotPath(snapshot))
  const keys = candidates.flatMap((one) => claimableKeys(one, pages.get(one.release.pageId)))
  const rows: ClaimRows = {
    isKeyLost: current.isKeyLost,
    pages,
    occupants: await pagesAt(db, projectId, paths),
    owners: await readOwners(db, projectId, keys),
    redirects: releases.some(({ redirects }) => redirects !== undefined)
      ? await readRedirects(db, projectId)
      : [],
    newestSettings: await newestSettings(db, projectId),
  }
  return { candidates, rows, feedIds: { site: current.feedId, pages: feedIds } }
}

interface PageRow {
  readonly id: PageId
  readonly published_at: string | null
  readonly first_published_at: string | null
  readonly release_id: ReleaseId | null
  readonly facts: string | null
  readonly index_line: string | null
  readonly feed_id: string | null
  /** Id of the live article in feeds. */
  readonly shown_id: string | null
}

async function readPages(
  db: Knex,
  releases: readonly Release[],
): Promise<{ readonly pages: ClaimRows['pages']; readonly feedIds: KnownFeedIds['pages'] }> {
  const ids = releases.map(({ pageId }) => pageId)
  const rows = await selectInChunks(ids, (chunk) =>
    db('pages')
      .leftJoin('live_pages', 'live_pages.page_id', 'pages.id')
      .whereIn('pages.id', chunk)
      .select<PageRow[]>(
        'pages.id',
        'pages.published_at',
        'pages.first_published_at',
        'live_pages.release_id',
        'live_pages.facts',
        'live_pages.index_line',
        'pages.feed_id',
        db.raw(`${jsonText(db, 'live_pages.card', 'feedId')} AS shown_id`),
      ),
  )
  const former = await readFormerPaths(db, releases.filter(putsLive))
  const pages = rows.map((row): readonly [PageId, PageState] => {
    const formerPaths = former.get(row.id) ?? []
    return [row.id, { live: toLiveVersion(row), firstPublishedAt: row.first_published_at, formerPaths }]
  })
  return { pages: new Map(pages), feedIds: new Map(rows.map((row) => [row.id, row.feed_id])) }
}

function toLiveVersion(row: PageRow): LiveVersion | null {
  const { release_id: releaseId, published_at: publishedAt, facts, index_line: line } = row
  if (releaseId === null || publishedAt === null || facts === null || line === null) return null
  return { releaseId, publishedAt, facts: JSON.parse(facts), line, feedId: row.shown_id ?? row.feed_id }
}

/** Earlier paths of the pages of these releases, newest first. */
async function readFormerPaths(
  db: Knex,
  publishes: readonly Release[],
): Promise<ReadonlyMap<PageId, readonly string[]>> {
  const ids = publishes.map(({ pageId }) => pageId)
  const rows = await selectInChunks(ids, (chunk) =>
    db('former_addresses')
      .whereIn('page_id', chunk)
      .orderBy([{ column: 'left_at', order: 'desc' }, 'path'])
      .select<{ page_id: PageId; path: string }[]>('page_id', 'path'),
  )
  const found = new Map<PageId, string[]>()
  for (const { page_id: id, path } of rows) {
    const own = found.get(id)
    if (own === undefined) found.set(id, [path])
    else own.push(path)
  }
  return found
}

/** Owners of the taken or claimed keys among these. */
export async function readOwners(
  db: Knex,
  projectId: ProjectId,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KeyOwner>> {
  const rows = await selectInChunks([...new Set(keys)], (chunk) =>
    db('live_objects')
      .where({ project_id: projectId })
      .whereIn('key', chunk)
      .select<OwnerRow[]>('key', 'owner_kind', 'owner_id', 'claimed_by'),
  )
  return new Map(
    rows.map(({ key, owner_kind: kind, owner_id: id, claimed_by: claimedBy }) => [
      key,
      { kind, id, claimedBy },
    ]),
  )
}

interface OwnerRow {
  readonly key: string
  readonly owner_kind: OwnerKind
  readonly owner_id: string
  readonly claimed_by: ReleaseId | null
}

/** Redirects of a project without a page. */
export function readRedirects(db: Knex, projectId: ProjectId): Promise<readonly KnownRedirect[]> {
  return db('redirects').where({ project_id: projectId }).select('id', 'path', 'address')
}

/** Position of the release that gave the indexes their settings; 0 without one. */
async function newestSettings(db: Knex, projectId: ProjectId): Promise<number> {
  const row = await db<ReleaseRow>('releases')
    .where({ project_id: projectId, state: 'live' })
    .whereNotIn('op', [...PUTTING_BACK])
    // The removal of a page that was not live changed nothing.
    .where((effective) =>
      effective.whereNotIn('op', ['unpublish', 'delete-page']).orWhere('in_history', true),
    )
    .orderBy('seq', 'desc')
    .first('seq')
  return row?.seq ?? 0
}
