import type { BlockList } from 'node:net'
import type { Context, Middleware } from 'koa'
import { type Caller, keyOf } from '../../domain/caller.ts'
import { RateLimitError, ServiceError } from '../../domain/errors.ts'
import type { LimitedEndpoint, Refusal } from '../../domain/rate-limit.ts'
import type { KeySubject, LimitStatus, RateLimits, Subject, WindowStatus } from '../../limits/rate-limits.ts'
import { parseIpRanges } from '../../platform/ip-ranges.ts'
import type { Authenticate } from '../../services/accounts/authentication.ts'
import type { ApiState } from '../api.ts'
import { clientAddress } from '../client-address.ts'

export interface RateLimitPorts {
  readonly limits: RateLimits
  readonly authenticate: Authenticate
  /** Addresses or CIDR ranges whose `X-Forwarded-For` counts. */
  readonly trustProxy: readonly string[]
}

/** Paths that need no key and are served over plain HTTP too: published files, and documents about the API. */
const OPEN_PATHS = /^\/(public\/|render\/_assets\/|reference(\/|$)|problems\/|schemas\/|openapi\.json$)/i

/** Header value for a window without a limit. */
const UNLIMITED = 2_147_483_647

const ENDPOINTS: readonly {
  readonly name: LimitedEndpoint
  readonly method: string
  readonly path: RegExp
}[] = [
  { name: 'create_page', method: 'POST', path: /^(\/v1)?\/pages\/?$/i },
  { name: 'create_page', method: 'POST', path: /^\/projects\/[^/]+\/pages\/bulk\/?$/i },
  { name: 'update_page', method: 'PUT', path: /^(\/v1)?\/pages\/[^/]+\/?$/i },
  { name: 'create_project', method: 'POST', path: /^(\/v1)?\/projects\/?$/i },
]

const WINDOWS: Readonly<Record<Refusal['window'], string>> = {
  burst: 'in 10 seconds',
  minute: 'in a minute',
  hour: 'in an hour',
  month: 'in a calendar month',
  endpoint: 'of this kind in a minute',
  account: 'for all keys and sessions of the account',
}

/**
 * Counts requests that need no key: sites on their own hosts and open paths.
 *
 * A request counts for its key, or without a valid key for the client's address, so that invented keys do not avoid
 * the limit. Sets `state.identity` to the caller or to the error of its key: the limit is checked before that error is
 * answered.
 *
 * @throws {ServiceError} `rate_limit_exceeded`.
 */
export function countVisits(ports: RateLimitPorts): Middleware {
  const count = counting(ports)
  return (ctx, next) => {
    const isVisit = (ctx.state['site'] ?? null) !== null || OPEN_PATHS.test(ctx.path)
    return isVisit ? count(ctx, 'visits').then(next) : next()
  }
}

/** Counts every other request in the same way; requests under `/render/` count as visits. */
export function countCalls(ports: RateLimitPorts): Middleware<ApiState> {
  const count = counting(ports)
  return async (ctx, next) => {
    if (ctx.state.identity === undefined) await count(ctx, /^\/render\//i.test(ctx.path) ? 'visits' : 'calls')
    await next()
  }
}

/** Sets the rate-limit headers of answers to uncounted requests, for the client's address. */
export function showRateLimits({ limits, trustProxy }: RateLimitPorts): Middleware {
  const proxies = parseIpRanges(trustProxy)
  return async (ctx, next) => {
    try {
      await next()
    } finally {
      if (!ctx.res.hasHeader('X-RateLimit-Limit')) {
        showStatus(ctx, await limits.peek({ subject: addressOf(ctx, proxies), budget: 'calls' }))
      }
    }
  }
}

function counting({ limits, authenticate, trustProxy }: RateLimitPorts) {
  const proxies = parseIpRanges(trustProxy)
  return async (ctx: Context, budget: 'calls' | 'visits'): Promise<void> => {
    const identity = await identify(ctx, authenticate)
    ctx.state['identity'] = identity
    const address = clientAddress(ctx, proxies)
    ctx.state['clientAddress'] = address
    const subject: Subject =
      identity instanceof ServiceError ? { kind: 'address', id: address } : keySubject(identity)
    const request = { subject, budget, endpoint: endpointOf(ctx) }
    const decision = await limits.take(request)
    showStatus(ctx, decision)
    if (decision.refusal !== null) refuse(ctx, decision.refusal)
    const charge: ApiState['charge'] = async (more) => {
      if (more > 0) showStatus(ctx, await limits.charge(request, more))
    }
    ctx.state['charge'] = charge
  }
}

async function identify(ctx: Context, authenticate: Authenticate): Promise<Caller | ServiceError> {
  try {
    return await authenticate(ctx.get('authorization') || undefined)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

/** @throws {Error} for a caller with a session. */
export function keySubject(caller: Caller): KeySubject {
  const { userId, allowance, accountAllowance } = caller
  return { kind: 'key', id: keyOf(caller), allowance, account: { id: userId, allowance: accountAllowance } }
}

function addressOf(ctx: Context, proxies: BlockList): Subject {
  return { kind: 'address', id: clientAddress(ctx, proxies) }
}

function endpointOf({ method, path }: Context): LimitedEndpoint | null {
  return ENDPOINTS.find((one) => one.method === method && one.path.test(path))?.name ?? null
}

/** Sets the rate-limit headers. */
export function showStatus(
  ctx: Context,
  { limit, remaining, resetAt, burstLimit, burstRemaining, windows }: LimitStatus,
): void {
  ctx.set({
    // https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-08
    ...(windows.length > 0 && {
      'RateLimit-Policy': windows.map(policyOf).join(', '),
      RateLimit: windows.map(remainderOf).join(', '),
    }),
    'X-RateLimit-Limit': shown(limit),
    'X-RateLimit-Remaining': shown(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
    'X-RateLimit-Burst-Limit': shown(burstLimit),
    'X-RateLimit-Burst-Remaining': shown(burstRemaining),
  })
}

function policyOf({ name, limit, lengthMs }: WindowStatus): string {
  return `"${name}";q=${limit}${lengthMs === null ? '' : `;w=${lengthMs / 1000}`}`
}

function remainderOf({ name, remaining, resetMs }: WindowStatus): string {
  return `"${name}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`
}

function shown(requests: number): string {
  return String(Math.min(requests, UNLIMITED))
}

/** @throws {ServiceError} `rate_limit_exceeded`. */
export function refuse(ctx: Context, refusal: Refusal): never {
  const { window, span, limit, retryAfter } = refusal
  const within = span === undefined ? WINDOWS[window] : `${WINDOWS[span]} ${WINDOWS[window]}`
  const seconds = String(retryAfter)
  ctx.set({ 'Retry-After': seconds, 'X-RateLimit-Retry-After': seconds })
  throw new RateLimitError(
    `Too many requests: the limit is ${limit} ${within}. Try again in ${seconds} s.`,
    refusal,
  )
}
