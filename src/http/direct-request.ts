import type { BlockList } from 'node:net'
import type { Context } from 'koa'
import { isInRanges } from '../platform/ip-ranges.ts'

/** Headers of requests that a proxy passes on for others. */
const FORWARDED = [
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'forwarded',
  'via',
]

/** Reports whether the request comes from a client at one of these addresses, without a proxy. */
export function isDirectRequest(ctx: Context, allowed: BlockList): boolean {
  return (
    FORWARDED.every((name) => ctx.get(name) === '') && isInRanges(ctx.req.socket.remoteAddress ?? '', allowed)
  )
}
