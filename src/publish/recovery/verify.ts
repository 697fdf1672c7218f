import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../domain/errors.ts'
import { type ProjectId, prefixed, type ReleaseId } from '../../domain/ids.ts'
import type { Lease } from '../ledger/leases.ts'
import type { PublishPorts } from '../ports.ts'
import type { LeaseHolder } from '../queue/lease-holder.ts'
import { withLease } from '../queue/with-lease.ts'
import { compare, type Difference } from './compare.ts'
import { repair } from './repair.ts'

export interface VerifyPorts extends PublishPorts {
  readonly leaseHolder: LeaseHolder
}

export interface Finding extends Difference {
  readonly repaired: boolean
}

/** How often a release that must end is looked at. */
const ASK_MS = 250
/** For a server, or the publisher beside us, to end what a dead one left half-way. */
const RECOVERY_PATIENCE_MS = 30_000

/**
 * Compare what the database says of a project with what lies on the store. All is read while others
 * publish; only what looks wrong then is looked at again under the project's lease.
 *
 * @param wanted.only the keys whose bytes are read; null for all.
 * @param wanted.repair true mends what can be mended, under the lease, once unfinished releases have ended.
 * @param wanted.onRead is called for each object read, with how many there are in all.
 * @throws {ServiceError} `conflict` when the project is published to without a pause.
 */
export async function verifyProject(
  projectId: ProjectId,
  ports: VerifyPorts,
  wanted: {
    readonly only: ReadonlySet<string> | null
    readonly repair: boolean
    readonly onRead: (total: number) => void
  },
): Promise<readonly Finding[]> {
  const suspected = await compare(projectId, ports, wanted.only, wanted.onRead)
  if (suspected.length === 0) return []
  const keys = new Set(suspected.map(({ key }) => key))
  const look = () => lead(projectId, ports, (lease) => lookAgain(lease, keys, ports, wanted.repair))

  const patience = wanted.repair ? RECOVERY_PATIENCE_MS / ASK_MS : 0
  for (let asked = 0; ; asked++) {
    const findings = await look()
    if (asked >= patience || !findings.some(({ kind }) => kind === 'unfinished')) return findings
    await sleep(ASK_MS)
  }
}

async function lead<T>(
  projectId: ProjectId,
  { leaseHolder }: VerifyPorts,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const led = await withLease(projectId, leaseHolder, work)
  if (led !== null) return led.done
  const id = prefixed('proj', projectId)
  throw new ServiceError(
    'conflict',
    `Project ${id} is published to without a pause; verify it when that is over.`,
  )
}

async function lookAgain(
  lease: Lease,
  keys: ReadonlySet<string>,
  ports: VerifyPorts,
  isRepairing: boolean,
): Promise<readonly Finding[]> {
  const begun = await ports.releaseQueue.listStarted(lease.projectId)
  if (begun.length > 0) return begun.map(unfinished)
  const found = await compare(lease.projectId, ports, keys)
  if (found.length === 0 || !isRepairing)
    return found.map((difference) => ({ ...difference, repaired: false }))

  const failures = await repair(lease, found, ports)
  const left = await compare(lease.projectId, ports, keys)
  const leftKeys = new Set(left.map(({ key }) => key))
  return [
    ...found.filter(({ key }) => !leftKeys.has(key)).map((difference) => ({ ...difference, repaired: true })),
    ...left.map((difference) => ({
      ...difference,
      message: [difference.message, failures.get(difference.key)].filter(Boolean).join(' '),
      repaired: false,
    })),
  ]
}

function unfinished(id: ReleaseId): Finding {
  return {
    kind: 'unfinished',
    key: prefixed('rel', id),
    ownerKind: null,
    message: 'This release was left half-way; a running server ends it, and so does --repair.',
    repaired: false,
  }
}
