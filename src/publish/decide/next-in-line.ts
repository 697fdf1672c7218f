import type { PageId, ReleaseId } from '../../domain/ids.ts'
import { type AnyRelease, isDataModeOp, isPageRelease, type Release } from '../../domain/release.ts'

/** A waiting release without its snapshot. */
export interface WaitingRelease {
  readonly id: ReleaseId
  /** Page of the release; null for a change of the whole project. */
  readonly pageId: PageId | null
  readonly op: AnyRelease['op']
  /** Deadline of its request, ISO 8601 UTC; null without a request. */
  readonly deadlineAt: string | null
}

/** Largest numbers of releases of a claim. */
export interface ClaimLimits {
  readonly awaited: number
  /** For a claim without awaited releases. */
  readonly background: number
}

/**
 * Releases to claim next: awaited ones, or else those in the background. A Data Mode change waits for all before it, and a
 * change of redirects is claimed alone.
 *
 * @param waiting in order of acceptance.
 */
export function nextInLine(
  waiting: readonly WaitingRelease[],
  limits: ClaimLimits,
): readonly WaitingRelease[] {
  const change = waiting.findIndex(({ op }) => isDataModeOp(op))
  if (change === 0) return waiting.slice(0, 1)
  const before = change === -1 ? waiting : waiting.slice(0, change)
  const awaited = awaitedOf(before)
  return untilRedirects(
    awaited.length > 0 ? awaited.slice(0, limits.awaited) : before.slice(0, limits.background),
  )
}

function untilRedirects(next: readonly WaitingRelease[]): readonly WaitingRelease[] {
  const at = next.findIndex(({ op }) => op === 'redirects')
  return at === -1 ? next : next.slice(0, Math.max(1, at))
}

/** Awaited releases with the earlier releases of the same pages or of the project, which go live first. */
export function awaitedOf(waiting: readonly WaitingRelease[]): readonly WaitingRelease[] {
  const pages = new Set<PageId | null>()
  return waiting
    .toReversed()
    .filter(({ pageId: page, deadlineAt: deadline }) => {
      if (deadline !== null) pages.add(page)
      return pages.has(page)
    })
    .toReversed()
}

/** Longest prefix of releases of different pages. */
export function untilRepeat(waiting: readonly AnyRelease[]): readonly Release[] {
  const seen = new Set<PageId>()
  const end = waiting.findIndex(
    (release) => !isPageRelease(release) || seen.has(release.pageId) || !seen.add(release.pageId),
  )
  return (end === -1 ? waiting : waiting.slice(0, end)).filter(isPageRelease)
}
