import type { PageId } from '../../domain/ids.ts'
import { snapshotPath } from '../../domain/live-page.ts'
import { type AnyRelease, isPageRelease, putsLive, type Release } from '../../domain/release.ts'

/* Exchanges of addresses in one batch: each page may take a path left by another page of the batch. */

/**
 * Reports whether a page may take an address left by another page of the batch: in bulk publishes only. An awaited publish
 * is judged by the live site, so that its answer does not depend on concurrent requests.
 */
export function mayExchange({ deadlineAt }: Pick<Release, 'deadlineAt'>): boolean {
  return deadlineAt === null
}

/** Paths for these releases to take from leaving pages. */
export function exchangeablePaths(releases: readonly AnyRelease[]): readonly string[] {
  return releases
    .filter(isPageRelease)
    .filter((release) => putsLive(release) && mayExchange(release))
    .map(({ snapshot }) => snapshotPath(snapshot))
}

/** A page of a batch that goes live. */
export interface Move {
  readonly pageId: PageId
  /** Live path; null when the page is not live. */
  readonly from: string | null
  readonly to: string
}

/**
 * Pages that leave their live path in a batch. A page stays when its new path is occupied by a page that stays.
 *
 * @param occupants live page at each path.
 */
export function leavingPages(
  moves: readonly Move[],
  occupants: ReadonlyMap<string, PageId>,
): ReadonlySet<PageId> {
  const firstTo = new Map([...moves].reverse().map(({ pageId, to }) => [to, pageId]))
  let leaving = new Set(
    moves.filter(({ from, to }) => from !== null && from !== to).map(({ pageId }) => pageId),
  )
  for (;;) {
    const stuck = new Set(moves.filter((move) => !canMove(move)).map(({ pageId }) => pageId))
    const rest = new Set([...leaving].filter((pageId) => !stuck.has(pageId)))
    if (rest.size === leaving.size) return leaving
    leaving = rest
  }

  function canMove({ pageId, to }: Move): boolean {
    const occupant = occupants.get(to) ?? pageId
    return firstTo.get(to) === pageId && (occupant === pageId || leaving.has(occupant))
  }
}
