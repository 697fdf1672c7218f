import type { LateWrites } from './late-writes.ts'
import type { Leases } from './leases.ts'
import type { LiveState } from './live-state.ts'
import type { RedirectRows } from './redirect-rows.ts'
import type { ReleaseQueue } from './release-queue.ts'
import type { SearchRows } from './search-rows.ts'
import type { StoredArtifacts } from './stored-artifacts.ts'

/** The ports through which publishing reads and writes the database. `db/ledger.ts` composes them. */
export interface Ledger {
  readonly releaseQueue: ReleaseQueue
  readonly leases: Leases
  readonly lateWrites: LateWrites
  readonly liveState: LiveState
  readonly storedArtifacts: StoredArtifacts
  readonly searchRows: SearchRows
  readonly redirectRows: RedirectRows
}
