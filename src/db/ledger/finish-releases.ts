import type { Knex } from 'knex'
import { SERVICE } from '../../domain/audit.ts'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import { type Page, revertEdit, type Undo } from '../../domain/page.ts'
import { type AnyRelease, type DataModeRelease, isPageRelease, type Release } from '../../domain/release.ts'
import { publicUrlPath } from '../../domain/route.ts'
import type { LiveDigests } from '../../domain/staleness.ts'
import { eventsOfRelease, storedEvent } from '../../domain/webhook-events.ts'
import { type Ending, statesBefore, wentLive } from '../../publish/decide/endings.ts'
import { createAuditRepository, recordReleases } from '../audit.ts'
import { enqueueEvents } from '../deliveries.ts'
import { createPageRepository } from '../pages.ts'
import type { ReleaseRow } from '../release-rows.ts'
import type { EventPorts } from '../repositories/webhooks.ts'
import { activateKey, disableDataMode, dropKey, enableDataMode } from './content-keys.ts'
import { deleteObjects, type ObjectRow, selectInChunks } from './objects.ts'

/* Stores the endings of `publish/decide/endings.ts`. Call these functions inside a transaction under the project's lease. */

/** Stores the next state of a release. Frees the claims of a failed one, and undoes its edit where decided. */
export async function writeEnding<Ended extends AnyRelease>(
  trx: Knex,
  { release, undoesEdit, inHistory }: Ending<Ended>,
  ports: EventPorts,
  published: { readonly digests?: string; readonly snapshot?: Uint8Array } = {},
): Promise<Ended> {
  if (undoesEdit && isPageRelease(release)) await undoEdit(trx, release, ports)
  if (release.state === 'failed') {
    await freeClaims(trx, release.projectId, [release.id])
    if (!isPageRelease(release)) await dropKey(trx, release.id)
  }
  const { id, state, outcome, failure, finishedAt } = release
  const changed = await trx('releases')
    .where({ id })
    .whereIn('state', statesBefore(state))
    .update({
      state,
      outcome: outcome === null ? null : JSON.stringify(outcome),
      failure: failure === null ? null : JSON.stringify(failure),
      in_history: inHistory,
      finished_at: finishedAt,
      undo: null,
      ...published,
    })
  if (changed === 0) throw new Error(`Release ${id} cannot become ${state}, because it has ended.`)
  return release
}

/**
 * Stores a release as live, and updates or deletes its page. The caller frees its claims.
 *
 * @param published.digests digests of the published page; null without one.
 * @param published.snapshot compressed; null leaves it as it is.
 */
export async function writeLive(
  trx: Knex,
  ending: Ending<Release>,
  { digests, snapshot }: { readonly digests: LiveDigests | null; readonly snapshot: Uint8Array | null },
  ports: EventPorts,
): Promise<Release> {
  await moveStatus(trx, ending.release)
  return writeEnding(trx, ending, ports, {
    ...(digests !== null && { digests: JSON.stringify(digests) }),
    ...(snapshot !== null && { snapshot }),
  })
}

/** Enqueues webhook deliveries for live releases. @returns false without a subscribed webhook. */
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
export async function writeModeChange(
  trx: Knex,
  release: DataModeRelease,
  ports: EventPorts,
): Promise<DataModeRelease> {
  const { projectId, op } = release
  await recordReleases(trx, [release.id], ports.now)
  const isChanged =
    op === 'enable'
      ? await enableDataMode(trx, projectId, ports.now)
      : op === 'disable'
        ? await disableDataMode(trx, projectId, ports.now)
        : true
  if (!isChanged) throw new Error(`The mode of project ${projectId} was changed outside of its queue.`)
  await activateKey(trx, release)
  await freeClaims(trx, projectId, [release.id])
  return writeEnding(trx, wentLive(release, null, ports.now), ports)
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

async function moveStatus(trx: Knex, release: Release): Promise<void> {
  // It moves neither the status nor a time of publishing.
  if (release.op === 'refresh') return
  const publishedAt = release.outcome?.publishedAt ?? null
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

/** Undoes the edit of a refused release. The page keeps its address or id in feeds when the previous one is taken. */
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
