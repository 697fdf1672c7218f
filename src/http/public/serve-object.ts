import type { Context } from 'koa'
import type { OpenObject, Storage } from '../../storage/storage.ts'
import { isKnownTag } from '../known-tag.ts'
import { type ByteRange, readRange } from './byte-range.ts'

/**
 * Answer a GET or HEAD with the object at `key`: whole, a range of it, or 304 to a client that has it.
 *
 * @param movedTo where to send the visitor instead; null to serve the object.
 * @returns false, with nothing answered, when there is no object.
 */
export async function serveObject(
  ctx: Context,
  storage: Pick<Storage, 'open'>,
  key: string,
  movedTo: (object: OpenObject) => Promise<string | null>,
): Promise<boolean> {
  const object = await storage.open(key)
  if (object === null) return false
  const href = await movedTo(object)
  if (href !== null) {
    await object.close()
    redirect(ctx, href)
    return true
  }

  setObjectHeaders(ctx, object)
  ctx.set({ ETag: object.etag, 'Accept-Ranges': 'bytes' })
  if (isKnownTag(ctx.get('If-None-Match'), object.etag)) {
    await object.close()
    ctx.status = 304
    return true
  }

  const range = requestedRange(ctx, object)
  if (range === 'unsatisfiable') {
    await refuseRange(ctx, object)
    return true
  }
  ctx.status = range === null ? 200 : 206
  await send(ctx, object, range)
  return true
}

/** For good, but asked for again each time: another page may be published there one day. */
export function redirect(ctx: Context, href: string): void {
  const [, ...query] = ctx.originalUrl.split('?')
  ctx.status = 308
  ctx.set({ Location: [href, ...query].join('?'), 'Cache-Control': 'no-cache' })
  ctx.body = 'Moved.\n'
}

/** Answer with the whole object as the page of an error: no conditions, no ranges, never kept. */
export async function serveErrorPage(
  ctx: Context,
  storage: Pick<Storage, 'open'>,
  key: string,
  status: number,
): Promise<boolean> {
  const object = await storage.open(key)
  if (object === null) return false

  setObjectHeaders(ctx, object)
  ctx.set('Cache-Control', 'no-cache')
  ctx.status = status
  await send(ctx, object, null)
  return true
}

function setObjectHeaders(ctx: Context, { headers }: OpenObject): void {
  ctx.set({
    'Content-Type': headers.contentType,
    'Cache-Control': headers.cacheControl,
    'X-Content-Type-Options': 'nosniff',
  })
}

/** A range counts for GET only, and with `If-Range` only on the very version the client has a part of. */
function requestedRange(ctx: Context, { etag, size }: OpenObject): ByteRange | 'unsatisfiable' | null {
  const ifRange = ctx.get('If-Range')
  const applies = ctx.method === 'GET' && (ifRange === '' || ifRange === etag)
  return applies ? readRange(ctx.get('Range'), size) : null
}

async function refuseRange(ctx: Context, object: OpenObject): Promise<void> {
  await object.close()
  ctx.status = 416
  ctx.set({ 'Content-Range': `bytes */${object.size}`, 'Cache-Control': 'no-store' })
  ctx.type = 'text'
  ctx.body = 'Range not satisfiable.\n'
}

/** Koa destroys the stream, and so frees the object, when the client goes away. */
async function send(ctx: Context, object: OpenObject, range: ByteRange | null): Promise<void> {
  if (range !== null) ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${object.size}`)
  if (ctx.method === 'HEAD') await object.close()
  else ctx.body = object.stream(range ?? undefined)
  ctx.length = range === null ? object.size : range.end - range.start + 1
}
