import { BlockList, isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Context, Middleware } from 'koa'
import { ServiceError } from '../../domain/errors.ts'

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
  const proxies = blockListOf(trustProxy)
  return async (ctx, next) => {
    if (!allowHttp && !isSecure(ctx, proxies)) throw new ServiceError('forbidden', 'HTTPS is required.')
    await next()
  }
}

function isSecure(ctx: Context, proxies: BlockList): boolean {
  const socket = ctx.req.socket as TLSSocket
  if (socket.encrypted) return true
  if (!isProxy(socket.remoteAddress ?? '', proxies)) return false
  // A client may have sent one itself; the proxy nearest to us wrote the last.
  const nearest = ctx.get('x-forwarded-proto').split(',').at(-1) ?? ''
  return nearest.trim().toLowerCase() === 'https'
}

/** Whether the sender at this address is one of these proxies. */
export function isProxy(address: string, proxies: BlockList): boolean {
  return isIP(address) !== 0 && proxies.check(address, familyOf(address))
}

/**
 * IPv4 entries match the same address in its IPv6 form (`::ffff:10.0.0.1`) too.
 *
 * @throws {RangeError} naming the entry that is neither an address nor a range, or that is everyone.
 */
export function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    addEntry(list, entry)
    const alone = new BlockList()
    addEntry(alone, entry)
    if (isEveryone(alone)) throw new RangeError(`${entry} is everyone; name the proxies themselves`)
  }
  return list
}

function addEntry(list: BlockList, entry: string): void {
  const [address = '', bits, ...rest] = entry.split('/')
  const widest = isIP(address) === 6 ? 128 : 32
  const isRange = bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= widest
  if (isIP(address) === 0 || rest.length > 0 || (bits !== undefined && !isRange)) {
    throw new RangeError(`${entry} is neither an IP address nor a range such as 10.0.0.0/8`)
  }
  if (bits === undefined) list.addAddress(address, familyOf(address))
  else list.addSubnet(address, Number(bits), familyOf(address))
}

/** One range that holds the first and the last address holds all between them. */
function isEveryone(list: BlockList): boolean {
  const holds = (address: string) => list.check(address, familyOf(address))
  return (
    (holds('0.0.0.0') && holds('255.255.255.255')) ||
    (holds('::') && holds('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'))
  )
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
