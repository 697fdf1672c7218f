import type { Context } from 'koa'
import { cacheTagHeaders, cacheTags } from '../../cdn/cache-tags.ts'
import type { PageRepository } from '../../db/repositories/pages.ts'
import type { RedirectRepository } from '../../db/repositories/redirects.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { NOT_FOUND_FILE, notFoundKeysFor } from '../../domain/not-found-page.ts'
import { pathOfKey, redirectHref } from '../../domain/redirect-path.ts'
import { decodedPath, pathOfUrl, urlPath } from '../../domain/route.ts'
import { depthOfKey, endHref } from '../../domain/site-redirect.ts'
import { projectPrefix, storageKey } from '../../domain/storage-key.ts'
import { VISITS_PATH } from '../../domain/visits.ts'
import type { OpenObject, Storage } from '../../storage/storage.ts'
import { refuseMethod } from '../other-methods.ts'
import type { AnswerAgent } from '../site-mcp/answer-agent.ts'
import type { Compression } from './compression.ts'
import { NOT_FOUND_PAGE, UNAVAILABLE_PAGE } from './plain-pages.ts'
import { type CountedVisits, countAgent, receiveVisit } from './receive-visit.ts'
import { type Moved, redirect, serveErrorPage, serveObject } from './serve-object.ts'
import { StoreFailed, wrapStoreErrors } from './store-failed.ts'

export interface PublicSite {
  readonly storage: Pick<Storage, 'open'>
  readonly redirectAt: RedirectRepository['publicAt']
  /** The first of these keys at which the site has an object; null for none. */
  readonly firstObject: PageRepository['firstObject']
  readonly projectId: ProjectId
  /**
   * Path within the site as the client sent it: percent-encoded, without the query, with a leading slash; empty for
   * the root without a slash.
   */
  readonly sitePath: string
  /** True on the API's own origin, where a tenant's page must not have the rights of that origin. */
  readonly sandboxed: boolean
  /** False for an unknown or suspended project: every path is answered with the plain 404. */
  readonly isAvailable: boolean
  readonly compression: Compression
  /** Answers agents at `/mcp`; false for every other request. */
  readonly answerAgent: AnswerAgent
  readonly visits: CountedVisits
  readonly log: StoreLog
}

export interface StoreLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'

/** Answers a visitor with the object at the path, a redirect to the page of that name, or the site's 404. */
export async function servePublic(ctx: Context, site: PublicSite): Promise<void> {
  // Sandboxed pages have an opaque origin, so even their own files are cross-origin to them.
  ctx.set({ 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' })
  if (site.sandboxed) ctx.set('Content-Security-Policy', SANDBOX)

  if (site.isAvailable && (await site.answerAgent(ctx, site))) return
  if (ctx.method === 'POST' && site.sitePath === VISITS_PATH && site.isAvailable)
    return receiveVisit(ctx, site.projectId, site.visits)
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
    refuseMethod(ctx, site.sitePath === VISITS_PATH ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'])
  const lookups: string[] = []
  const setTags = () => ctx.set(cacheTagHeaders(cacheTags(site.projectId, lookups)))
  setTags()
  if (!site.isAvailable) return servePlainNotFound(ctx)

  try {
    await serveFound(ctx, { ...site, storage: storeOf(site, lookups) })
    setTags()
    countAgent(ctx, site)
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error
    const fields = { err: error.cause, request_id: ctx.state['requestId'], path: ctx.path }
    site.log.error(fields, 'The store failed; a visitor got 503.')
    serveUnavailable(ctx)
  }
}

async function serveFound(ctx: Context, site: PublicSite): Promise<void> {
  const { storage, projectId, sitePath } = site
  const key = visitorKey(projectId, sitePath)
  if (key !== null && (await redirectToMarkdown(ctx, site, key))) return
  if (key !== null && (await serveObject(ctx, site, key, movedTo(site, key)))) return

  if (sitePath === '') return redirectToFolder(ctx)
  const index = visitorKey(projectId, `${sitePath}/`)
  if (!sitePath.endsWith('/') && index !== null && (await exists(storage, index)))
    return redirectToFolder(ctx)
  if (await redirectToPage(ctx, site)) return

  const notFound = await site.firstObject(projectId, notFoundKeysFor(decodedPath(sitePath) ?? ''))
  const served = await serveErrorPage(ctx, site, storageKey(projectId, notFound ?? NOT_FOUND_FILE), 404)
  if (!served) servePlainNotFound(ctx)
}

const PAGE_FILE = /(^|\/)index\.html$/

/**
 * Redirects a client that prefers Markdown to HTML, as language models do, to the Markdown of the page. It is a
 * redirect because caches store none: one that ignores `Vary` would show the Markdown to browsers. False, without an
 * answer, for other clients and for pages without Markdown.
 */
async function redirectToMarkdown(ctx: Context, { storage }: PublicSite, key: string): Promise<boolean> {
  if (!PAGE_FILE.test(key)) return false
  ctx.vary('Accept')
  if (ctx.accepts('text/html', 'text/markdown') !== 'text/markdown') return false
  if (!(await exists(storage, key.replace(PAGE_FILE, '$1index.md')))) return false
  ctx.status = 302
  ctx.set({ Location: 'index.md', 'Cache-Control': 'no-cache' })
  ctx.body = 'As Markdown.\n'
  return true
}

/** Largest redirect document. Most pages are larger, and need no lookup of a redirect. */
const REDIRECT_BYTES = 4096

/**
 * Returns the target of the redirect at this key; null when the object is no redirect. To a feed or a file it is 301,
 * because old readers of feeds know no other.
 */
function movedTo({ redirectAt, projectId }: PublicSite, key: string) {
  return async ({ size }: OpenObject): Promise<Moved | null> => {
    const own = key.slice(projectPrefix(projectId).length)
    // The path of a redirect never begins with `_`.
    if (own.startsWith('_') || (size > REDIRECT_BYTES && own.endsWith('.html'))) return null
    const found = await redirectAt(projectId, own)
    if (found === null) return null
    if (found.kind === 'of page') return { href: redirectHref(pathOfKey(own), found.path), status: 308 }
    const isFile = found.kind === 'feed' || found.kind === 'file'
    return { href: endHref(found, depthOfKey(own)), status: isFile ? 301 : 308 }
  }
}

/** The storage key for a visitor's path; null when no object can have it. */
function visitorKey(projectId: ProjectId, sitePath: string): string | null {
  const path = sitePath.startsWith('/') ? decodedPath(sitePath.slice(1)) : null
  if (path === null) return null
  const key = path === '' || path.endsWith('/') ? `${path}index.html` : path
  try {
    return isServable(key) ? storageKey(projectId, key) : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Reports whether visitors may read the key: every key but dot files, which no publish writes. */
function isServable(key: string): boolean {
  return !/(^|\/)\.(?!well-known\/)/.test(key)
}

async function exists(storage: PublicSite['storage'], key: string): Promise<boolean> {
  const object = await storage.open(key)
  await object?.close()
  return object !== null
}

/** Redirects to the path with a slash at its end. The link is relative, so it works under any base path. */
function redirectToFolder(ctx: Context): void {
  const [path = ''] = ctx.originalUrl.split('?')
  redirect(ctx, `./${path.slice(path.lastIndexOf('/') + 1)}/`)
}

/** Redirects from another spelling of a page's address, in case or in Unicode normalisation, to the address itself. */
async function redirectToPage(ctx: Context, { storage, projectId, sitePath }: PublicSite): Promise<boolean> {
  const path = pathOfUrl(sitePath)
  if (path === null) return false
  const page = path.endsWith('/') ? path : `${path}/`
  const target = urlPath(page)
  const key = visitorKey(projectId, target)
  if (target === sitePath || key === null || !(await exists(storage, key))) return false
  // Relative, so that it works under any base path. The site starts where the path of the request ends otherwise.
  const depth = sitePath.split('/').length - 2
  redirect(ctx, `${'../'.repeat(depth)}${depth === 0 ? './' : ''}${target.slice(1)}`)
  return true
}

/** @param lookups receives the key of each object that is looked up, for the cache tags of the answer. */
function storeOf({ storage }: PublicSite, lookups: string[]): PublicSite['storage'] {
  return {
    open(key, ...options) {
      lookups.push(key)
      return wrapStoreErrors(storage.open(key, ...options))
    },
  }
}

const RETRY_SECONDS = 5

function serveUnavailable(ctx: Context): void {
  ctx.status = 503
  ctx.set({ 'Retry-After': String(RETRY_SECONDS), 'Cache-Control': 'no-store' })
  ctx.type = 'html'
  ctx.body = UNAVAILABLE_PAGE
}

/** Answers with the plain 404 page, when there is no site to show. */
export function servePlainNotFound(ctx: Context): void {
  ctx.status = 404
  ctx.set('Cache-Control', 'no-cache')
  ctx.type = 'html'
  ctx.body = NOT_FOUND_PAGE
}
