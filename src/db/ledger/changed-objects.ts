import type { Knex } from 'knex'
import { isSharedKey } from '../../domain/artifact.ts'
import type { ProjectId } from '../../domain/ids.ts'
import type { Commit } from '../../publish/ledger/release-queue.ts'
import { requestCachePurge } from '../cache-purges.ts'
import type { LedgerPorts } from './leases.ts'

/**
 * Keys with other content for visitors than before. Shared files are named by their content, so new ones were never
 * cached.
 */
export function changedKeys({ uploads, deletes }: Pick<Commit, 'uploads' | 'deletes'>): readonly string[] {
  const changed = uploads.filter(({ artifact, reason }) => !(reason === 'new' && isSharedKey(artifact.key)))
  return [...changed.map(({ artifact }) => artifact.key), ...deletes]
}

/** Records purges of these objects, if there is a CDN. Call it inside the transaction. */
export async function purgeCached(
  trx: Knex,
  projectId: ProjectId,
  keys: readonly string[],
  { newId, now, onCachePurge }: LedgerPorts,
): Promise<void> {
  if (onCachePurge) await requestCachePurge(trx, projectId, keys, { newId, now: now() })
}
