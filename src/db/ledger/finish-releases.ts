import type { Knex } from 'knex'
import { SERVICE } from '../../domain/audit.ts'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import { type Page, revertEdit, type Undo } from '../../domain/page.ts'
import {
  type AnyRelease,
  type DataModeRelease,
  isPageRelease,
  isServiceFault,
  type RedirectRelease,
  type Release,
  type ReleaseOutcome,
} from '../../domain/release.ts'
import { publicUrlPath } from '../../domain/route.ts'
import type { LiveDigests } from '../../domain/staleness.ts'
import { eventsOfRelease, storedEvent } from '../../domain/webhook-events.ts'
import type { Failed, FailedRelease } from '../../publish/ledger/release-queue.ts'
import { createAuditRepository, recordReleases } from '../audit.ts'
import { enqueueEvents } from '../deliveries.ts'
import { createPageRepository } from '../pages.ts'
import type { ReleaseRow } from '../release-rows.ts'
import type { EventPorts } from '../repositories/webhooks.ts'
import { activateKey, disableDataMode, dropKey, enableDataMode } from './content-keys.ts'
import { deleteObjects, type ObjectRow, selectInChunks } from './objects.ts'

/* Ends releases. Call these functions inside a transaction under the project's lease. */

/**
 * Ends a release as live, and updates or deletes its page. The caller frees its claims.
 *
 * @param ended.digests the digests of the published page; null when the release published none.
 * @param ended.snapshot compressed; null leaves it as it is.
 */
export async function endLive(
  trx: Knex,
  release: Release,
  outcome: ReleaseOutcome,
  { digests, snapshot }: { readonly digests: LiveDigests | null; readonly snapshot: Uint8Array | null },
  now: string,
): Promise<Release> {
  await moveStatus(trx, release, outcome)
  const end = { state: 'live', outcome: JSON.stringify(outcome), failure: null } as const
  const published = {
    ...(digests !== null && { digests: JSON.stringify(digests) }),
    ...(snapshot !== null && { snapshot }),
  }
  await recordEnd(trx, release, { ...end, ...published, in_history: outcome.changed }, now)
  return { ...release, state: 'live', outcome, finishedAt: now }
}

/** Enqueues webhook deliveries for releases that went live. False when no webhook subscribes to them. */
export async function enqueueReleaseEvents(
  trx: Knex,
  projectId: ProjectId,
  done: readonly Release[],
  ports: EventPorts,
): Promise<boolean> {
  const events = done.flatMap((release) => eventsOfRelease(release, ports.now))
  return enqueueEvents(trx, projectId, events, ports)
}

/** Puts the project into its new mode or under its new key, and ends the release. */
export async function endChange(trx: Knex, release: DataModeRelease, now: string): Promise<DataModeRelease> {
  const { projectId, op } = release
  await recordReleases(trx, [release.id], now)
  const isChanged =
    op === 'enable'
      ? await enableDataMode(trx, projectId, now)
      : op === 'disable'
        ? await disableDataMode(trx, projectId, now)
        : true
  if (!isChanged) throw new Error(`The mode of project ${projectId} was changed outside of its queue.`)
  await activateKey(trx, release)
  await freeClaims(trx, projectId, [release.id])
  await recordEnd(trx, release, { state: 'live', outcome: null, failure: null, in_history: false }, now)
  return { ...release, state: 'live', finishedAt: now }
}

/** Ends a change of redirects as live. The caller frees its claims. */
export async function endRedirects(
  trx: Knex,
  release: RedirectRelease,
  now: string,
): Promise<RedirectRelease> {
  await recordEnd(trx, release, { state: 'live', outcome: null, failure: null, in_history: false }, now)
  return { ...release, state: 'live', finishedAt: now }
}

/** Ends a refused release and undoes its edit. */
export async function endRefused(trx: Knex, refused: Failed, ports: EventPorts): Promise<Release> {
  await undoEdit(trx, refused.release, ports)
  return fail(trx, refused, false, ports.now)
}

/** Marks a release for reverting, because an earlier attempt may have written files. Undoes the edit of a refused one. */
export async function revertFailed(
  trx: Knex,
  { release, failure }: Failed,
  ports: EventPorts,
): Promise<Release> {
  if (!isServiceFault(failure)) await undoEdit(trx, release, ports)
  await trx('releases')
    .where({ id: release.id })
    .update({ state: 'reverting', failure: JSON.stringify(failure), undo: null })
  return { ...release, state: 'reverting', failure }
}

/** Ends a release that failed before the deploy for a reason of the service. Its edit remains. */
export async function endFailed<Refused extends AnyRelease>(
  trx: Knex,
  failed: FailedRelease<Refused>,
  now: string,
): Promise<Refused> {
  return fail(trx, failed, true, now)
}

async function fail<Refused extends AnyRelease>(
  trx: Knex,
  { release, failure }: FailedRelease<Refused>,
  inHistory: boolean,
  now: string,
): Promise<Refused> {
  await freeClaims(trx, release.projectId, [release.id])
  if (!isPageRelease(release)) await dropKey(trx, release.id)
  const end = { state: 'failed', outcome: null, failure: JSON.stringify(failure) } as const
  await recordEnd(trx, release, { ...end, in_history: inHistory }, now)
  return { ...release, state: 'failed', failure, finishedAt: now }
}

/** Frees the claims of these releases. */
export async function freeClaims(
  trx: Knex,
  projectId: ProjectId,
  releases: readonly ReleaseId[],
): Promise<void> {
  const freed = await selectInChunks(releases, (chunk) =>
    trx('live_objects')
      .whereIn('claimed_by', chunk)
      .update({ claimed_by: null })
      .returning<Pick<ObjectRow, 'key' | 'artifact_digest'>[]>(['key', 'artifact_digest']),
  )
  const empty = freed.filter(({ artifact_digest: digest }) => digest === null).map(({ key }) => key)
  await deleteObjects(trx, projectId, empty)
}

async function recordEnd(
  trx: Knex,
  { id }: AnyRelease,
  end: {
    readonly state: 'live' | 'failed'
    readonly outcome: string | null
    readonly failure: string | null
    readonly in_history: boolean
    readonly digests?: string
    readonly snapshot?: Uint8Array
  },
  now: string,
): Promise<void> {
  await trx('releases')
    .where({ id })
    .update({ ...end, undo: null, finished_at: now })
}

async function moveStatus(trx: Knex, release: Release, { publishedAt }: ReleaseOutcome): Promise<void> {
  // It moves neither the status nor a time of publishing.
  if (release.op === 'refresh') return
  const page = trx('pages').where({ id: release.pageId })
  if (release.statusAfter === null) await page.delete()
  else if (publishedAt === null) await page.update({ status: release.statusAfter })
  else {
    await page.update({
      status: release.statusAfter,
      published_at: publishedAt,
      first_published_at: trx.raw('coalesce(first_published_at, ?)', [publishedAt]),
    })
  }
}

/** Undoes the edit of a refused release. Keeps the page's current address, or id in feeds, when another page has taken the previous one. */
async function undoEdit(trx: Knex, release: Release, ports: EventPorts): Promise<void> {
  const row = await trx<ReleaseRow>('releases').where({ id: release.id }).first('undo', 'actor')
  if (row === undefined || row.undo === null) return
  const undo: Undo = JSON.parse(row.undo)
  const pages = createPageRepository(trx)
  const found = await pages.find(release.pageId)
  if (found === null) return
  const restored = revertEdit(found.page, undo)
  const { id, projectId, subroute, slug } = restored
  const taken = await trx('pages').where({ project_id: projectId, subroute, slug }).whereNot({ id }).first()
  const addressed = taken === undefined ? restored : withAddressOf(restored, found.page)
  const page = (await isFeedGuidTaken(trx, addressed)) ? withFeedGuidOf(addressed, found.page) : addressed
  await pages.update(page)
  await createAuditRepository(trx).insert({
    id: ports.newId<'aud'>(),
    createdAt: ports.now,
    of: { projectId },
    act: 'page.undo',
    target: id,
    actor: row.actor === null ? SERVICE : JSON.parse(row.actor),
    before: { version: found.page.version },
    after: { version: page.version },
  })
  const url = release.snapshot.site.origin + publicUrlPath(page, found.home.siteRoutes)
  await enqueueEvents(trx, projectId, [storedEvent('page.updated', { ...page, url }, ports.now)], ports)
}

async function isFeedGuidTaken(trx: Knex, { id, projectId, feedGuid }: Page): Promise<boolean> {
  if (feedGuid == null) return false
  const other = await trx('pages')
    .where({ project_id: projectId, feed_guid: feedGuid })
    .whereNot({ id })
    .first('id')
  return other !== undefined
}

function withFeedGuidOf(page: Page, { feedGuid, ownFields }: Page): Page {
  return { ...page, feedGuid, ownFields: { ...page.ownFields, feedGuid: ownFields.feedGuid ?? null } }
}

function withAddressOf(page: Page, { subroute, slug }: Page): Page {
  return { ...page, subroute, slug }
}
