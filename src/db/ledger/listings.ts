import type { Knex } from 'knex'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import type { ListingSlot } from '../../publish/ledger/live-state.ts'
import type { FileClaim } from '../../publish/ledger/release-queue.ts'
import { inChunks } from './objects.ts'

export async function claimFiles(
  trx: Knex,
  projectId: ProjectId,
  claimer: ReleaseId,
  files: readonly FileClaim[],
): Promise<void> {
  const rows = files.map(({ key, owner }) => ({
    project_id: projectId,
    key,
    owner_kind: owner.kind,
    owner_id: owner.id,
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
