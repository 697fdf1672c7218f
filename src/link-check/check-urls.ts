import pLimit from 'p-limit'
import { parseUrl } from '../domain/parse-url.ts'

/** The answer of another site to the question whether an address exists. */
export type UrlOutcome =
  | { readonly kind: 'ok' }
  /** The page exists, under another address for good. */
  | { readonly kind: 'moved'; readonly to: string }
  | { readonly kind: 'dead'; readonly reason: string }
  /** Only some visitors get it, or the site has an error now. */
  | { readonly kind: 'unclear'; readonly reason: string }

/** The start of an answer. */
export interface UrlReply {
  /** The status. Null without an answer. */
  readonly status: number | null
  readonly location: string | null
  readonly retryAfter: string | null
  /** The reason for a missing answer. */
  readonly failure: string | null
}

export interface UrlPorts {
  readonly ask: (url: string, method: 'HEAD' | 'GET') => Promise<UrlReply>
  readonly wait: (ms: number) => Promise<void>
  /** ISO 8601 UTC. */
  readonly now: () => string
  readonly onChecked: (done: number) => void
}

/** Sites that are asked at the same time; each gets one request after the other. */
const MAX_HOSTS = 12
/** Between two requests to one site, in ms. */
const PAUSE_MS = 150
const MAX_REDIRECTS = 5
/** A site that asks for more patience is left alone. */
const MAX_WAIT_MS = 30_000

/** Asks each address once, politely. The order of the results is that of the addresses. */
export async function checkUrls(
  urls: readonly string[],
  ports: UrlPorts,
): Promise<ReadonlyMap<string, UrlOutcome>> {
  const hosts = new Map<string, string[]>()
  for (const url of urls) {
    const host = parseUrl(url)?.host ?? ''
    hosts.set(host, [...(hosts.get(host) ?? []), url])
  }
  const limit = pLimit(MAX_HOSTS)
  const found = new Map<string, UrlOutcome>()
  let done = 0
  const checkHost = async (own: readonly string[]) => {
    let silence: string | null = null
    for (const [index, url] of own.entries()) {
      if (index > 0 && silence === null) await ports.wait(PAUSE_MS)
      const outcome: UrlOutcome =
        silence === null ? await checkUrl(url, ports) : { kind: 'unclear', reason: silence }
      // A site that asks for silence is not asked again in this run.
      if (outcome.kind === 'unclear' && outcome.reason.startsWith(SILENCE)) silence = outcome.reason
      found.set(url, outcome)
      done += 1
      ports.onChecked(done)
    }
  }
  await Promise.all([...hosts.values()].map((own) => limit(() => checkHost(own))))
  return new Map(
    urls.flatMap((url) => (found.has(url) ? [[url, found.get(url) as UrlOutcome] as const] : [])),
  )
}

const SILENCE = 'The site asked to wait'

async function checkUrl(url: string, ports: UrlPorts): Promise<UrlOutcome> {
  let at = url
  let isForGood = true
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const reply = await politely(at, ports)
    const { status, location } = reply
    if (status === null || status < 300 || status >= 400 || location === null) {
      const outcome = outcomeOf(reply)
      return outcome.kind === 'ok' && at !== url && isForGood ? { kind: 'moved', to: at } : outcome
    }
    const next = parseUrl(location, at)
    if (next === null || !/^https?:$/.test(next.protocol))
      return { kind: 'dead', reason: `It redirects to ${location.slice(0, 200)}, which is not an address.` }
    if (status !== 301 && status !== 308) isForGood = false
    next.hash = ''
    at = next.href
  }
  return { kind: 'dead', reason: `It redirects more than ${MAX_REDIRECTS} times.` }
}

/**
 * Requests the head, then the page where a site does not answer `HEAD`. Each request is repeated once after
 * `Retry-After`.
 */
async function politely(url: string, ports: UrlPorts): Promise<UrlReply> {
  const head = await patiently(url, 'HEAD', ports)
  const isAnswered = head.status !== null && (head.status < 400 || head.status === 410 || head.status === 429)
  return isAnswered ? head : patiently(url, 'GET', ports)
}

async function patiently(url: string, method: 'HEAD' | 'GET', ports: UrlPorts): Promise<UrlReply> {
  const reply = await ports.ask(url, method)
  if (reply.status !== 429 && reply.status !== 503) return reply
  const ms = waitOf(reply.retryAfter, ports.now())
  if (ms === null || ms > MAX_WAIT_MS) return reply
  await ports.wait(ms)
  return ports.ask(url, method)
}

/** `Retry-After` in milliseconds: seconds, or a date (RFC 9110). */
function waitOf(retryAfter: string | null, now: string): number | null {
  if (retryAfter === null) return null
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000
  const until = Date.parse(retryAfter)
  return Number.isNaN(until) ? null : Math.max(0, until - Date.parse(now))
}

function outcomeOf({ status, failure }: UrlReply): UrlOutcome {
  if (status === null) {
    const reason = failure ?? 'It does not answer.'
    const isGone = /no address|ENOTFOUND|ECONNREFUSED|private or reserved/.test(reason)
    return { kind: isGone ? 'dead' : 'unclear', reason }
  }
  if (status < 400) return { kind: 'ok' }
  if (status === 429 || status === 503)
    return { kind: 'unclear', reason: `${SILENCE}: it answers ${status}.` }
  const isUnclear = [401, 402, 403, 407, 408, 425, 451].includes(status) || status >= 500
  return { kind: isUnclear ? 'unclear' : 'dead', reason: `It answers ${status}.` }
}
