import type { NewAuditEntry } from '../../db/repositories/audit.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Actor } from '../../domain/audit.ts'
import type { ServiceContext } from '../context.ts'

/**
 * Adds a row to the audit log. Call it once for each change, in the transaction of the change.
 *
 * Releases are recorded when they go live, by the transaction that commits them.
 */
export function recordAct(
  { audit }: Pick<Repositories, 'audit'>,
  { newId, now }: Pick<ServiceContext, 'newId' | 'now'>,
  actor: Actor,
  entry: Omit<NewAuditEntry, 'id' | 'createdAt' | 'actor'>,
): Promise<void> {
  return audit.insert({ ...entry, actor, id: newId<'aud'>(), createdAt: now() })
}
