import type { ProjectId } from '../../domain/ids.ts'
import type { Lease, LeaseState, Ledger } from '../ledger.ts'

const BEAT_MS = 1_000
/** A leader whose beat stands still for so long, by our own clock, is taken over. */
const STILL_MS = 4_000

export interface LeaseHolderPorts {
  readonly ledger: Pick<Ledger, 'leaseOf' | 'takeLease' | 'beat' | 'giveBack'>
  /** Names whoever leads among all that ever led a project. */
  readonly holder: string
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  readonly log: PublishLog
}

export interface PublishLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

/** How one owner comes to lead projects. */
export interface LeaseHolder {
  /** The project's lease when it is free, ours, or its owner shows no life; else null, to be asked for again soon. */
  take(projectId: ProjectId): Promise<Lease | null>
  /** Show life while the work lasts, then give the lease back. */
  holdDuring<T>(lease: Lease, work: () => Promise<T>): Promise<T>
}

export function createLeaseHolder({ ledger, holder: owner, monotonic, log }: LeaseHolderPorts): LeaseHolder {
  const lastSeen = new Map<ProjectId, LeaseState & { readonly since: number }>()

  return {
    async take(projectId) {
      const seen = await ledger.leaseOf(projectId)
      const free = seen.holder === null || seen.holder === owner
      if (!free && !standsStill(projectId, seen)) return null
      lastSeen.delete(projectId)
      return ledger.takeLease(projectId, owner, seen)
    },

    async holdDuring(lease, work) {
      let lastBeat = Promise.resolve()
      const beating = setInterval(() => (lastBeat = beat(lease)), BEAT_MS)
      try {
        return await work()
      } finally {
        clearInterval(beating)
        await lastBeat
        await ledger.giveBack(lease)
      }
    },
  }

  function standsStill(projectId: ProjectId, seen: LeaseState): boolean {
    const last = lastSeen.get(projectId)
    if (last === undefined || last.fence !== seen.fence || last.beat !== seen.beat) {
      lastSeen.set(projectId, { ...seen, since: monotonic() })
      return false
    }
    return monotonic() - last.since >= STILL_MS
  }

  async function beat(lease: Lease): Promise<void> {
    try {
      await ledger.beat(lease)
    } catch (error) {
      log.error({ err: error, project: lease.projectId }, 'The lease was not renewed.')
    }
  }
}
