import { type BlockList, isIP, SocketAddress } from 'node:net'
import type { Context } from 'koa'
import { isInRanges } from '../platform/ip-ranges.ts'

/**
 * The client's address as rate limits count it: an IPv4 address (also when mapped into IPv6), or the first 64 bits of
 * an IPv6 address, because one client usually has all addresses of such a network.
 *
 * @param proxies proxies whose `X-Forwarded-For` is trusted. The header is read from its end: the first hop that is not
 *   one of them is the client, and earlier hops are the client's own claim.
 */
export function clientAddress(ctx: Context, proxies: BlockList): string {
  let address = ctx.req.socket.remoteAddress ?? ''
  for (const hop of hopsFromNearest(ctx)) {
    if (!isInRanges(address, proxies) || isIP(hop) === 0) break
    address = hop
  }
  return networkOf(address)
}

function hopsFromNearest(ctx: Context): readonly string[] {
  return ctx
    .get('x-forwarded-for')
    .split(',')
    .map((hop) => hop.trim())
    .reverse()
}

/**
 * The address that limits count: IPv4, or the first 64 bits of IPv6. Returns a new string: a substring of a header
 * would retain the whole header in memory.
 */
export function networkOf(address: string): string {
  const version = isIP(address)
  if (version === 0) return 'unknown'
  if (version === 4) return new SocketAddress({ address }).address
  const [withoutZone = ''] = address.split('%')
  const canonical = new SocketAddress({ address: withoutZone, family: 'ipv6' }).address
  const [, mapped] = /^::ffff:([\d.]+)$/.exec(canonical) ?? []
  return mapped ?? `${firstGroups(canonical, 4).join(':')}::/64`
}

/** The first groups of an IPv6 address, with `::` expanded. */
function firstGroups(address: string, count: number): readonly string[] {
  const [head = [], tail = []] = address.split('::').map((side) => (side === '' ? [] : side.split(':')))
  const missing = Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...missing, ...tail].slice(0, count)
}
