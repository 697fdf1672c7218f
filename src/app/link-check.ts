import { setTimeout as wait } from 'node:timers/promises'
import { messageOf } from '../domain/errors.ts'
import { literalPattern } from '../domain/literal-pattern.ts'
import { parseUrl } from '../domain/parse-url.ts'
import { checkUrls, type UrlOutcome, type UrlReply } from '../link-check/check-urls.ts'
import { openLinkCache } from '../link-check/link-cache.ts'
import { isSystemError } from '../platform/fs-errors.ts'
import { version } from '../platform/package-paths.ts'
import { createResolve } from '../webhooks/resolve.ts'
import { send } from '../webhooks/send.ts'

export interface LinkCheckRequest {
  readonly urls: readonly string[]
  /** Patterns of addresses that are not asked, `*` for any run of characters. */
  readonly skip: readonly string[]
  readonly cacheFile: string
  /** True to ask all addresses, also the ones that existed lately. */
  readonly fresh: boolean
  /** True to ask addresses of private networks. */
  readonly allowPrivate: boolean
  readonly timeoutMs: number
  readonly onChecked: (done: number, total: number) => void
}

export interface LinkCheckResult {
  readonly outcomes: ReadonlyMap<string, UrlOutcome>
  readonly skipped: number
  /** Outcomes of earlier runs. */
  readonly cached: number
  /** Why the outcomes could not be stored for the next run; null if they were. */
  readonly cacheFailure: string | null
}

/** Asks other sites, over the network of this machine, whether addresses exist. */
export async function checkLinks(request: LinkCheckRequest): Promise<LinkCheckResult> {
  const now = () => new Date().toISOString()
  const cache = await openLinkCache(request.cacheFile, now())
  const skips = request.skip.map(
    (pattern) => new RegExp(`^${literalPattern(pattern).replaceAll('\\*', '.*')}$`),
  )
  const urls = request.urls.filter((url) => !skips.some((skip) => skip.test(url)))
  const due = request.fresh ? urls : urls.filter((url) => cache.get(url) === undefined)
  const resolve = createResolve({ isStrict: true })
  const rules = { allowHttp: true, allowPrivate: request.allowPrivate }
  const never = new AbortController().signal
  const ask = async (url: string, method: 'HEAD' | 'GET'): Promise<UrlReply> => {
    const target = parseUrl(url)
    if (target === null)
      return { status: null, location: null, retryAfter: null, failure: 'It is not an address.' }
    const headers = { 'User-Agent': `quoin-check-links/${version()}`, Accept: '*/*' }
    const reply = await send(
      { method, url: target, headers, body: '' },
      { rules, resolve, timeoutMs: request.timeoutMs },
      never,
    )
    return { ...reply, location: reply.location ?? null }
  }
  const fresh = await checkUrls(due, {
    ask,
    wait: (ms) => wait(ms),
    now,
    onChecked: (done) => request.onChecked(done, due.length),
  })
  const cacheFailure = await failureOf(cache.store(fresh))
  const outcomes = new Map(
    urls.flatMap((url) => {
      const outcome = fresh.get(url) ?? cache.get(url)
      return outcome === undefined ? [] : [[url, outcome] as const]
    }),
  )
  return {
    outcomes,
    skipped: request.urls.length - urls.length,
    cached: urls.length - due.length,
    cacheFailure,
  }
}

/** Why a file could not be written. Other errors are thrown. */
async function failureOf(write: Promise<void>): Promise<string | null> {
  try {
    await write
    return null
  } catch (error) {
    if (isSystemError(error)) return messageOf(error)
    throw error
  }
}
