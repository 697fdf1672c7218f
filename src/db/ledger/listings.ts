import type { Knex } from 'knex'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import type { Ledger, ListingClaim, ListingSlot } from '../../publish/ledger.ts'
import type { SqliteConnections } from '../sqlite.ts'
import { inChunks, type ObjectRow, toObject } from './objects.ts'

/** Listings: who stands where, and what lies at their keys. */
export function createListingRows({
  reader,
}: Pick<SqliteConnections, 'reader'>): Pick<Ledger, 'slotsOf' | 'slotsGiven' | 'objectsAt' | 'claimedBy'> {
  return {
    async slotsOf(projectId, pages) {
      const rows = await reader('listing_slots')
        .where({ project_id: projectId })
        .whereIn('page_id', [...pages])
      return rows.map(({ page_id: pageId, folder, slot }) => ({ pageId, folder, slot }))
    },

    async slotsGiven(projectId, folders) {
      const given = new Map<string, number>()
      for (const folder of folders) {
        const row = await reader('listing_slots').where({ project_id: projectId, folder }).max('slot as last')
        const last: number | null = row[0]?.['last'] ?? null
        given.set(folder, last === null ? 0 : last + 1)
      }
      return given
    },

    async claimedBy(releases) {
      return (await reader<ObjectRow>('live_objects').whereIn('claimed_by', [...releases])).map(toObject)
    },

    async objectsAt(projectId, keys) {
      const found: ObjectRow[] = []
      await inChunks(keys, async (chunk) => {
        found.push(
          ...(await reader<ObjectRow>('live_objects').where({ project_id: projectId }).whereIn('key', chunk)),
        )
      })
      return found.map(toObject)
    },
  }
}

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
