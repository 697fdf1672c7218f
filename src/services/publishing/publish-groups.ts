import type { Repositories } from '../../db/repositories.ts'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import { countWithin } from '../../domain/list-bytes.ts'
import type { Page } from '../../domain/page.ts'
import { publicPath, type SiteRoutes } from '../../domain/route.ts'

/* Groups of pages that a bulk publish enqueues together. */

/** Largest number of pages in a group. */
export const MAX_GROUP = 500
/** Limit of the content that a group holds in memory: in bytes while it is chosen, then in UTF-16 code units. */
const GROUP_CONTENT = 16 * 2 ** 20

export interface PublishGroup {
  readonly pages: readonly Page[]
  /** Pages of the selection that no longer exist. */
  readonly deleted: readonly PageId[]
  readonly remaining: readonly PageId[]
}

/**
 * Selects the next pages in order, as many as fit into a group. A page that moves to the address of another page of the
 * selection is in its group: pages can exchange addresses.
 *
 * @param rest the pages of the selection that are not yet published.
 * @param size number of pages; the others that belong to them are added, up to `MAX_GROUP`.
 */
export async function nextGroup(
  repositories: Repositories,
  home: { readonly projectId: ProjectId; readonly siteRoutes: SiteRoutes },
  rest: readonly PageId[],
  size: number,
): Promise<PublishGroup> {
  const candidates = await firstWithin(repositories, home.projectId, rest.slice(0, size))
  const { found, occupants } = await findWithOccupants(repositories, home, candidates, new Set(rest))
  const group = new Map<PageId, Page>()
  const deleted: PageId[] = []
  let content = 0
  for (const id of candidates) {
    if (group.has(id)) continue
    if (!found.has(id)) {
      deleted.push(id)
      continue
    }
    const unit = chainFrom(id, occupants).flatMap((one) => (group.has(one) ? [] : (found.get(one) ?? [])))
    content += unit.reduce((sum, page) => sum + contentLength(page), 0)
    if (group.size > 0 && content > GROUP_CONTENT) break
    for (const page of unit) group.set(page.id, page)
  }
  const taken = new Set([...group.keys(), ...deleted])
  return { pages: [...group.values()], deleted, remaining: rest.filter((id) => !taken.has(id)) }
}

/** Returns as many of these pages as fit into a group, without reading them: all of them could take gigabytes. */
async function firstWithin(
  { pages }: Repositories,
  projectId: ProjectId,
  ids: readonly PageId[],
): Promise<readonly PageId[]> {
  const sizes = await pages.contentBytes(projectId, ids)
  return ids.slice(
    0,
    countWithin(
      ids.map((id) => sizes.get(id) ?? 0),
      GROUP_CONTENT,
    ),
  )
}

/** Loads the pages, and the pages of the selection that are live at the new addresses of others. */
async function findWithOccupants(
  { pages }: Repositories,
  { projectId, siteRoutes }: { readonly projectId: ProjectId; readonly siteRoutes: SiteRoutes },
  candidates: readonly PageId[],
  selection: ReadonlySet<PageId>,
) {
  const found = new Map<PageId, Page>()
  /** Live page at the new address of each page that moves. */
  const occupants = new Map<PageId, PageId>()
  for (let open = candidates; open.length > 0; ) {
    const loaded = await pages.findWithin(projectId, open)
    const paths = new Map(loaded.map((page) => [page.id, publicPath(page, siteRoutes)]))
    const live = await pages.liveAt(projectId, [...paths.values()])
    const next = new Set<PageId>()
    for (const page of loaded) {
      found.set(page.id, page)
      const occupant = live.get(paths.get(page.id) ?? '') ?? page.id
      if (occupant === page.id || !selection.has(occupant)) continue
      occupants.set(page.id, occupant)
      next.add(occupant)
    }
    open = [...next].filter((id) => !found.has(id)).slice(0, MAX_GROUP - found.size)
  }
  return { found, occupants }
}

/** Returns the page, the live page at its new address, and so on. */
function chainFrom(id: PageId, occupants: ReadonlyMap<PageId, PageId>): readonly PageId[] {
  const chain = new Set([id])
  for (let next = occupants.get(id); next !== undefined && !chain.has(next); next = occupants.get(next))
    chain.add(next)
  return [...chain]
}

function contentLength({ markdown, config }: Page): number {
  return markdown.length + JSON.stringify(config).length
}
