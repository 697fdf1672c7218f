import type { Knex } from 'knex'
import type { ProjectId } from '../../domain/ids.ts'
import type { ListingSlot } from '../../publish/ledger/live-state.ts'
import { inChunks } from './objects.ts'

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
