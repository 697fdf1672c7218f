import type { ApiKey } from '../../db/repositories/keys.ts'
import type { Repositories } from '../../db/repositories.ts'
import { type Act, type Actor, changedFields } from '../../domain/audit.ts'
import type { ServiceContext } from '../context.ts'
import { recordAct } from './record-act.ts'

/** Records a change of an API key for the account of its user, and for its project when it is restricted to one. */
export function recordKey(
  repositories: Repositories,
  ports: Pick<ServiceContext, 'newId' | 'now'>,
  actor: Actor,
  {
    act,
    before,
    after,
  }: { readonly act: Act; readonly before: ApiKey | null; readonly after: ApiKey | null },
): Promise<void> {
  const key = after ?? before
  if (key === null) throw new RangeError('A change of a key has a key before or after it.')
  const { id, userId, projectScope } = key
  return recordAct(repositories, ports, actor, {
    act,
    of: { userId, projectId: projectScope },
    target: id,
    before: before && { version: before.version },
    after: after && { version: after.version },
    fields: before === null || after === null ? [] : changedFields(before, settable(after)),
  })
}

/** The fields of a key that users set. */
function settable({ name, permissions, expiresAt }: ApiKey) {
  return { name, permissions, expiresAt }
}
