import type { Knex } from 'knex'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import type { Release } from '../../domain/release.ts'
import { inChunks } from './objects.ts'

/* Pages that exchange their addresses in one batch: each may take a path that another page of the batch leaves. */

/**
 * Whether a page may take an address that another page of the batch leaves. Those of bulk publishes may. A publish that
 * a request awaits is judged by what is live, so that its answer does not depend on which other requests are under way.
 */
export function mayExchange({ deadlineAt }: Pick<Release, 'deadlineAt'>): boolean {
  return deadlineAt === null
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

/** The live page at each of these paths. */
export async function pagesAt(
  db: Knex,
  projectId: ProjectId,
  paths: readonly string[],
): Promise<ReadonlyMap<string, PageId>> {
  const found = new Map<string, PageId>()
  await inChunks(paths, async (chunk) => {
    const rows = await db('live_pages')
      .where({ project_id: projectId })
      .whereIn('path', [...chunk])
      .select<{ path: string; page_id: PageId }[]>('path', 'page_id')
    for (const { path, page_id } of rows) found.set(path, page_id)
  })
  return found
}

/**
 * The keys of files that each of these pages gives up.
 *
 * @param candidatesOf every name that the page's files may have once it moved. A page keeps those it owns already.
 */
export async function vacatedKeys(
  db: Knex,
  projectId: ProjectId,
  leaving: ReadonlySet<PageId>,
  candidatesOf: (pageId: PageId) => ReadonlySet<string>,
): Promise<ReadonlyMap<PageId, ReadonlySet<string>>> {
  const vacated = new Map([...leaving].map((pageId) => [pageId, new Set<string>()]))
  await inChunks([...leaving], async (chunk) => {
    const rows = await db('live_objects')
      .where({ project_id: projectId, owner_kind: 'page' })
      .whereIn('owner_id', [...chunk])
      .select<{ key: string; owner_id: PageId }[]>('key', 'owner_id')
    for (const { key, owner_id } of rows)
      if (!candidatesOf(owner_id).has(key)) vacated.get(owner_id)?.add(key)
  })
  return vacated
}
