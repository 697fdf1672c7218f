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

/** Sealed in one transaction. */
const STEP = 20

/**
 * Seal what the database keeps of pages that were published before Data Mode was on. Nobody needs it in
 * the clear: it is opened to be put back, whatever the mode is then. May be broken off anywhere.
 */
export async function sealStoredBytes(ports: SealStoredPorts): Promise<void> {
  for (const projectId of await ports.storedArtifacts.projectsToSeal()) await sealProject(projectId, ports)
}

async function sealProject(projectId: ProjectId, ports: SealStoredPorts): Promise<void> {
  const { storedArtifacts } = ports
  const sealing = await createSealing(projectId, ports)
  for (;;) {
    const open = await storedArtifacts.findUnsealed(projectId, STEP)
    if (open.length === 0) return
    await storedArtifacts.replaceSealed(projectId, open.map(sealing.sealStored))
  }
}
