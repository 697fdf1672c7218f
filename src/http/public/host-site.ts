import { performance } from 'node:perf_hooks'
import type { Context, Middleware } from 'koa'
import { LRUCache } from 'lru-cache'
import { cacheTagHeaders, cacheTags } from '../../cdn/cache-tags.ts'
import type { HostedProject } from '../../db/repositories/projects.ts'
import type { Database } from '../../db/repositories.ts'
import { CHALLENGE_PATH, challengeToken } from '../../domain/domain-proof.ts'
import { type PublicAddresses, sitePrefix } from '../../domain/project.ts'
import { hostName, siteHost } from '../../domain/site-host.ts'
import type { Storage } from '../../storage/storage.ts'
import type { AnswerAgent } from '../site-mcp/answer-agent.ts'
import type { Compression } from './compression.ts'
import type { CountedVisits } from './receive-visit.ts'
import { requestTarget } from './request-target.ts'
import { redirect } from './serve-object.ts'
import { type StoreLog, servePlainNotFound, servePublic } from './site.ts'

/** Cached hosts, including those without a project. */
const CACHED_HOSTS = 1000

/** Lifetime of a cached host. A moved domain or a suspended project takes effect after this. */
const CACHE_TTL_MS = 3000

/** The site of a host. */
interface HostSite {
  /** The project; null for an unused subdomain of the sites domain. */
  readonly project: HostedProject | null
  /** Path of the site on the host: empty, or a path such as `/help`. */
  readonly prefix: string
  /** The project's domain, when the host is the same name with or without `www.`; null on its own hosts. */
  readonly redirectsTo: string | null
  /** Content of the file that proves the domain; null on other hosts. */
  readonly challenge: string | null
}

export interface HostSitePorts {
  readonly db: Pick<Database, 'read'>
  readonly addresses: PublicAddresses
  /** Hosts of the service itself, lower case. */
  readonly ownHosts: readonly string[]
  /** A monotonic clock in milliseconds. */
  readonly monotonic?: () => number
}

/**
 * Looks up the site of the request's host and sets `ctx.state.site`. Not set for requests to the service itself: its
 * own hosts, IP addresses and unknown hosts.
 */
export function findHostSite({
  db,
  addresses: { sitesDomain },
  ownHosts,
  monotonic = () => performance.now(),
}: HostSitePorts): Middleware {
  const cache = new LRUCache<string, { readonly site: HostSite | null; readonly until: number }>({
    max: CACHED_HOSTS,
  })

  return async (ctx, next) => {
    const name = hostName(requestTarget(ctx.req).host)
    if (name !== null) ctx.state['site'] = await siteOf(name)
    await next()
  }

  async function siteOf(name: string): Promise<HostSite | null> {
    const host = siteHost(name, { sitesDomain, ownHosts })
    if (host === null) return null
    const known = cache.get(name)
    const now = monotonic()
    if (known !== undefined && now < known.until) return known.site

    const project = await db.read.projects.findByHost(host)
    const site = 'subdomain' in host ? { ...ON_SUBDOMAIN, project } : onCustomDomain(name, project)
    cache.set(name, { site, until: now + CACHE_TTL_MS })
    return site
  }
}

const ON_SUBDOMAIN = { prefix: '', redirectsTo: null, challenge: null } as const

/** An unknown domain may be another name of the service, so it is no site. */
function onCustomDomain(name: string, project: HostedProject | null): HostSite | null {
  if (project === null) return null
  const { customDomain } = project.hosting
  const isOwn = customDomain === name
  return {
    project,
    prefix: sitePrefix(project.hosting),
    redirectsTo: isOwn ? null : customDomain,
    challenge: isOwn ? challengeToken(project.id) : null,
  }
}

export interface SitePorts {
  readonly db: Pick<Database, 'read'>
  readonly storage: Storage
  readonly compression: Compression
  readonly answerAgent: AnswerAgent
  readonly visits: CountedVisits
  readonly log: StoreLog
}

/**
 * Serves the site that `findHostSite` found, before any route: a site's host has no API. Without a sandbox, since the
 * origin is the tenant's own.
 */
export function serveHostSite({ db, storage, compression, answerAgent, visits, log }: SitePorts): Middleware {
  return async (ctx, next) => {
    const site = (ctx.state['site'] ?? null) as HostSite | null
    if (site === null) return next()
    const { project, prefix, redirectsTo, challenge } = site
    const { path } = requestTarget(ctx.req)
    if (challenge !== null && path === CHALLENGE_PATH) return serveChallenge(ctx, challenge)
    const sitePath = pathWithin(prefix, path)
    if (project === null || sitePath === null) return servePlainNotFound(ctx)

    const isAvailable = project.status !== 'suspended'
    if (redirectsTo !== null && isAvailable) {
      ctx.set(cacheTagHeaders(cacheTags(project.id, [])))
      return redirect(ctx, `https://${redirectsTo}${path}`)
    }
    await servePublic(ctx, {
      storage,
      redirectAt: db.read.redirects.publicAt,
      firstObject: db.read.pages.firstObject,
      projectId: project.id,
      sitePath,
      sandboxed: false,
      isAvailable,
      compression,
      answerAgent,
      visits,
      log,
    })
  }
}

/** A domain that was proved by its file stays proved while it leads here. */
function serveChallenge(ctx: Context, token: string): void {
  ctx.type = 'text/plain; charset=utf-8'
  ctx.set('Cache-Control', 'no-store')
  ctx.body = token
}

/** The path after the prefix: empty or with a leading slash. Null for other paths. */
function pathWithin(prefix: string, path: string): string | null {
  return path === prefix || path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : null
}
