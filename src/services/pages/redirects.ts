import type { ListedRedirect } from '../../db/repositories/redirects.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { type PageId, prefixed, type RedirectId } from '../../domain/ids.ts'
import type { Page } from '../../domain/page.ts'
import type { Listed, Position, Slice } from '../../domain/paging.ts'
import {
  isSamePath,
  MAX_REDIRECT_PATHS,
  pathOfKey,
  REDIRECT_PATH_RULE,
  readRedirectPath,
} from '../../domain/redirect-path.ts'
import { publicPath, type SiteRoutes } from '../../domain/route.ts'
import { fragmentHash, type RedirectEnd, writtenTarget } from '../../domain/site-redirect.ts'
import { foldedAddress } from '../../domain/slug.ts'
import { resolvedFields } from '../../page-text/derive.ts'
import { accessProject, assertWritable } from '../access.ts'
import type { ServiceContext } from '../context.ts'
import type { PageService } from './pages.ts'

/** Pages of a project whose redirects are listed. Each has at most 20. */
const MAX_PAGES = 1_000
/** Former paths of a project's pages in the list. */
const MAX_FORMERS = 50_000
/** Pages that are read at a time. */
const STEP = 20

/** Kinds of redirects: of the project, stated by a page, or from a path that a page had before it moved. */
export const REDIRECT_KINDS = ['project', 'stated', 'former'] as const
export type RedirectKind = (typeof REDIRECT_KINDS)[number]

/** A path of the site that leads somewhere. */
export interface Redirect {
  /** The id; null for one that a page names. */
  readonly id: RedirectId | null
  readonly from: string
  /**
   * A path or a URL, as users write it. For a live redirect of a page that moved since, the live path of the page. For
   * a deleted page, its id.
   */
  readonly to: string
  readonly kind: RedirectKind
  readonly target: RedirectEnd['kind']
  readonly pageId: PageId | null
  readonly fragment: string | null
  /** True when the site serves it now. */
  readonly isLive: boolean
  /** True for a redirect of the project with nothing at its target. */
  readonly isDead: boolean
  /** ISO 8601 UTC; for a path that a page had before, when it left it. Null for one that a page names. */
  readonly createdAt: string | null
}

export interface RedirectFilter {
  /** The kind to list; null for all. */
  readonly kind: RedirectKind | null
  readonly dead: boolean | null
  /** A text that the path or the target contains, in any case. */
  readonly text: string | null
}

export type RedirectService = ReturnType<typeof createRedirectService>

/**
 * Lists the redirects of a project, and changes those of its pages. Such a one is stored as the field `redirect_from`
 * of the `config` of the page that it leads to: it takes effect when the page is published, and moves with the page.
 */
export function createRedirectService({
  db,
  pages,
}: Pick<ServiceContext, 'db'> & { readonly pages: PageService }) {
  return {
    /** Lists redirects by path. */
    async list(
      caller: Caller,
      project: string,
      filter: RedirectFilter,
      { limit, offset, after = null }: Slice,
    ): Promise<Listed<Redirect>> {
      const { project: home, siteRoutes } = await accessProject(db.read, caller, project, ['read'])
      const ofProject = filter.kind === null || filter.kind === 'project'
      const ofPages = filter.kind !== 'project' && filter.dead !== true
      const all = [
        ...(ofProject ? (await db.read.redirects.list(home.id)).map(ofStored) : []),
        ...(ofPages ? await redirectsOf(db.read, home.id, siteRoutes) : []),
      ]
      const matching = all.filter((one) => matches(one, filter)).toSorted(byPath)
      const start = after === null ? offset : matching.filter((one) => !isAfter(one, after)).length
      const items = matching.slice(start, start + limit)
      const end = start + limit < matching.length ? items.at(-1) : undefined
      return {
        items: await withPagePaths(db.read, home.id, siteRoutes, items),
        total: matching.length,
        positions: items.map(positionOf),
        end: end === undefined ? null : positionOf(end),
      }
    },

    /** A redirect that belongs to no page, by its id. */
    async get(caller: Caller, project: string, id: RedirectId): Promise<Redirect> {
      const { project: home, siteRoutes } = await accessProject(db.read, caller, project, ['read'])
      const found = await db.read.redirects.find(home.id, id)
      if (found === null) throw new ServiceError('not_found', 'The redirect was deleted meanwhile.')
      const [redirect] = await withPagePaths(db.read, home.id, siteRoutes, [ofStored(found)])
      if (redirect === undefined) throw new Error('A redirect was lost.')
      return redirect
    },

    /**
     * Lets a path lead to a page. Repeated calls have one effect.
     *
     * @throws {ServiceError} `validation_error` for a path that none can have; `conflict` when a page or another
     *   redirect has it, or the page has too many.
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
      // A key with write access may learn which page it changes.
      const { page } = await pages.get({ ...caller, permissions: ['read'] }, ref)
      if (page.projectId !== home.id)
        throw fieldFailure('validation_error', [
          { path: 'page_id', message: 'must be a page of the project.' },
        ])
      const same = known.filter((one) => foldedAddress(one.from) === foldedAddress(from))
      const own = same.find((one) => one.pageId === page.id)
      if (own?.kind === 'stated') return own
      const ofProject = (await db.read.redirects.list(home.id)).find(
        (one) => foldedAddress(one.from) === foldedAddress(from),
      )
      if (ofProject !== undefined)
        throw new ServiceError(
          'conflict',
          `${from} is a redirect of the project. Change or delete that redirect.`,
        )
      const other = same.find((one) => one.pageId !== page.id)
      if (other !== undefined)
        throw new ServiceError(
          'conflict',
          other.kind === 'stated'
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
      return ofPage('stated', { from, to, pageId: page.id, isLive: own?.isLive === true })
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
        (one) => one.kind === 'stated' && one.from === from,
      )
      if (known?.pageId == null)
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
  { pages, redirects }: Pick<Repositories, 'pages' | 'redirects'>,
  projectId: Page['projectId'],
  routes: SiteRoutes,
): Promise<readonly Redirect[]> {
  const ids = await pages.idsNamingRedirects(projectId, MAX_PAGES)
  const live = await pages.liveRedirects(projectId, MAX_PAGES * MAX_REDIRECT_PATHS)
  const found = new Map<string, Redirect>(
    live.map(({ key, path, pageId }) => {
      const from = pathOfKey(key)
      return [`${pageId} ${from}`, ofPage('former', { from, to: path, pageId, isLive: true })]
    }),
  )
  for (const { id, path: from, pageId, livePath, leftAt } of await redirects.formers(
    projectId,
    MAX_FORMERS,
  )) {
    // The page is there again.
    if (livePath === from) continue
    const isLive = found.has(`${pageId} ${from}`)
    const former = ofPage('former', { from, to: livePath ?? prefixed('page', pageId), pageId, isLive })
    found.set(`${pageId} ${from}`, { ...former, id, createdAt: leftAt })
  }
  const named = new Set<string>()
  for (let start = 0; start < ids.length; start += STEP) {
    for (const page of await pages.findBeginnings(projectId, ids.slice(start, start + STEP))) {
      for (const written of resolvedFields(page).redirectFrom) {
        const from = readRedirectPath(written)
        // The first of two pages that name a path has it.
        if (from === null || named.has(from)) continue
        named.add(from)
        const id = `${page.id} ${from}`
        const isLive = found.has(id)
        found.set(id, ofPage('stated', { from, to: publicPath(page, routes), pageId: page.id, isLive }))
      }
    }
  }
  return [...found.values()]
}

function ofPage(
  kind: RedirectKind,
  redirect: Pick<Redirect, 'from' | 'to' | 'isLive'> & { readonly pageId: PageId },
): Redirect {
  return { ...redirect, id: null, kind, target: 'page', fragment: null, isDead: false, createdAt: null }
}

function ofStored({ id, from, to, key, end, targetKind, createdAt }: ListedRedirect): Redirect {
  const path = end !== null && end.kind !== 'url' ? `${end.path}${fragmentHash(end.fragment)}` : null
  return {
    id,
    from,
    to: to.kind === 'page' ? (path ?? prefixed('page', to.pageId)) : writtenTarget(to),
    kind: 'project',
    target: targetKind,
    pageId: to.kind === 'page' ? to.pageId : null,
    fragment: to.kind === 'url' ? null : to.fragment,
    isLive: key !== null,
    isDead: end === null,
    createdAt,
  }
}

/** Names the draft's path of a page that is not live. */
async function withPagePaths(
  { pages }: Pick<Repositories, 'pages'>,
  projectId: Page['projectId'],
  routes: SiteRoutes,
  redirects: readonly Redirect[],
): Promise<readonly Redirect[]> {
  const ids = redirects.flatMap((redirect) => (isUnnamed(redirect) ? [redirect.pageId] : []))
  if (ids.length === 0) return redirects
  const known = new Map(
    (await pages.findSummaries(projectId, [...new Set(ids)])).map((page) => [
      page.id,
      publicPath(page, routes),
    ]),
  )
  return redirects.map((redirect) => {
    const path = isUnnamed(redirect) ? known.get(redirect.pageId) : undefined
    return path === undefined ? redirect : { ...redirect, to: `${path}${fragmentHash(redirect.fragment)}` }
  })
}

/** Reports whether the redirect leads to a page that is not live, and names the page by its id. */
function isUnnamed(redirect: Redirect): redirect is Redirect & { readonly pageId: PageId } {
  return redirect.pageId !== null && redirect.to.startsWith('page_')
}

function matches({ kind, from, to, isDead }: Redirect, filter: RedirectFilter): boolean {
  if (filter.kind !== null && filter.kind !== kind) return false
  if (filter.dead !== null && filter.dead !== isDead) return false
  const text = filter.text?.toLowerCase() ?? ''
  return from.toLowerCase().includes(text) || to.toLowerCase().includes(text)
}

function byPath(a: Redirect, b: Redirect): number {
  return isAfter(a, positionOf(b)) ? 1 : -1
}

function positionOf({ from, kind, pageId }: Redirect): Position {
  return { key: from, id: `${kind} ${pageId}` }
}

function isAfter(redirect: Redirect, { key, id }: Position): boolean {
  const own = positionOf(redirect)
  return own.key === key ? own.id > id : own.key > key
}
