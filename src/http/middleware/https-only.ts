import type { BlockList } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Context, Middleware } from 'koa'
import { ServiceError } from '../../domain/errors.ts'
import { isInRanges, parseIpRanges } from '../../platform/ip-ranges.ts'

export interface HttpsRule {
  /** Let plain HTTP in; for trials on loopback. */
  readonly allowHttp: boolean
  /** Addresses or CIDR ranges whose `X-Forwarded-Proto` and `X-Forwarded-For` count. */
  readonly trustProxy: readonly string[]
}

/**
 * Refuses plain HTTP, never redirects it: a key sent in the clear is spent already.
 *
 * Of what a proxy forwards only `X-Forwarded-Proto` counts here, and only from a proxy named by its
 * address. `X-Forwarded-Host` never does: proxies are set up to pass `Host` on, many of them pass a
 * client's `X-Forwarded-Host` on as well, and whoever chose it could have any site served, and
 * cached, under another's name.
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

function isSecure(ctx: Context, proxies: BlockList): boolean {
  const socket = ctx.req.socket as TLSSocket
  if (socket.encrypted) return true
  if (!isInRanges(socket.remoteAddress ?? '', proxies)) return false
  // A client may have sent one itself; the proxy nearest to us wrote the last.
  const nearest = ctx.get('x-forwarded-proto').split(',').at(-1) ?? ''
  return nearest.trim().toLowerCase() === 'https'
}
