import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../domain/errors.ts'
import { type ProjectId, prefixed, type ReleaseId } from '../../domain/ids.ts'
import type { Lease } from '../ledger/leases.ts'
import type { PublishPorts } from '../ports.ts'
import type { HeldLease } from '../queue/held-lease.ts'
import type { LeaseHolder } from '../queue/lease-holder.ts'
import { withLease } from '../queue/with-lease.ts'
import { compare, type Difference } from './compare.ts'
import type { Recover } from './recover.ts'
import { repair } from './repair.ts'

export interface VerifyPorts extends PublishPorts {
  readonly leaseHolder: LeaseHolder
  /** Ends unfinished releases before a repair. Absent in a server, whose publisher does it. */
  readonly recover?: Recover
}

export interface CheckedDifference extends Difference {
  readonly repaired: boolean
}

/** Interval of checks of unfinished releases. */
const POLL_MS = 250
/** Time for a running server, or this process's publisher, to recover releases of a dead process. */
const RECOVERY_TIMEOUT_MS = 30_000

/**
 * Compares the database of a project with the store. Reads everything without the lease, then checks the differences
 * again under it.
 *
 * @param wanted.only the keys whose bytes are read; null for all.
 * @param wanted.repair whether to repair differences, under the lease, once unfinished releases have ended.
 * @param wanted.stopping ends the wait for the lease and for unfinished releases when it is aborted; the result is then
 *   incomplete.
 * @param wanted.onRead called after each object is read, with the total number to read.
 * @throws {ServiceError} `conflict` when the lease was not available.
 */
export async function verifyProject(
  projectId: ProjectId,
  ports: VerifyPorts,
  wanted: {
    readonly only: ReadonlySet<string> | null
    readonly repair: boolean
    readonly onRead: (total: number) => void
    readonly stopping?: AbortSignal
  },
): Promise<readonly CheckedDifference[]> {
  const refusal = wanted.repair ? ((await ports.recover?.(projectId)) ?? null) : null
  if (refusal !== null)
    return (await ports.releaseQueue.listStarted(projectId)).map((id) => unfinished(id, refusal))
  const suspected = await compare(projectId, ports, wanted.only, wanted.onRead)
  if (suspected.length === 0) return []
  const keys = new Set(suspected.map(({ key }) => key))
  const check = () =>
    underLease(
      projectId,
      ports,
      ({ lease, guard }) =>
        checkAgain(lease, keys, { ...ports, storage: guard(ports.storage) }, wanted.repair),
      wanted.stopping,
    )

  const maxRetries = wanted.repair ? RECOVERY_TIMEOUT_MS / POLL_MS : 0
  for (let retries = 0; ; retries++) {
    const findings = await check()
    if (findings === null) return []
    if (retries >= maxRetries || !findings.some(({ kind }) => kind === 'unfinished')) return findings
    await ports.recover?.(projectId)
    await sleep(POLL_MS)
  }
}

/** Runs work under the lease. Null when the wait for it was stopped. */
async function underLease<T>(
  projectId: ProjectId,
  { leaseHolder }: VerifyPorts,
  work: (held: HeldLease) => Promise<T>,
  stopping: AbortSignal | undefined,
): Promise<T | null> {
  const ran = await withLease(projectId, leaseHolder, work, stopping)
  if (ran !== null) return ran.done
  if (stopping?.aborted) return null
  const id = prefixed('proj', projectId)
  throw new ServiceError('conflict', `Project ${id} is being published to; verify it again later.`)
}

async function checkAgain(
  lease: Lease,
  keys: ReadonlySet<string>,
  ports: VerifyPorts,
  isRepairing: boolean,
): Promise<readonly CheckedDifference[]> {
  const started = await ports.releaseQueue.listStarted(lease.projectId)
  if (started.length > 0) return started.map((id) => unfinished(id))
  const found = await compare(lease.projectId, ports, keys)
  if (found.length === 0 || !isRepairing)
    return found.map((difference) => ({ ...difference, repaired: false }))

  const failures = await repair(lease, found, ports)
  const remaining = await compare(lease.projectId, ports, keys)
  const remainingKeys = new Set(remaining.map(({ key }) => key))
  return [
    ...found
      .filter(({ key }) => !remainingKeys.has(key))
      .map((difference) => ({ ...difference, repaired: true })),
    ...remaining.map((difference) => ({
      ...difference,
      message: [difference.message, failures.get(difference.key)].filter(Boolean).join(' '),
      repaired: false,
    })),
  ]
}

function unfinished(
  id: ReleaseId,
  remedy = 'A running server recovers it, and so does --repair.',
): CheckedDifference {
  return {
    kind: 'unfinished',
    key: prefixed('rel', id),
    ownerKind: null,
    message: `This release was left part-way. ${remedy}`,
    repaired: false,
  }
}
