import type { BlockList } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Context, Middleware } from 'koa'
import { ServiceError } from '../../domain/errors.ts'
import { isInRanges, parseIpRanges } from '../../platform/ip-ranges.ts'

export interface HttpsRule {
  /** Allows plain HTTP, for trials on loopback. */
  readonly allowHttp: boolean
  /** Addresses or CIDR ranges whose `X-Forwarded-Proto` and `X-Forwarded-For` count. */
  readonly trustProxy: readonly string[]
}

/**
 * Refuses plain HTTP instead of redirecting it: a key that was sent in the clear is compromised already.
 *
 * Trusts `X-Forwarded-Proto` from configured proxies only, and never `X-Forwarded-Host`: proxies pass on `Host`, and
 * many pass on a client's `X-Forwarded-Host` too, with which a client could have any site served, and cached, under
 * another host.
 *
 * @throws {ServiceError} `forbidden`.
 */
export function httpsOnly({ allowHttp, trustProxy }: HttpsRule): Middleware {
  const proxies = parseIpRanges(trustProxy)
  return async (ctx, next) => {
    if (!allowHttp && !isSecure(ctx, proxies)) throw new ServiceError('forbidden', 'HTTPS is required.')
    await next()
  }
}

/** Reports whether a request came over HTTPS. @param proxies whose `X-Forwarded-Proto` counts. */
export function isSecure(ctx: Context, proxies: BlockList): boolean {
  const socket = ctx.req.socket as TLSSocket
  if (socket.encrypted) return true
  if (!isInRanges(socket.remoteAddress ?? '', proxies)) return false
  // A client may have sent the header too; the nearest proxy appended the last value.
  const nearest = ctx.get('x-forwarded-proto').split(',').at(-1) ?? ''
  return nearest.trim().toLowerCase() === 'https'
}
