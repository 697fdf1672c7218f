import { createHash } from 'node:crypto'
import type { Middleware } from 'koa'
import { matchesEtag } from './matches-etag.ts'

/** Answers with one JSON document, which is serialised on the first request. All answers share its bytes. */
export function constantJson(document: () => object): Middleware {
  let written: ReturnType<typeof write> | null = null

  return (ctx) => {
    written ??= write(document())
    const { bytes, etag } = written
    ctx.set({ ETag: etag, 'Cache-Control': 'no-cache' })
    if (matchesEtag(ctx.get('if-none-match'), etag)) {
      ctx.status = 304
      return
    }
    ctx.body = bytes
    ctx.type = 'application/json; charset=utf-8'
  }
}

function write(document: object) {
  const bytes = Buffer.from(JSON.stringify(document))
  return { bytes, etag: `"${createHash('sha1').update(bytes).digest('base64url')}"` }
}
