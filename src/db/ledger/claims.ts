import type { Knex } from 'knex'
import {
  type AnyRelease,
  isDataModeRelease,
  type RedirectRelease,
  type Release,
} from '../../domain/release.ts'
import { type ClaimDecisions, type Decision, decideClaims } from '../../publish/decide/claims.ts'
import { failed } from '../../publish/decide/endings.ts'
import { untilRepeat } from '../../publish/decide/next-in-line.ts'
import { createRedirectTable } from '../../publish/decide/redirect-changes.ts'
import type { Lease } from '../../publish/ledger/leases.ts'
import type { ClaimCheck, ClaimPorts, ClaimResult } from '../../publish/ledger/release-queue.ts'
import { recordReleases } from '../audit.ts'
import type { EventPorts } from '../repositories/webhooks.ts'
import { claimChange } from './data-mode-changes.ts'
import { storeFeedIds } from './feed-ids.ts'
import { enqueueReleaseEvents, freeClaims, writeEnding, writeLive } from './finish-releases.ts'
import { markClaimed, writeClaims } from './object-keys.ts'
import { readClaim, readRedirects } from './read-claim-rows.ts'
import { cancelSchedules } from './schedules.ts'

/**
 * Reads the rows for waiting releases, decides about them and writes the decisions, inside a transaction under the
 * project's lease. Changes of Data Mode or redirects are claimed alone.
 *
 * @param ports.isAwaited starts the deploy with the claim, which saves a transaction.
 */
export async function claimReleases(
  trx: Knex,
  lease: Lease,
  waiting: readonly AnyRelease[],
  ports: ClaimPorts & { readonly isAwaited: boolean },
  events: EventPorts,
): Promise<Omit<ClaimResult, 'isAwaited'>> {
  const [first] = waiting
  if (first === undefined) return NOTHING
  if (isDataModeRelease(first)) return claimChange(trx, lease, first, ports, events)
  if (first.op === 'redirects') return claimRedirectChange(trx, lease, first, events)

  const read = await readClaim(trx, lease.projectId, untilRepeat(waiting), ports, events.now)
  const decided = decideClaims(read.candidates, read.rows, events.now)
  const releases = decided.decisions.flatMap((one) => (one.kind === 'claimed' ? one.claimed : []))
  const claimed = releases.map(({ release }) => release)
  const ended = await writeEndings(trx, lease, decided, events)
  await writeClaims(trx, lease.projectId, decided.keys)
  await storeFeedIds(trx, claimed, read.feedIds)
  await markClaimed(
    trx,
    lease,
    claimed.map(({ id }) => id),
    { isDeploying: ports.isAwaited },
  )
  return { ...NOTHING, releases, ended }
}

const NOTHING = { releases: [], change: null, redirects: null, ended: [] }

/** Stores the endings of releases without a claim. */
async function writeEndings(
  trx: Knex,
  { projectId }: Lease,
  { decisions }: ClaimDecisions,
  events: EventPorts,
): Promise<readonly Release[]> {
  const endings = decisions.flatMap((one) => (one.kind === 'ended' ? one.ending : []))
  const done = endings.map(({ release }) => release).filter(({ state }) => state === 'live')
  const ids = done.map(({ id }) => id)
  await recordReleases(trx, ids, events.now)
  await freeClaims(trx, projectId, ids)
  for (const ending of endings) {
    if (ending.release.state === 'live')
      await writeLive(trx, ending, { digests: null, snapshot: null }, events)
    else await writeEnding(trx, ending, events)
  }
  await cancelSchedules(trx, done, events.now)
  await enqueueReleaseEvents(trx, projectId, done, events)
  return endings.map(({ release }) => release)
}

async function claimRedirectChange(
  trx: Knex,
  lease: Lease,
  release: RedirectRelease,
  events: EventPorts,
): Promise<Omit<ClaimResult, 'isAwaited'>> {
  // An interrupted attempt was checked, and may have written files.
  const failure =
    release.state === 'claimed'
      ? null
      : createRedirectTable(await readRedirects(trx, lease.projectId)).change(release.change)
  if (failure !== null)
    return { ...NOTHING, ended: [await writeEnding(trx, failed({ release, failure }, events.now), events)] }
  await markClaimed(trx, lease, [release.id], { isDeploying: true })
  return { ...NOTHING, redirects: release }
}

/** Result of `claimReleases` for the publish of one page, without an effect. */
export async function checkClaim(
  db: Knex,
  release: Release,
  ports: Pick<ClaimPorts, 'keysOf' | 'redirectFrom' | 'keyIdOf'>,
  now: string,
): Promise<ClaimCheck> {
  const { candidates, rows } = await readClaim(db, release.projectId, [release], ports, now)
  // Releases that have claimed keys now end before this one would be claimed.
  const owners = new Map([...rows.owners].map(([key, owner]) => [key, { ...owner, claimedBy: null }]))
  const [decision] = decideClaims(candidates, { ...rows, owners }, now).decisions
  return checkOf(decision)
}

function checkOf(decision: Decision | undefined): ClaimCheck {
  if (decision?.kind === 'claimed') return { claimable: decision.claimed }
  const failure = decision?.kind === 'ended' ? decision.ending.release.failure : null
  if (failure === null) throw new Error('A publish of one page was neither claimed nor refused.')
  return { failure }
}
