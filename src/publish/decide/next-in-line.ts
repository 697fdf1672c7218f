import type { PageId, ReleaseId } from '../../domain/ids.ts'
import { type AnyRelease, isDataModeOp, isPageRelease, type Release } from '../../domain/release.ts'

/** A release that waits, without its snapshot. */
export interface WaitingRelease {
  readonly id: ReleaseId
  /** Null for a change of the whole project. */
  readonly pageId: PageId | null
  readonly op: AnyRelease['op']
  /** Null when no request awaits it. */
  readonly deadlineAt: string | null
}

/** The most releases of a claim. */
export interface ClaimLimits {
  readonly awaited: number
  /** Of a claim in which no release is awaited. */
  readonly background: number
}

/**
 * The releases to claim next: those that requests await, or else those in the background. A Data Mode change waits for all
 * before it, and a change of redirects is claimed alone.
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

/** Awaited releases, and the releases before them of the same pages or of the project: those of a page go live in order. */
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

/** The longest prefix of releases of pages in which no page occurs twice. */
export function untilRepeat(waiting: readonly AnyRelease[]): readonly Release[] {
  const seen = new Set<PageId>()
  const end = waiting.findIndex(
    (release) => !isPageRelease(release) || seen.has(release.pageId) || !seen.add(release.pageId),
  )
  return (end === -1 ? waiting : waiting.slice(0, end)).filter(isPageRelease)
}
