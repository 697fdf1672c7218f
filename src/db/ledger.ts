import type { Ledger } from '../publish/ledger/ledger.ts'
import type { Connections } from './connections.ts'
import { createLateWrites } from './ledger/late-writes.ts'
import { createLeases, type LedgerPorts, leaseTransactions } from './ledger/leases.ts'
import { createLiveState } from './ledger/live-state.ts'
import { createRedirectRows } from './ledger/redirect-rows.ts'
import { createReleaseQueue } from './ledger/release-queue.ts'
import { createSearchRows } from './ledger/search-rows.ts'
import { createStoredArtifacts } from './ledger/stored-artifacts.ts'

/** The ledger over one database. */
export function createLedger(connections: Connections, ports: LedgerPorts): Ledger {
  const underLease = leaseTransactions(connections)
  const liveState = createLiveState(connections, underLease, ports)
  return {
    releaseQueue: createReleaseQueue(connections, underLease, ports),
    leases: createLeases(connections, ports),
    lateWrites: createLateWrites(connections, ports),
    liveState,
    storedArtifacts: createStoredArtifacts(connections, underLease),
    searchRows: createSearchRows(connections, underLease, ports),
    redirectRows: createRedirectRows(connections, liveState),
  }
}
