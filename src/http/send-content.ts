import type { Context } from 'koa'
import type { StoredContent } from '../services/media/asset-content.ts'
import { matchesEtag } from './matches-etag.ts'

/**
 * Answers with the stored bytes of an asset, as a download that runs nothing, or 304 if the client has them. The entity
 * tag is their SHA-256 in hex.
 */
export async function sendContent(ctx: Context, { asset, digest, object }: StoredContent): Promise<void> {
  const etag = `"${digest}"`
  ctx.set({
    ETag: etag,
    'Content-Type': asset.contentType,
    'Content-Disposition': 'attachment',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
  })
  if (matchesEtag(ctx.get('If-None-Match'), etag)) {
    await object.close()
    ctx.status = 304
    return
  }
  ctx.status = 200
  if (ctx.method === 'HEAD') await object.close()
  else {
    ctx.state['bufferedBytes'] = object.bufferedBytes
    ctx.body = object.stream()
  }
  ctx.type = asset.contentType
  ctx.length = object.size
}
