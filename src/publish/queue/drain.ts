import { UnavailableError } from '../../domain/errors.ts'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import type { SiteIdentity } from '../../domain/live-page.ts'
import type { ProjectRelease, RedirectRelease, Release, ReleaseFailure } from '../../domain/release.ts'
import { inSpan } from '../../platform/spans.ts'
import { keyIdOf, newContentKey } from '../../secrets/content-key.ts'
import type { Storage } from '../../storage/storage.ts'
import { changeDataMode } from '../data-mode/change-data-mode.ts'
import type { ClaimedRelease } from '../decide/claimed-release.ts'
import { type Lease, LeaseLost } from '../ledger/leases.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import type { ClaimedChange, ReleaseStatus } from '../ledger/release-queue.ts'
import { createStopwatch, type PhaseTimes, type Stopwatch } from '../phases.ts'
import { deployAndCommit, prepareBatch } from '../pipeline/batch.ts'
import { changeRedirects } from '../pipeline/change-redirects.ts'
import { pageKeys, redirectPaths } from '../pipeline/page-keys.ts'
import { newest } from '../pipeline/projected-site.ts'
import type { PreparePorts, PublishPorts } from '../ports.ts'
import { watchedMedia } from '../published-media.ts'
import { damagedObjects } from '../recovery/damaged-objects.ts'
import { removeExposedMedia } from '../recovery/orphaned-assets.ts'
import { revert } from '../recovery/revert.ts'
import type { Deadlines } from './deadlines.ts'
import type { HeldLease } from './held-lease.ts'
import type { PublishLog } from './lease-holder.ts'
import { MadeWay, makingWay } from './make-way.ts'

/** Maximum number of releases in a batch. */
const MAX_BATCH = 500

/** Largest number of ids in a log line. */
const MAX_LOGGED_IDS = 10

export interface DrainPorts extends PublishPorts, Pick<PreparePorts, 'payFor'> {
  readonly deadlines: Deadlines
  readonly log: PublishLog
  /** Only ends what an earlier holder left part-way: queued releases are neither claimed nor refused. */
  readonly isRecovery?: boolean
  /** Resolves the waiters of ended releases; `times` are those of the batch that went live. */
  readonly settle: (ended: readonly ReleaseStatus[], times?: PhaseTimes) => void
  /** Ids of the requests waiting for these releases. */
  readonly requestsFor: (releases: readonly ReleaseId[]) => readonly string[]
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
}

export const STORE_FAILED: ReleaseFailure = {
  name: 'internal_error',
  message: 'Publishing failed. The live site is unchanged and the edit is saved; try again.',
}

const UNAVAILABLE: ReleaseFailure = {
  name: 'service_unavailable',
  message:
    'The database failed during the publish. The live site is unchanged and the edit is saved; try again.',
}

/** Failure of a publish as its request is answered: faults of the database pass by themselves. */
function failureBy(error: unknown): ReleaseFailure {
  return error instanceof UnavailableError ? UNAVAILABLE : STORE_FAILED
}

/**
 * Works off a project's queue under its lease: reverts failed releases, then claims and publishes batch after
 * batch. Ends when the queue is empty, or when the store accepts no writes.
 */
export function createDrain(ports: DrainPorts): (held: HeldLease) => Promise<void> {
  const { releaseQueue, deadlines, log, settle, monotonic, isRecovery = false } = ports
  /** Largest numbers of releases of a background batch by project, after a failed batch or one that made way. */
  const smallBatches = new Map<ProjectId, number>()
  return drain

  async function drain(held: HeldLease): Promise<void> {
    const { lease } = held
    for (;;) {
      const states = await releaseQueue.unfinishedStates(lease.projectId)
      if (states.length === 0) {
        smallBatches.delete(lease.projectId)
        return
      }
      if (states.includes('reverting') && !(await revertFailed(held))) return
      const stopwatch = createStopwatch(monotonic)
      const background = smallBatches.get(lease.projectId) ?? MAX_BATCH
      const limits = { awaited: MAX_BATCH, background, isRecovery }
      const { releases, change, redirects, ended, isAwaited } = await releaseQueue.claim(lease, limits, {
        keysOf: ({ snapshot }) => pageKeys(snapshot),
        redirectFrom: ({ snapshot }) => redirectPaths(snapshot),
        newKey: (version) => newContentKey(ports.masterKey, lease.projectId, version),
        keyIdOf,
      })
      stopwatch.lap('claim')
      settle(ended)
      if (change !== null) await publishChange(held, change)
      else if (redirects !== null) await publishRedirects(held, redirects)
      else if (isAwaited && releases.length > 0) await publishBatch(held, releases, stopwatch, { isAwaited })
      else if (releases.length > 0) await publishInBackground(held, releases, stopwatch)
      else if (ended.length === 0) return
    }
  }

  /** Publishes a background batch. After one that failed or made way, the next ones are smaller. */
  async function publishInBackground(
    held: HeldLease,
    batch: readonly ClaimedRelease[],
    stopwatch: Stopwatch,
  ): Promise<void> {
    const { projectId } = held.lease
    const isDone = await publishBatch(held, batch, stopwatch, { isAwaited: false })
    const limit = smallBatches.get(projectId) ?? MAX_BATCH
    const next = isDone ? 2 * limit : Math.max(1, Math.floor(batch.length / 2))
    if (next < MAX_BATCH) smallBatches.set(projectId, next)
    else smallBatches.delete(projectId)
  }

  /** False when the store still fails: queued releases are refused, and the next sweep retries the revert. */
  async function revertFailed(held: HeldLease): Promise<boolean> {
    const { lease } = held
    const reverting = await releaseQueue.listReverting(lease.projectId)
    // Another holder of the lease may have finished the revert since.
    if (reverting.length === 0) return true
    try {
      await deadlines.within(held, [], (storage) => revert(lease, reverting, { ...ports, storage }))
      return true
    } catch (error) {
      log.error(
        { err: error, project: lease.projectId },
        'Reverting a failed publish did not succeed; retrying shortly.',
      )
      if (!isRecovery) settle(await releaseQueue.refuseAll(lease, failureBy(error)))
      return false
    }
  }

  /** False when the batch failed or made way. */
  function publishBatch(
    held: HeldLease,
    batch: readonly ClaimedRelease[],
    stopwatch: Stopwatch,
    { isAwaited }: { readonly isAwaited: boolean },
  ): Promise<boolean> {
    const requests = ports.requestsFor(batch.map(({ release }) => release.id).slice(0, MAX_LOGGED_IDS))
    const attributes = {
      'quoin.project': held.lease.projectId,
      'quoin.releases': batch.length,
      'quoin.request_ids': [...requests],
    }
    return inSpan('publish', attributes, () => prepareAndDeploy(held, batch, stopwatch, isAwaited))
  }

  async function prepareAndDeploy(
    held: HeldLease,
    batch: readonly ClaimedRelease[],
    stopwatch: Stopwatch,
    isAwaited: boolean,
  ): Promise<boolean> {
    const { lease } = held
    let rest = batch.map(({ release }) => release.id)
    let hasUploaded = false
    try {
      await deadlines.within(held, batch.map(releaseOf), async (storage, signal, upload) => {
        const batchPorts = {
          ...ports,
          storage,
          publishedMedia: watchedMedia(ports.publishedMedia, upload.moved),
        }
        // A user who publishes an unchanged page may see that it is damaged; a bulk publish would read the whole site.
        const looking = isAwaited && {
          findDamaged: (objects: readonly LiveObject[]) =>
            damagedObjects(lease.projectId, objects, batchPorts),
        }
        const prepare = (until: AbortSignal) =>
          prepareBatch(lease, batch, {
            ...batchPorts,
            ...looking,
            turn: { urgent: isAwaited, signal: until },
          })
        // A single page is the least that a batch can be.
        const mayMakeWay = !isAwaited && !isRecovery && batch.length > 1
        const { prepared, failed } = await inSpan('publish prepare', {}, () =>
          mayMakeWay
            ? makingWay(signal, () => hasToMakeWay(lease.projectId, rest), prepare)
            : prepare(signal),
        )
        stopwatch.lap('render')
        if (failed.length > 0) settle(await releaseQueue.fail(lease, failed))
        if (prepared === null) return
        rest = prepared.commit.live.map(({ release }) => release.id)
        if (!isAwaited && !(await releaseQueue.startDeploy(lease, rest))) throw new MadeWay()
        hasUploaded = true
        upload.started()
        const onUploaded = () => stopwatch.lap('upload')
        const live = await inSpan('publish deploy', {}, () =>
          deployAndCommit(lease, prepared, batchPorts, onUploaded, signal),
        )
        stopwatch.lap('commit')
        await removeExposed(lease, newest(batch).snapshot.site, storage)
        settle(live, stopwatch.times())
      })
      return true
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      if (error instanceof MadeWay) {
        settle(await releaseQueue.withdrawn(rest))
        return false
      }
      await giveUp(lease, batch, error, hasUploaded)
      return false
    }
  }

  /** Reports whether the batch has to be prepared again, after releases before it or withdrawals from it. */
  async function hasToMakeWay(projectId: ProjectId, batch: readonly ReleaseId[]): Promise<boolean> {
    return (await releaseQueue.hasAwaited(projectId)) || (await releaseQueue.withdrawn(batch)).length > 0
  }

  /** The publish is live whatever happens here: what cannot be removed now is left to the next clean-up. */
  async function removeExposed(lease: Lease, { keyId }: SiteIdentity, storage: Storage): Promise<void> {
    if (keyId === null) return
    try {
      await removeExposedMedia(lease, keyId, { ...ports, storage })
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      log.error(
        { err: error, project: lease.projectId },
        'Pictures and files that are no longer public could not be removed from the store; it is tried again.',
      )
    }
  }

  /** Ends the releases of a failed batch, or has them reverted when files may have been uploaded. */
  async function giveUp(
    lease: Lease,
    batch: readonly ClaimedRelease[],
    error: unknown,
    hasUploaded: boolean,
  ): Promise<void> {
    const releases = batch.map(({ release }) => release.id)
    const fields = { err: error, ...logFields(lease, releases) }
    if (hasUploaded) {
      log.error(fields, 'A publish failed and is being reverted.')
      settle(await releaseQueue.startReverting(lease, releases, failureBy(error)))
    } else {
      log.error(fields, 'A publish failed before its first upload.')
      const failed = batch.map(({ release }) => ({ release, failure: failureBy(error) }))
      settle(await releaseQueue.fail(lease, failed))
    }
  }

  function publishChange(held: HeldLease, change: ClaimedChange): Promise<void> {
    const { lease } = held
    return orRevert(held, change.release, 'A change of Data Mode failed and is being reverted.', () =>
      deadlines.within(held, [change.release], async (storage, signal) => {
        const changed = await changeDataMode(lease, change, { ...ports, storage, signal })
        await removeExposed(lease, change.release.site, storage)
        settle([changed])
      }),
    )
  }

  function publishRedirects(held: HeldLease, release: RedirectRelease): Promise<void> {
    return orRevert(held, release, 'A change of redirects failed and is being reverted.', () =>
      deadlines.within(held, [release], async (storage, _signal, upload) => {
        upload.started()
        settle([await changeRedirects(held.lease, release, { ...ports, storage })])
      }),
    )
  }

  /** Deploys a change of the whole project, or has it reverted after a failure. */
  async function orRevert(
    { lease }: HeldLease,
    { id }: ProjectRelease,
    message: string,
    deploy: () => Promise<void>,
  ): Promise<void> {
    try {
      await deploy()
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      log.error({ err: error, ...logFields(lease, [id]) }, message)
      settle(await releaseQueue.startReverting(lease, [id], failureBy(error)))
    }
  }

  function logFields({ projectId }: Lease, releases: readonly ReleaseId[]) {
    return {
      project: projectId,
      releases: releases.slice(0, MAX_LOGGED_IDS),
      request_ids: ports.requestsFor(releases).slice(0, MAX_LOGGED_IDS),
    }
  }
}

function releaseOf({ release }: ClaimedRelease): Release {
  return release
}
