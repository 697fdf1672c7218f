import {
  type AnyRelease,
  isServiceFault,
  type Release,
  type ReleaseFailure,
  type ReleaseOutcome,
  type ReleaseState,
} from '../../domain/release.ts'

/* State machine of releases: each function returns a release in its next state, with the effect on its edit. */

/** Next states of each state. A release left claimed is claimed again. */
const NEXT: Readonly<Record<ReleaseState, readonly ReleaseState[]>> = {
  queued: ['claimed', 'live', 'failed'],
  claimed: ['claimed', 'live', 'failed', 'reverting'],
  reverting: ['reverted'],
  live: [],
  failed: [],
  reverted: [],
}

/** Previous states of this one. */
export function statesBefore(state: ReleaseState): readonly ReleaseState[] {
  return STATES.filter((before) => NEXT[before].includes(state))
}

const STATES = Object.keys(NEXT) as readonly ReleaseState[]

/** A release in its next state, to be stored. */
export interface Ending<Ended extends AnyRelease = AnyRelease> {
  readonly release: Ended
  /** True when the edit of the release is undone. */
  readonly undoesEdit: boolean
  /** True when the history of its page lists the release. */
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

/** Ends a release after a failure of the service before the deploy. Its edit remains. */
export function failed<Ended extends AnyRelease>(
  { release, failure }: FailedRelease<Ended>,
  now: string,
): Ending<Ended> {
  return { release: ended(release, failure, now), undoesEdit: false, inHistory: true }
}

/** Ends an invalid release, and undoes its edit. */
export function refused({ release, failure }: Failed, now: string): Ending<Release> {
  return { release: ended(release, failure, now), undoesEdit: true, inHistory: false }
}

/**
 * Ends a release after a failure before the deploy of this attempt. A claimed one is reverted first, because an earlier
 * attempt may have written files.
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

/** @throws {Error} for a state that cannot follow. */
function moved<Moved extends AnyRelease>(release: Moved, state: ReleaseState): Moved {
  if (!NEXT[release.state].includes(state))
    throw new Error(`Release ${release.id} is ${release.state} and cannot become ${state}.`)
  return { ...release, state }
}
