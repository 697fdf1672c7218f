import type { Repositories } from '../../db/repositories.ts'
import type { Asset } from '../../domain/asset.ts'
import { type Act, type Actor, type AuditState, changedFields } from '../../domain/audit.ts'
import type { ServiceContext } from '../context.ts'
import { recordAct } from './record-act.ts'

/** A change of an asset: null before it was uploaded, and after it was deleted. */
export interface AssetAct {
  readonly act: Act
  readonly before: Asset | null
  readonly after: Asset | null
}

/** Records a change of an asset. */
export async function recordAsset(
  repositories: Pick<Repositories, 'audit'>,
  ports: Pick<ServiceContext, 'newId' | 'now'>,
  actor: Actor,
  { act, before, after }: AssetAct,
): Promise<void> {
  const asset = after ?? before
  if (asset === null) throw new RangeError('A change of an asset has an asset before or after it.')
  await recordAct(repositories, ports, actor, {
    act,
    of: { projectId: asset.projectId },
    target: asset.id,
    before: before && stateOf(before),
    after: after && stateOf(after),
    fields: before === null || after === null ? [] : changedFields(before, settable(after)),
  })
}

function stateOf({ version, digest }: Asset): AuditState {
  return { version, digest }
}

/** The fields of an asset that users set. */
function settable({ name, alt, title, focus }: Asset) {
  return { name, alt, title, focus }
}
