import type { Knex } from 'knex'
import type { PageId } from '../../domain/ids.ts'
import {
  type DataModeRelease,
  isPageRelease,
  type Release,
  type ReleaseFailure,
} from '../../domain/release.ts'
import type { ClaimedRelease } from '../../publish/decide/claimed-release.ts'
import { inMode, type Mode } from '../../publish/decide/current-site.ts'
import { dataModeFailure, NAMES_TAKEN } from '../../publish/decide/data-mode-changes.ts'
import { failed } from '../../publish/decide/endings.ts'
import { createKeyClaims } from '../../publish/decide/key-claims.ts'
import type { Lease } from '../../publish/ledger/leases.ts'
import type { ClaimPorts, ClaimResult, UnsealedPage } from '../../publish/ledger/release-queue.ts'
import { type ReleaseRow, selectReleases, toRelease } from '../release-rows.ts'
import type { EventPorts } from '../repositories/webhooks.ts'
import { withSnapshotTexts } from '../snapshot-text.ts'
import { nextKey, previousMode, readCurrentSite } from './content-keys.ts'
import { writeEnding } from './finish-releases.ts'
import { markClaimed, writeClaims } from './object-keys.ts'
import { readOwners } from './read-claim-rows.ts'

/** Claims a Data Mode change or ends it, inside a transaction under the project's lease. */
export async function claimChange(
  trx: Knex,
  lease: Lease,
  release: DataModeRelease,
  ports: ClaimPorts,
  events: EventPorts,
): Promise<Omit<ClaimResult, 'isAwaited'>> {
  const end = async (failure: ReleaseFailure) => {
    const ended = await writeEnding(trx, failed({ release, failure }, events.now), events)
    return { releases: [], change: null, redirects: null, ended: [ended] }
  }
  const current = await readCurrentSite(trx, lease.projectId, ports.keyIdOf)
  const failure = dataModeFailure(release.op, current)
  if (failure !== null) return end(failure)

  const next = await nextMode(trx, release, ports, events.now)
  const unsealed = release.op === 'rekey' ? await claimUnsealed(trx, release, next, ports) : []
  if (unsealed === null) return end(NAMES_TAKEN)
  await markClaimed(trx, lease, [release.id], { isDeploying: true })
  const site = { ...release.site, ...next, feedId: current.feedId }
  const change = { release: { ...release, site }, unsealed }
  return { releases: [], change, redirects: null, ended: [] }
}

async function nextMode(trx: Knex, release: DataModeRelease, ports: ClaimPorts, now: string): Promise<Mode> {
  if (release.op === 'disable') return previousMode(trx, release.projectId)
  return { hostingMode: 'data_mode', keyId: ports.keyIdOf(await nextKey(trx, release, ports, now)) }
}

/** Snapshots in memory. */
const STEP = 32

/** Live pages without a sealed form of their content, with claimed file names; null when a page has no free name. */
async function claimUnsealed(
  trx: Knex,
  change: DataModeRelease,
  mode: Mode,
  { keysOf }: ClaimPorts,
): Promise<readonly UnsealedPage[] | null> {
  const claimed: UnsealedPage[] = []
  for (let lastSeq = 0; ; ) {
    const rows = await withSnapshotTexts(
      await unsealedReleases(trx, change).where('releases.seq', '>', lastSeq).limit(STEP),
    )
    const pages = rows.map((row) => {
      const sealed = inMode(pageRelease(row), mode)
      return { pageId: sealed.pageId, keys: keysOf(sealed) }
    })
    const owners = await readOwners(
      trx,
      change.projectId,
      pages.flatMap(({ keys }) => keys.flat()),
    )
    const claims = createKeyClaims(owners)
    for (const { pageId, keys } of pages) {
      const names = claims.claim({ pageId, releaseId: change.id }, keys)
      if ('owner' in names) return null
      claimed.push({ pageId, file: names[0] ?? '' })
    }
    await writeClaims(trx, change.projectId, claims.all())
    const last = rows.at(-1)
    if (last === undefined) return claimed
    lastSeq = last.seq
  }
}

/**
 * Live releases of these pages, with the mode and key of the change.
 *
 * @param db a Knex instance or, inside a transaction, the transaction.
 */
export async function liveReleases(
  db: Knex,
  { site: { hostingMode, keyId } }: DataModeRelease,
  pages: readonly UnsealedPage[],
): Promise<readonly ClaimedRelease[]> {
  const files = new Map<PageId, string>(pages.map(({ pageId, file }) => [pageId, file]))
  const rows = await selectReleases(db)
    .join('live_pages', 'live_pages.release_id', 'releases.id')
    .join('pages', 'pages.id', 'live_pages.page_id')
    .whereIn('live_pages.page_id', [...files.keys()])
    .select<LiveReleaseRow[]>(
      'live_pages.facts',
      'live_pages.index_line',
      'pages.published_at',
      'pages.first_published_at',
    )
  return (await withSnapshotTexts(rows)).map((row) => {
    const release = inMode(pageRelease(row), { hostingMode, keyId })
    return {
      release,
      file: files.get(release.pageId) ?? '',
      redirectFrom: [],
      formerPaths: [],
      replaces: null,
      live: {
        releaseId: release.id,
        publishedAt: row.published_at,
        facts: JSON.parse(row.facts),
        line: row.index_line,
        feedId: null,
      },
      firstPublishedAt: row.first_published_at,
    }
  })
}

function pageRelease(row: ReleaseRow): Release {
  const release = toRelease(row)
  if (!isPageRelease(release))
    throw new Error(`Release ${release.id} is live for a page, but is no page release.`)
  return release
}

interface LiveReleaseRow extends ReleaseRow {
  readonly facts: string
  readonly index_line: string
  readonly published_at: string
  readonly first_published_at: string | null
}

function unsealedReleases(trx: Knex, { projectId }: DataModeRelease): ReturnType<typeof selectReleases> {
  return selectReleases(trx)
    .join('live_pages', 'live_pages.release_id', 'releases.id')
    .where('live_pages.project_id', projectId)
    .whereNotExists(
      trx('live_objects')
        // Without its stored bytes, which may be lost with their key, a page has to be rendered.
        .join('artifacts', (join) =>
          join
            .on('artifacts.project_id', 'live_objects.project_id')
            .on('artifacts.digest', 'live_objects.artifact_digest'),
        )
        .where({ owner_kind: 'page' })
        .whereNotNull('key_id')
        .where('live_objects.project_id', projectId)
        .where('live_objects.owner_id', trx.ref('live_pages.page_id'))
        .where('live_objects.release_id', trx.ref('live_pages.release_id')),
    )
}
