import {
  type AnyRelease,
  isServiceFault,
  type Release,
  type ReleaseFailure,
  type ReleaseOutcome,
  type ReleaseState,
} from '../../domain/release.ts'

/* The state machine of releases: each function returns a release in its next state, with what happens to its edit. */

/** The states that follow each one. A release that was left claimed is claimed again. */
const NEXT: Readonly<Record<ReleaseState, readonly ReleaseState[]>> = {
  queued: ['claimed', 'live', 'failed'],
  claimed: ['claimed', 'live', 'failed', 'reverting'],
  reverting: ['reverted'],
  live: [],
  failed: [],
  reverted: [],
}

/** The states from which a release may come into this one. */
export function statesBefore(state: ReleaseState): readonly ReleaseState[] {
  return STATES.filter((before) => NEXT[before].includes(state))
}

const STATES = Object.keys(NEXT) as readonly ReleaseState[]

/** A release in its next state, to be stored. */
export interface Ending<Ended extends AnyRelease = AnyRelease> {
  readonly release: Ended
  /** Whether the edit that came with the release is undone. */
  readonly undoesEdit: boolean
  /** Whether the history of its page lists the release. */
  readonly inHistory: boolean
}

export interface FailedRelease<Refused extends AnyRelease> {
  readonly release: Refused
  readonly failure: ReleaseFailure
}

export type Failed = FailedRelease<Release>

/** @param outcome null for a change of the whole project. */
export function wentLive<Ended extends AnyRelease>(
  release: Ended,
  outcome: ReleaseOutcome | null,
  now: string,
): Ending<Ended> {
  const live = { ...moved(release, 'live'), outcome, failure: null, finishedAt: now }
  return { release: live, undoesEdit: false, inHistory: outcome?.changed ?? false }
}

/** Ends a release that failed before the deploy for a reason of the service. Its edit remains. */
export function failed<Ended extends AnyRelease>(
  { release, failure }: FailedRelease<Ended>,
  now: string,
): Ending<Ended> {
  return { release: ended(release, failure, now), undoesEdit: false, inHistory: true }
}

/** Ends a release that cannot be published as it is. */
export function refused({ release, failure }: Failed, now: string): Ending<Release> {
  return { release: ended(release, failure, now), undoesEdit: true, inHistory: false }
}

/**
 * Ends a release that failed before the deploy of this attempt. One that was left claimed by an earlier attempt, which
 * may have written files, is reverted first.
 */
export function endedBeforeDeploy(one: Failed, now: string): Ending<Release> {
  const { release, failure } = one
  const isService = isServiceFault(failure)
  if (release.state !== 'claimed') return isService ? failed(one, now) : refused(one, now)
  return { release: { ...moved(release, 'reverting'), failure }, undoesEdit: !isService, inHistory: true }
}

function ended<Ended extends AnyRelease>(release: Ended, failure: ReleaseFailure, now: string): Ended {
  return { ...moved(release, 'failed'), outcome: null, failure, finishedAt: now }
}

/** @throws {Error} when the release cannot come into the state, as from an end state. */
function moved<Moved extends AnyRelease>(release: Moved, state: ReleaseState): Moved {
  if (!NEXT[release.state].includes(state))
    throw new Error(`Release ${release.id} is ${release.state} and cannot become ${state}.`)
  return { ...release, state }
}
