import type { ProjectId } from '../../domain/ids.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import type { Ledger } from '../ledger.ts'
import { createSealing } from './seal.ts'

export interface SealKeptPorts {
  readonly ledger: Pick<Ledger, 'projectsToSeal' | 'keptOpen' | 'keepSealed' | 'contentKeys'>
  readonly masterKey: MasterKey
}

/** Sealed in one transaction. */
const STEP = 20

/**
 * Seal what the database keeps of pages that were published before Data Mode was on. Nobody needs it in
 * the clear: it is opened to be put back, whatever the mode is then. May be broken off anywhere.
 */
export async function sealKept(ports: SealKeptPorts): Promise<void> {
  for (const projectId of await ports.ledger.projectsToSeal()) await sealProject(projectId, ports)
}

async function sealProject(projectId: ProjectId, ports: SealKeptPorts): Promise<void> {
  const { ledger } = ports
  const sealing = await createSealing(projectId, ports)
  for (;;) {
    const open = await ledger.keptOpen(projectId, STEP)
    if (open.length === 0) return
    await ledger.keepSealed(projectId, open.map(sealing.sealKept))
  }
}
