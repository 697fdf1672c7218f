import type { PageId } from '../../domain/ids.ts'
import { snapshotPath } from '../../domain/live-page.ts'
import { type AnyRelease, isPageRelease, putsLive, type Release } from '../../domain/release.ts'

/* Pages that exchange their addresses in one batch: each may take a path that another page of the batch leaves. */

/**
 * Whether a page may take an address that another page of the batch leaves. Those of bulk publishes may. A publish that
 * a request awaits is judged by what is live, so that its answer does not depend on which other requests are under way.
 */
export function mayExchange({ deadlineAt }: Pick<Release, 'deadlineAt'>): boolean {
  return deadlineAt === null
}

/** The paths that these releases may take from pages which leave them. */
export function exchangeablePaths(releases: readonly AnyRelease[]): readonly string[] {
  return releases
    .filter(isPageRelease)
    .filter((release) => putsLive(release) && mayExchange(release))
    .map(({ snapshot }) => snapshotPath(snapshot))
}

/** A page of a batch that goes live. */
export interface Move {
  readonly pageId: PageId
  /** Its live path; null when it is not live. */
  readonly from: string | null
  readonly to: string
}

/**
 * The pages that leave their live path in a batch. A page whose new path is occupied by a page that stays cannot move,
 * so it stays as well.
 *
 * @param occupants the live page at each path.
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
