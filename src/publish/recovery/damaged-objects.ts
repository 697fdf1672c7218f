import type { ProjectId } from '../../domain/ids.ts'
import { mapConcurrently } from '../../platform/concurrency.ts'
import { createSealing } from '../data-mode/seal.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import { type ComparePorts, compareObject } from './compare.ts'

const CONCURRENCY = 16

/**
 * The keys of objects that are missing on the store, or have other bytes or headers than were published. Objects that
 * cannot be read are not among them: the store may only be unavailable.
 */
export async function damagedObjects(
  projectId: ProjectId,
  objects: readonly LiveObject[],
  ports: Pick<ComparePorts, 'storedArtifacts' | 'masterKey' | 'storage'>,
): Promise<ReadonlySet<string>> {
  const sealing = await createSealing(projectId, ports)
  const published = objects.filter(({ digest }) => digest !== null)
  const differences = await mapConcurrently(published, CONCURRENCY, (object) =>
    compareObject(projectId, object, sealing, ports.storage),
  )
  return new Set(
    differences.flatMap((difference) =>
      difference === null || difference.kind === 'unreadable' ? [] : [difference.key],
    ),
  )
}
