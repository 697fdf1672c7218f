import { createHash } from 'node:crypto'
import type { Middleware } from 'koa'
import { isKnownTag } from './known-tag.ts'

/** Answers with one JSON document, which is written once, at the start. */
export function constantJson(document: object): Middleware {
  const text = JSON.stringify(document)
  const etag = `"${createHash('sha1').update(text).digest('base64url')}"`

  return (ctx) => {
    ctx.set({ ETag: etag, 'Cache-Control': 'no-cache' })
    if (isKnownTag(ctx.get('if-none-match'), etag)) {
      ctx.status = 304
      return
    }
    ctx.body = text
    ctx.type = 'application/json; charset=utf-8'
  }
}
