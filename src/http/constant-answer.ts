import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'koa'
import { matchesEtag } from './matches-etag.ts'
import { acceptedCoding, type Coding } from './public/accept-encoding.ts'

/** An answer that is the same for every client. Its bytes are created once, and compressed once for each coding. */
export interface ConstantAnswer {
  readonly contentType: string
  /** Shared by all answers. */
  readonly bytes: Buffer
  readonly etag: string
  readonly compressed: Map<Coding, Promise<Buffer>>
}

export function constantAnswer(contentType: string, text: string): ConstantAnswer {
  const bytes = Buffer.from(text)
  const etag = createHash('sha1').update(bytes).digest('base64url')
  return { contentType, bytes, etag, compressed: new Map() }
}

/** Sends the answer in the coding that the client prefers, or 304 if the client has it. */
export async function sendConstant(
  ctx: Context,
  { contentType, bytes, etag, compressed }: ConstantAnswer,
): Promise<void> {
  const coding = acceptedCoding(ctx.get('accept-encoding'))
  const tag = coding === null ? `"${etag}"` : `"${etag}-${coding}"`
  ctx.set({ ETag: tag, 'Cache-Control': 'no-cache' })
  ctx.vary('Accept-Encoding')
  if (matchesEtag(ctx.get('if-none-match'), tag)) {
    ctx.status = 304
    return
  }
  if (coding !== null) {
    const made = compressed.get(coding) ?? compress(bytes, coding)
    compressed.set(coding, made)
    ctx.body = await made
    ctx.set('Content-Encoding', coding)
  } else ctx.body = bytes
  ctx.type = contentType
}

/** Takes a tenth of a second for a megabyte, in another thread. */
async function compress(bytes: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'gzip') return promisify(gzip)(bytes, { level: 9 })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return promisify(brotliCompress)(bytes, { params })
}
