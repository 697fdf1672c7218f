import type { Repositories } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { PageId } from '../../domain/ids.ts'
import type { Page } from '../../domain/page.ts'
import {
  isSamePath,
  MAX_REDIRECT_PATHS,
  pathOfKey,
  REDIRECT_PATH_RULE,
  readRedirectPath,
} from '../../domain/redirect-path.ts'
import { publicPath, type SiteRoutes } from '../../domain/route.ts'
import { foldedAddress } from '../../domain/slug.ts'
import { resolvedFields } from '../../page-text/derive.ts'
import { accessProject, assertWritable } from '../access.ts'
import type { ServiceContext } from '../context.ts'
import type { PageService } from './pages.ts'

/** Pages of a project whose redirects are listed. Each has at most 20. */
const MAX_PAGES = 1_000
/** Pages that are read at a time. */
const STEP = 20

/** A path of the site that leads to a page. */
export interface Redirect {
  readonly from: string
  /** The path of the page; for a live redirect of a page that moved since, that at which it is live. */
  readonly to: string
  readonly pageId: PageId
  /** Whether the page names it. Others are paths that the page had before it moved. */
  readonly isStated: boolean
  /** Whether the site serves it now. */
  readonly isLive: boolean
}

export type RedirectService = ReturnType<typeof createRedirectService>

/**
 * The redirects of a project. Each belongs to the page that it leads to, as the field `redirect_from` of its `config`: it
 * takes effect when the page is published, and moves with the page.
 */
export function createRedirectService({
  db,
  pages,
}: Pick<ServiceContext, 'db'> & { readonly pages: PageService }) {
  return {
    /** By path. */
    async list(caller: Caller, project: string): Promise<readonly Redirect[]> {
      const { project: home, siteRoutes } = await accessProject(db.read, caller, project, ['read'])
      return redirectsOf(db.read, home.id, siteRoutes)
    },

    /**
     * Lets a path lead to a page. Repeated calls have one effect.
     *
     * @throws {ServiceError} `validation_error` for a path that none can have; `conflict` when a page or another redirect
     *   has it, or the page has too many.
     */
    async create(
      caller: Caller,
      project: string,
      read: () => { readonly from: string; readonly page: string },
    ): Promise<Redirect> {
      const { project: home, siteRoutes } = await accessProject(db.read, caller, project, ['write'])
      assertWritable(home)
      const { from: written, page: ref } = read()
      const from = readRedirectPath(written)
      if (from === null)
        throw fieldFailure('validation_error', [{ path: 'from', message: REDIRECT_PATH_RULE }])
      const known = await redirectsOf(db.read, home.id, siteRoutes)
      // A key that may write may learn which page it changes.
      const { page } = await pages.get({ ...caller, permissions: ['read'] }, ref)
      if (page.projectId !== home.id)
        throw fieldFailure('validation_error', [
          { path: 'page_id', message: 'must be a page of the project.' },
        ])
      const same = known.filter((one) => foldedAddress(one.from) === foldedAddress(from))
      const own = same.find((one) => one.pageId === page.id)
      if (own?.isStated === true) return own
      const other = same.find((one) => one.pageId !== page.id)
      if (other !== undefined)
        throw new ServiceError(
          'conflict',
          other.isStated
            ? `${from} already leads to ${other.to}. Delete that redirect first.`
            : `The site still leads ${from} to ${other.to}. Choose another path.`,
        )
      const live = await db.read.pages.liveAt(home.id, [from])
      const to = publicPath(page, siteRoutes)
      if (live.size > 0 || isSamePath(from, to))
        throw new ServiceError('conflict', `${from} is the path of a page.`)
      await pages.update(caller, ref, ['write'], (stored) => {
        const stated = resolvedFields(stored).redirectFrom
        // Another request has written it since it was looked for.
        if (stated.some((path) => readRedirectPath(path) === from)) return { edit: {}, status: null }
        if (stated.length >= MAX_REDIRECT_PATHS)
          throw new ServiceError('conflict', `A page has at most ${MAX_REDIRECT_PATHS} redirects.`)
        return withRedirects(stored, [...stated, from])
      })
      return { from, to, pageId: page.id, isStated: true, isLive: own?.isLive === true }
    },

    /**
     * Takes a redirect off the page that names it. The site serves it until the page is published again.
     *
     * @throws {ServiceError} `not_found` when no page names it.
     */
    async remove(caller: Caller, project: string, written: string): Promise<string> {
      const { project: home, siteRoutes } = await accessProject(db.read, caller, project, ['write'])
      assertWritable(home)
      const from = readRedirectPath(written) ?? written
      const known = (await redirectsOf(db.read, home.id, siteRoutes)).find(
        (one) => one.isStated && one.from === from,
      )
      if (known === undefined)
        throw new ServiceError(
          'not_found',
          `No page of the project names a redirect from ${from.slice(0, 200)}.`,
        )
      await pages.update(caller, known.pageId, ['write'], (stored) =>
        withRedirects(
          stored,
          resolvedFields(stored).redirectFrom.filter((path) => readRedirectPath(path) !== from),
        ),
      )
      return from
    },
  }
}

function withRedirects(page: Page, paths: readonly string[]) {
  return { edit: { config: { ...page.config, redirect_from: paths } }, status: null }
}

async function redirectsOf(
  { pages }: Pick<Repositories, 'pages'>,
  projectId: Page['projectId'],
  routes: SiteRoutes,
): Promise<readonly Redirect[]> {
  const ids = await pages.idsNamingRedirects(projectId, MAX_PAGES)
  const live = await pages.liveRedirects(projectId, MAX_PAGES * MAX_REDIRECT_PATHS)
  const found = new Map<string, Redirect>(
    live.map(({ key, path, pageId }) => {
      const from = pathOfKey(key)
      return [`${pageId} ${from}`, { from, to: path, pageId, isStated: false, isLive: true }]
    }),
  )
  const named = new Set<string>()
  for (let start = 0; start < ids.length; start += STEP) {
    for (const page of await pages.findBeginnings(projectId, ids.slice(start, start + STEP))) {
      for (const written of resolvedFields(page).redirectFrom) {
        const from = readRedirectPath(written)
        // Of two pages that name a path, the first has it.
        if (from === null || named.has(from)) continue
        named.add(from)
        const id = `${page.id} ${from}`
        const isLive = found.has(id)
        found.set(id, { from, to: publicPath(page, routes), pageId: page.id, isStated: true, isLive })
      }
    }
  }
  return [...found.values()].toSorted((a, b) => (a.from < b.from ? -1 : 1))
}
