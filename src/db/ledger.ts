import type { Ledger } from '../publish/ledger/ledger.ts'
import type { Connections } from './connections.ts'
import { createLeases, type LedgerPorts, leaseTransactions } from './ledger/leases.ts'
import { createLiveState } from './ledger/live-state.ts'
import { createReleaseQueue } from './ledger/release-queue.ts'
import { createSearchRows } from './ledger/search-rows.ts'
import { createStoredArtifacts } from './ledger/stored-artifacts.ts'

/** The ledger over one database. */
export function createLedger(connections: Connections, ports: LedgerPorts): Ledger {
  const underLease = leaseTransactions(connections)
  return {
    releaseQueue: createReleaseQueue(connections, underLease, ports),
    leases: createLeases(connections, ports),
    liveState: createLiveState(connections, underLease, ports),
    storedArtifacts: createStoredArtifacts(connections, underLease),
    searchRows: createSearchRows(connections, underLease, ports),
  }
}
