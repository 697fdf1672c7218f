import type { Knex } from 'knex'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import type { ListingSlot } from '../../publish/ledger/live-state.ts'
import type { ListingClaim } from '../../publish/ledger/release-queue.ts'
import { inChunks } from './objects.ts'

export async function claimListings(
  trx: Knex,
  projectId: ProjectId,
  claimer: ReleaseId,
  pages: readonly ListingClaim[],
): Promise<void> {
  const rows = pages.map(({ key, folder }) => ({
    project_id: projectId,
    key,
    owner_kind: 'listing',
    owner_id: folder,
    claimed_by: claimer,
  }))
  await inChunks(rows, (chunk) =>
    trx('live_objects').insert(chunk).onConflict(['project_id', 'key']).merge(['claimed_by']),
  )
}

export async function writeSlots(
  trx: Knex,
  projectId: ProjectId,
  slots: readonly ListingSlot[],
): Promise<void> {
  const rows = slots.map(({ pageId, folder, slot }) => ({
    project_id: projectId,
    page_id: pageId,
    folder,
    slot,
  }))
  await inChunks(rows, (chunk) => trx('listing_slots').insert(chunk))
}
