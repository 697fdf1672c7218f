import type { ReleaseId } from '../../domain/ids.ts'
import type { AnyRelease, ReleaseFailure } from '../../domain/release.ts'
import { keyIdOf, newContentKey } from '../../secrets/content-key.ts'
import type { Storage } from '../../storage/storage.ts'
import { changeDataMode } from '../data-mode/change-data-mode.ts'
import { type Lease, LeaseLost } from '../ledger/leases.ts'
import type { ClaimedChange, ClaimedRelease } from '../ledger/release-queue.ts'
import { createStopwatch, type PhaseTimes, type Stopwatch } from '../phases.ts'
import { deployAndCommit, prepareBatch } from '../pipeline/batch.ts'
import { pageKeys, redirectPaths } from '../pipeline/page-keys.ts'
import type { PublishPorts } from '../ports.ts'
import { revert } from '../recovery/revert.ts'
import type { Deadlines } from './deadlines.ts'
import type { PublishLog } from './lease-holder.ts'

/** Releases taken together at the most. */
const BATCH = 500

/** Releases, and requests that wait for them, that a line of the log names. */
const MOST_TOLD = 10

export interface DrainPorts extends PublishPorts {
  readonly deadlines: Deadlines
  readonly log: PublishLog
  /** Tell whoever waits for these releases how they ended, and how long what took when they went live. */
  readonly settle: (ended: readonly AnyRelease[], times?: PhaseTimes) => void
  /** Ids of the requests that wait for these releases. */
  readonly requestsFor: (releases: readonly ReleaseId[]) => readonly string[]
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
}

export const STORE_FAILED: ReleaseFailure = {
  name: 'internal_error',
  message: 'Publishing failed. Nothing changed on the site, and the edit itself is kept; try again.',
}

/**
 * How a leader works the queue of its project off: what failed before is put back, then batch by batch is
 * claimed and carried out. Ends when nothing waits, or while the store takes nothing.
 */
export function createDrain(ports: DrainPorts): (lease: Lease) => Promise<void> {
  const { releaseQueue, deadlines, log, settle, monotonic } = ports
  return drain

  async function drain(lease: Lease): Promise<void> {
    for (;;) {
      const states = await releaseQueue.unfinishedStates(lease.projectId)
      if (states.length === 0) return
      if (states.includes('reverting') && !(await putBackWhatFailed(lease))) return
      const stopwatch = createStopwatch(monotonic)
      const { releases, change, ended } = await releaseQueue.claim(lease, BATCH, {
        keysOf: ({ snapshot }) => pageKeys(snapshot),
        redirectFrom: ({ snapshot }) => redirectPaths(snapshot),
        newKey: (version) => newContentKey(ports.masterKey, lease.projectId, version),
        keyIdOf,
      })
      stopwatch.lap('claim')
      settle(ended)
      if (change !== null) await carryOutChange(lease, change)
      else if (releases.length > 0) await publishBatch(lease, releases, stopwatch)
      else if (ended.length === 0) return
    }
  }

  /** False when the store still refuses; whoever waits is told, and the sweep tries again. */
  async function putBackWhatFailed(lease: Lease): Promise<boolean> {
    const reverting = await releaseQueue.listReverting(lease.projectId)
    // Another may have led meanwhile, and put it back.
    if (reverting.length === 0) return true
    try {
      await deadlines.within([], (storage) => revert(lease, reverting, { ...ports, storage }))
      return true
    } catch (error) {
      log.error(
        { err: error, project: lease.projectId },
        'What was live could not be put back yet; trying again soon.',
      )
      settle(await releaseQueue.refuseAll(lease, STORE_FAILED))
      return false
    }
  }

  async function publishBatch(
    lease: Lease,
    batch: readonly ClaimedRelease[],
    stopwatch: Stopwatch,
  ): Promise<void> {
    const releases = batch.map(({ release }) => release.id)
    try {
      await deadlines.within(releases, async (storage) => {
        const own = { ...ports, storage }
        const { prepared, failed } = await prepareBatch(lease, batch, own)
        stopwatch.lap('render')
        if (failed.length > 0) settle(await releaseQueue.fail(lease, failed))
        if (prepared === null) return
        const live = await deployAndCommit(lease, prepared, own, () => stopwatch.lap('upload'))
        stopwatch.lap('commit')
        settle(live, stopwatch.times())
      })
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      log.error(
        { err: error, ...about(lease, releases) },
        'A publish failed; what was live is being put back.',
      )
      settle(await releaseQueue.startReverting(lease, releases, STORE_FAILED))
    }
  }

  function about({ projectId }: Lease, releases: readonly ReleaseId[]) {
    return {
      project: projectId,
      releases: releases.slice(0, MOST_TOLD),
      request_ids: ports.requestsFor(releases).slice(0, MOST_TOLD),
    }
  }

  async function carryOutChange(lease: Lease, change: ClaimedChange): Promise<void> {
    try {
      const work = (storage: Storage) => changeDataMode(lease, change, { ...ports, storage })
      settle([await deadlines.within([change.release.id], work)])
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      log.error(
        { err: error, ...about(lease, [change.release.id]) },
        'A change of Data Mode failed; what was live is being put back.',
      )
      settle(await releaseQueue.startReverting(lease, [change.release.id], STORE_FAILED))
    }
  }
}
