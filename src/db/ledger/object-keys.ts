import type { Knex } from 'knex'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import type { KeyClaim } from '../../publish/decide/key-claims.ts'
import type { Lease } from '../../publish/ledger/leases.ts'
import { inChunks } from './objects.ts'

/* Call these functions inside a transaction under the project's lease. */

/** Claims keys. An existing row keeps its owner until the commit. */
export async function writeClaims(
  trx: Knex,
  projectId: ProjectId,
  claims: readonly KeyClaim[],
): Promise<void> {
  const rows = claims.map(({ key, owner, claimedBy }) => ({
    project_id: projectId,
    key,
    owner_kind: owner.kind,
    owner_id: owner.id,
    claimed_by: claimedBy,
  }))
  await inChunks(rows, (chunk) =>
    trx('live_objects').insert(chunk).onConflict(['project_id', 'key']).merge(['claimed_by']),
  )
}

/** Marks releases as claimed under the lease. @param isDeploying true when their deploy starts with the claim. */
export async function markClaimed(
  trx: Knex,
  { fence }: Lease,
  ids: readonly ReleaseId[],
  { isDeploying }: { readonly isDeploying: boolean },
): Promise<void> {
  await inChunks(ids, (chunk) =>
    trx('releases')
      .whereIn('id', chunk)
      .update({
        state: 'claimed',
        fence,
        attempts: trx.raw('attempts + 1'),
        ...(isDeploying && { is_deploying: true }),
      }),
  )
}
