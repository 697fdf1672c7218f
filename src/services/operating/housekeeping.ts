import type { PruneCursor, PruningRepository } from '../../db/repositories/pruning.ts'
import type { Database } from '../../db/repositories.ts'
import { type SealStoredPorts, sealStoredBytes } from '../../publish/data-mode/seal-stored-bytes.ts'
import type { LiveState } from '../../publish/ledger/live-state.ts'
import type { Publisher } from '../../publish/queue/publisher.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import type { AccountLimitService } from '../accounts/account-limits.ts'
import { attemptsEnd } from '../accounts/sign-in-limit.ts'
import { numberChanges } from '../changes/number-changes.ts'
import type { MissingVariants } from '../media/missing-variants.ts'
import type { OriginalService } from '../media/originals.ts'
import type { createReplacedVariants } from '../media/replaced-variants.ts'

/** Time between two runs, of whichever processes. */
export const HOUSEKEEPING_MS = 60 * 60 * 1000

/** Retention of finished jobs. */
const JOB_RETENTION_MS = 30 * 24 * 60 * 60 * 1000
/** Retention of the record that a preview link has ended: longer than clocks are set back. */
const PREVIEW_RETENTION_MS = 365 * 24 * 60 * 60 * 1000
/** Retention of mails that were sent: longer than limits count them. */
const MAIL_RETENTION_MS = 24 * 60 * 60 * 1000
/** Transactions per round; the next round continues where this one stops. */
const MAX_STEPS = 200

/** Share of an account's `release_bytes` up to which all releases are retained: it can continue to publish. */
const RETAINED_SHARE = 0.8
/** Snapshots in memory; one may have several megabytes. */
const SNAPSHOTS_PER_STEP = 10

type PrunedKind = Exclude<keyof PruningRepository, 'oldestOf'>

export interface Housekeeping {
  /** Deletes unneeded records and assets, in short transactions that let other writes through. */
  prune(): Promise<void>
  /**
   * Runs `prune` when no process that shares the database has begun it within the last hour.
   *
   * @returns whether this process ran it.
   */
  pruneIfDue(): Promise<boolean>
}

export interface HousekeepingPorts {
  readonly db: Database
  readonly liveState: Pick<LiveState, 'orphanedAssets'>
  readonly storedArtifacts: SealStoredPorts['storedArtifacts']
  readonly masterKey: MasterKey
  readonly publisher: Pick<Publisher, 'removeOrphanedAssets'>
  readonly accountLimits: Pick<AccountLimitService, 'allowedTo'>
  readonly originals: Pick<OriginalService, 'sweep'>
  readonly missingVariants: MissingVariants
  readonly replacedVariants: ReturnType<typeof createReplacedVariants>
  /** The counted requests of keys; null where each process counts in memory. */
  readonly rateAccounts: { prune(now: string): Promise<void> } | null
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

export function createHousekeeping({
  db,
  liveState,
  storedArtifacts,
  masterKey,
  publisher,
  accountLimits,
  originals,
  missingVariants,
  replacedVariants,
  rateAccounts,
  now,
}: HousekeepingPorts): Housekeeping {
  /** Cursors of the next round, by kind; null is the start. */
  const reached: Record<PrunedKind, PruneCursor | null> = {
    releases: null,
    artifacts: null,
    settings: null,
  }
  let reachedChange: number | null = null

  return {
    prune,

    async pruneIfDue() {
      const nextAt = new Date(Date.parse(now()) + HOUSEKEEPING_MS).toISOString()
      const isOurs = await db.write(({ recurringWork }) => recurringWork.begin('housekeeping', now(), nextAt))
      if (isOurs) await prune()
      return isOurs
    },
  }

  async function prune(): Promise<void> {
    await rateAccounts?.prune(now())
    await inSteps(() => db.write(({ idempotency }) => idempotency.prune(now())))
    await inSteps(() => db.write(({ sessions }) => sessions.prune(now())))
    await db.write(({ setUpLinks }) => setUpLinks.prune(now()))
    await db.write(({ passkeys }) => passkeys.pruneChallenges(now()))
    await db.write(({ emailChanges }) => emailChanges.prune(now()))
    await db.write(({ transferOffers }) => transferOffers.prune(now()))
    await db.write(({ certificates }) => certificates.pruneChallenges(now()))
    const mailsBefore = new Date(Date.parse(now()) - MAIL_RETENTION_MS).toISOString()
    await db.write(({ mails }) => mails.prune(mailsBefore))
    const previewsUntil = new Date(Date.parse(now()) - PREVIEW_RETENTION_MS).toISOString()
    await inSteps(() => db.write(({ expiredPreviews }) => expiredPreviews.prune(previewsUntil)))
    await inSteps(() => db.write(({ signInAttempts }) => signInAttempts.prune(attemptsEnd(now()))))
    const jobsBefore = new Date(Date.parse(now()) - JOB_RETENTION_MS).toISOString()
    await inSteps(() => db.write(({ jobs }) => jobs.prune(jobsBefore)))
    await inSteps(() => db.write(({ webhooks }) => webhooks.prune(now())))
    await inSteps(() => db.write(({ audit }) => audit.prune(now())))
    await pruneChanges()
    await inSteps(() => db.write(({ visits }) => visits.prune(now())))
    await inSteps(() => db.write(({ pushes }) => pushes.prune(now())))
    // Artifacts and settings that only a pruned release referenced are unreferenced after this.
    await goThrough('releases', ({ releases }, after) => releases(now(), after))
    await pruneByBytes()
    await goThrough('artifacts', ({ artifacts }, after) => artifacts(after))
    await goThrough('settings', ({ settings }, after) => settings(after))
    await compressSnapshots()
    await sealStoredBytes({ storedArtifacts, masterKey })
    await originals.sweep()
    await missingVariants.request()
    await replacedVariants.prune()
    for (const projectId of await db.read.projects.ids())
      if ((await liveState.orphanedAssets(projectId)).length > 0)
        await publisher.removeOrphanedAssets(projectId)
  }

  /** Numbers changes that nobody reads, so that a first reader waits for those of an hour at most. */
  async function pruneChanges(): Promise<void> {
    for (const projectId of await db.read.changes.pending(MAX_STEPS)) await numberChanges(db, projectId)
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      reachedChange = await db.write(({ changes }) => changes.prune(now(), reachedChange), {
        alone: 'prune changes',
      })
      if (reachedChange === null) return
    }
  }

  /** Deletes the oldest releases of accounts that store nearly as much of them as they may. */
  async function pruneByBytes(): Promise<void> {
    for (const userId of await db.read.accounts.ids())
      for (let steps = 0; steps < MAX_STEPS; steps++) {
        const account = await db.read.accounts.ofUser(userId)
        if (account === null) break
        const { release_bytes: allowed } = await accountLimits.allowedTo(db.read, account)
        if (account.usage.release_bytes <= RETAINED_SHARE * allowed) break
        if (!(await db.write(({ pruning }) => pruning.oldestOf(userId)))) break
      }
  }

  /** Compresses the snapshots of failed releases and of earlier versions: a publish compresses its own. */
  async function compressSnapshots(): Promise<void> {
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const found = await db.read.releases.compressedSnapshots(SNAPSHOTS_PER_STEP)
      for (const compressed of found) await db.write(({ releases }) => releases.storeCompressed(compressed))
      if (found.length < SNAPSHOTS_PER_STEP) return
    }
  }

  /** @param step false when nothing is left to delete. */
  async function inSteps(step: () => Promise<boolean>): Promise<void> {
    for (let steps = 0; steps < MAX_STEPS; steps++) if (!(await step())) return
  }

  async function goThrough(
    kind: PrunedKind,
    step: (pruning: PruningRepository, after: PruneCursor | null) => Promise<PruneCursor | null>,
  ): Promise<void> {
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      reached[kind] = await db.write(({ pruning }) => step(pruning, reached[kind]))
      if (reached[kind] === null) return
    }
  }
}
