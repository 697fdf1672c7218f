import type { ProjectId } from '../../domain/ids.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import type { StoredArtifacts } from '../ledger/stored-artifacts.ts'
import { createSealing } from './seal.ts'

export interface SealStoredPorts {
  readonly storedArtifacts: Pick<
    StoredArtifacts,
    'projectsToSeal' | 'findUnsealed' | 'replaceSealed' | 'contentKeys'
  >
  readonly masterKey: MasterKey
}

/** Artifacts per transaction. */
const STEP = 20

/**
 * Seals stored artifacts of pages that were published before Data Mode was enabled. A revert unseals them in any
 * mode, so no plaintext copy is needed. Safe to interrupt anywhere.
 */
export async function sealStoredBytes(ports: SealStoredPorts): Promise<void> {
  for (const projectId of await ports.storedArtifacts.projectsToSeal()) await sealProject(projectId, ports)
}

async function sealProject(projectId: ProjectId, ports: SealStoredPorts): Promise<void> {
  const { storedArtifacts } = ports
  const sealing = await createSealing(projectId, ports)
  for (;;) {
    const unsealed = await storedArtifacts.findUnsealed(projectId, STEP)
    if (unsealed.length === 0) return
    await storedArtifacts.replaceSealed(projectId, unsealed.map(sealing.sealStored))
  }
}
