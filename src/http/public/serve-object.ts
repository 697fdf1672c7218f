import type { Context } from 'koa'
import type { ObjectHeaders } from '../../domain/artifact.ts'
import { type ByteRange, readRange } from '../../domain/byte-range.ts'
import { contentDisposition } from '../../domain/content-disposition.ts'
import { MEDIA_PREFIX } from '../../domain/media.ts'
import type { OpenObject, Storage } from '../../storage/storage.ts'
import { matchesEtag } from '../matches-etag.ts'
import { acceptedCoding, CODINGS, type Coding } from './accept-encoding.ts'
import { type Compression, isText } from './compression.ts'

export interface Serving {
  readonly storage: Pick<Storage, 'open'>
  readonly compression: Compression
}

/** A link to where an object redirects. */
export interface Moved {
  readonly href: string
  readonly status: 301 | 308
}

/**
 * Answers a GET or HEAD with the object at `key`: whole and compressed if the client accepts that, an uncompressed
 * range, or 304. Each representation has an entity tag of its own.
 *
 * @param movedTo where the object redirects; null serves the object.
 * @returns false, without an answer, when there is no object.
 */
export async function serveObject(
  ctx: Context,
  { storage, compression }: Serving,
  key: string,
  movedTo: (object: OpenObject) => Promise<Moved | null>,
): Promise<boolean> {
  const object = await storage.open(key)
  if (object === null) return false
  const moved = await movedTo(object)
  if (moved !== null) {
    await object.close()
    redirect(ctx, moved.href, moved.status)
    return true
  }

  setObjectHeaders(ctx, key, object)
  const known = matchingTag(ctx, object)
  if (known !== null) {
    await object.close()
    ctx.set('ETag', known)
    ctx.status = 304
    return true
  }

  const range = requestedRange(ctx, object)
  if (range === 'unsatisfiable') {
    await refuseRange(ctx, object)
    return true
  }
  if (range !== null) await sendRange(ctx, object, range)
  else await sendWhole(ctx, compression, key, object)
  return true
}

/** Redirects permanently, but without caching: another page can be published at this path later. */
export function redirect(ctx: Context, href: string, status: Moved['status'] = 308): void {
  ctx.status = status
  ctx.set({ Location: withQuery(href, ctx.originalUrl), 'Cache-Control': 'no-cache' })
  ctx.body = 'Moved.\n'
}

/** The link with the query of the request, after its own query and before its fragment. */
function withQuery(href: string, url: string): string {
  const at = url.indexOf('?')
  if (at === -1) return href
  const [link = '', ...fragment] = href.split('#')
  const joint = link.includes('?') ? '&' : '?'
  return [`${link}${joint}${url.slice(at + 1)}`, ...fragment].join('#')
}

/** Answers with the whole object as an error page: no conditional requests, no ranges, no caching. */
export async function serveErrorPage(
  ctx: Context,
  { storage, compression }: Serving,
  key: string,
  status: number,
): Promise<boolean> {
  const object = await storage.open(key)
  if (object === null) return false

  setObjectHeaders(ctx, key, object)
  await sendWhole(ctx, compression, key, object)
  ctx.set('Cache-Control', 'no-cache')
  for (const ofVersion of ['ETag', 'Accept-Ranges']) ctx.remove(ofVersion)
  ctx.status = status
  return true
}

/** A drawing runs nothing and loads nothing. */
const DRAWING_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

/** Returns headers that prevent an upload from acting as a page of the site, and give it a name for saving. */
function uploadHeaders(
  key: string,
  { contentType }: OpenObject['headers'],
): Readonly<Record<string, string>> {
  if (!key.includes(`/${MEDIA_PREFIX}`)) return {}
  const disposition = contentDisposition(key)
  return {
    ...(contentType === 'image/svg+xml' && { 'Content-Security-Policy': DRAWING_POLICY }),
    ...(disposition !== null && { 'Content-Disposition': disposition }),
  }
}

/** An estimate for English text, so that a language model can plan before it reads. */
const BYTES_PER_TOKEN = 4

function setObjectHeaders(ctx: Context, key: string, { headers, size }: OpenObject): void {
  ctx.set({
    'Content-Type': headers.contentType,
    'Cache-Control': headers.cacheControl,
    'X-Content-Type-Options': 'nosniff',
    ...(headers.contentEncoding !== undefined && { 'Content-Encoding': headers.contentEncoding }),
  })
  ctx.set(uploadHeaders(key, headers))
  if (headers.contentType.startsWith('text/markdown'))
    ctx.set('X-Markdown-Tokens', String(Math.ceil(size / BYTES_PER_TOKEN)))
  if (isCompressible(headers)) ctx.vary('Accept-Encoding')
}

/** The tag in `If-None-Match` that matches a representation of this version, preferably the one to be sent. */
function matchingTag(ctx: Context, { etag, headers }: OpenObject): string | null {
  const coding = codingFor(ctx, headers)
  const others = isCompressible(headers) ? [etag, ...CODINGS.map((other) => codedTag(etag, other))] : [etag]
  const tags = [...(coding === null ? [] : [codedTag(etag, coding)]), ...others]
  return tags.find((tag) => matchesEtag(ctx.get('If-None-Match'), tag)) ?? null
}

function codingFor(ctx: Context, headers: ObjectHeaders): Coding | null {
  return isCompressible(headers) ? acceptedCoding(ctx.get('Accept-Encoding')) : null
}

function isCompressible({ contentType, contentEncoding }: ObjectHeaders): boolean {
  return contentEncoding === undefined && isText(contentType)
}

/** A tag per coding: with a shared tag a client could combine ranges of different representations. */
function codedTag(etag: string, coding: Coding): string {
  return `${etag.slice(0, -1)}-${coding}"`
}

/** Ranges apply to GET only, and with `If-Range` only to the version that the client already has a part of. */
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

async function sendRange(ctx: Context, object: OpenObject, range: ByteRange): Promise<void> {
  ctx.status = 206
  ctx.set({
    ETag: object.etag,
    'Accept-Ranges': 'bytes',
    'Content-Range': `bytes ${range.start}-${range.end}/${object.size}`,
  })
  ctx.state['bufferedBytes'] = object.bufferedBytes
  ctx.body = object.stream(range)
  ctx.length = range.end - range.start + 1
}

async function sendWhole(
  ctx: Context,
  compression: Compression,
  key: string,
  object: OpenObject,
): Promise<void> {
  const coding = codingFor(ctx, object.headers)
  const body = coding === null ? null : await compression.body(key, object, coding)
  if (coding === null || body === null) return sendUncompressed(ctx, object)
  ctx.status = 200
  ctx.set({ ETag: codedTag(object.etag, coding), 'Content-Encoding': coding })
  ctx.body = body
}

/** Koa destroys the stream, which closes the object, when the client disconnects. */
async function sendUncompressed(ctx: Context, object: OpenObject): Promise<void> {
  ctx.status = 200
  ctx.set({ ETag: object.etag, 'Accept-Ranges': 'bytes' })
  if (ctx.method === 'HEAD') await object.close()
  else {
    ctx.state['bufferedBytes'] = object.bufferedBytes
    ctx.body = object.stream()
  }
  ctx.length = object.size
}
