import { type BlockList, isIP, SocketAddress } from 'node:net'
import type { Context } from 'koa'
import { isInRanges } from '../platform/ip-ranges.ts'

/**
 * The address a request came from, as rate limits count it: IPv4 as it is, also where it comes mapped
 * into IPv6; of IPv6 the first 64 bits, since whoever has one address there has all of them.
 *
 * @param proxies whose `X-Forwarded-For` is believed. It is read from its end: the first hop that is no
 *   such proxy is the client, and what stands before it is only what the client says.
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

/** Always a text of its own: a part cut out of a header would keep the whole header in memory. */
function networkOf(address: string): string {
  const version = isIP(address)
  if (version === 0) return 'unknown'
  if (version === 4) return new SocketAddress({ address }).address
  const [withoutZone = ''] = address.split('%')
  const canonical = new SocketAddress({ address: withoutZone, family: 'ipv6' }).address
  const [, mapped] = /^::ffff:([\d.]+)$/.exec(canonical) ?? []
  return mapped ?? `${firstGroups(canonical, 4).join(':')}::/64`
}

/** @param address IPv6, in which `::` stands for as many groups of zeros as are missing. */
function firstGroups(address: string, count: number): readonly string[] {
  const [head = [], tail = []] = address.split('::').map((side) => (side === '' ? [] : side.split(':')))
  const missing = Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...missing, ...tail].slice(0, count)
}
