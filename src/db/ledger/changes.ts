import type { Knex } from 'knex'
import {
  type AnyRelease,
  type DataModeRelease,
  isPageRelease,
  type Release,
  type ReleaseFailure,
} from '../../domain/release.ts'
import type { Claimed, ClaimedRelease, ClaimPorts, Lease } from '../../publish/ledger.ts'
import { type ReleaseRow, selectReleases, toRelease } from '../releases.ts'
import { endFailed } from './endings.ts'
import { claimKeys, noteClaimed } from './keys.ts'
import { inMode, type Mode, modeBefore, modeOf, nextKey } from './modes.ts'

/** Decide a change of Data Mode, within the transaction of the project's leader. */
export async function claimChange(
  trx: Knex,
  lease: Lease,
  release: DataModeRelease,
  ports: ClaimPorts,
  now: string,
): Promise<Claimed> {
  const mode = await modeOf(trx, lease.projectId, ports.keyIdOf)
  const isOn = mode.keyId !== null
  if (isOn === (release.op === 'enable'))
    return refused(await endFailed(trx, { release, failure: isOn ? IS_ON : IS_OFF }, now))

  const after = await modeAfter(trx, release, ports, now)
  const unsealed = release.op === 'rekey' ? await claimUnsealed(trx, release, after, ports) : []
  if (unsealed === null) return refused(await endFailed(trx, { release, failure: NAMES_TAKEN }, now))
  await noteClaimed(trx, lease, [release.id])
  const change = { release: { ...release, site: { ...release.site, ...after } }, unsealed }
  return { releases: [], change, ended: [] }
}

const IS_ON: ReleaseFailure = {
  name: 'already_enabled',
  message: 'Data Mode is on for this project already.',
}
const IS_OFF: ReleaseFailure = { name: 'not_enabled', message: 'Data Mode is off for this project.' }
const NAMES_TAKEN: ReleaseFailure = {
  name: 'conflict',
  message:
    'A page that is not encrypted yet finds its file names taken by former files of others. Publish those pages again first.',
}

function refused(release: AnyRelease): Claimed {
  return { releases: [], change: null, ended: [release] }
}

async function modeAfter(trx: Knex, release: DataModeRelease, ports: ClaimPorts, now: string): Promise<Mode> {
  if (release.op === 'disable') return modeBefore(trx, release.projectId)
  return { hostingMode: 'data_mode', keyId: ports.keyIdOf(await nextKey(trx, release, ports, now)) }
}

/** Live pages whose present content is not sealed, with names for their files; null when one has none. */
async function claimUnsealed(
  trx: Knex,
  change: DataModeRelease,
  mode: Mode,
  { keysOf }: ClaimPorts,
): Promise<readonly ClaimedRelease[] | null> {
  const claimed: ClaimedRelease[] = []
  for (const row of await unsealedPages(trx, change)) {
    const release = toRelease(row)
    if (!isPageRelease(release)) throw new Error(`Release ${release.id} is of no page, yet live as one.`)
    const inside: Release = inMode(release, mode)
    const { file, taken } = await claimKeys(trx, change, inside, keysOf(inside))
    if (taken !== null) return null
    claimed.push({
      release: inside,
      file,
      live: {
        releaseId: release.id,
        publishedAt: row.published_at,
        facts: JSON.parse(row.facts),
        line: row.index_line,
        redirects: [],
      },
      firstPublishedAt: row.first_published_at,
    })
  }
  return claimed
}

interface UnsealedRow extends ReleaseRow {
  readonly facts: string
  readonly index_line: string
  readonly published_at: string
  readonly first_published_at: string | null
}

async function unsealedPages(trx: Knex, { projectId }: DataModeRelease): Promise<readonly UnsealedRow[]> {
  return selectReleases(trx)
    .join('live_pages', 'live_pages.release_id', 'releases.id')
    .join('pages', 'pages.id', 'live_pages.page_id')
    .where('live_pages.project_id', projectId)
    .whereNotExists(
      trx('live_objects')
        .where({ owner_kind: 'page' })
        .whereNotNull('key_id')
        .where('live_objects.project_id', projectId)
        .where('live_objects.owner_id', trx.ref('live_pages.page_id'))
        .where('live_objects.release_id', trx.ref('live_pages.release_id')),
    )
    .select<UnsealedRow[]>(
      'live_pages.facts',
      'live_pages.index_line',
      'pages.published_at',
      'pages.first_published_at',
    )
}
