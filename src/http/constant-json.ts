import { createHash } from 'node:crypto'
import type { Middleware } from 'koa'
import { matchesEtag } from './matches-etag.ts'

/** Answers with one JSON document, which is serialised on the first request. */
export function constantJson(document: () => object): Middleware {
  let written: ReturnType<typeof write> | null = null

  return (ctx) => {
    written ??= write(document())
    const { text, etag } = written
    ctx.set({ ETag: etag, 'Cache-Control': 'no-cache' })
    if (matchesEtag(ctx.get('if-none-match'), etag)) {
      ctx.status = 304
      return
    }
    ctx.body = text
    ctx.type = 'application/json; charset=utf-8'
  }
}

function write(document: object) {
  const text = JSON.stringify(document)
  return { text, etag: `"${createHash('sha1').update(text).digest('base64url')}"` }
}
