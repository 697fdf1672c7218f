import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { matchesEtag } from '../matches-etag.ts'

/** A page loads nothing but its style sheet. */
const POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export interface ShownPage {
  readonly type: string
  /** Shared by all answers. */
  readonly bytes: Buffer
  readonly etag: string
}

export function shownPage(type: string, text: string): ShownPage {
  const bytes = Buffer.from(text)
  return { type, bytes, etag: `"${createHash('sha1').update(bytes).digest('base64url')}"` }
}

export function showPage(ctx: Context, { type, bytes, etag }: ShownPage): void {
  ctx.set({ ETag: etag, 'Cache-Control': 'no-cache', 'Content-Security-Policy': POLICY })
  if (matchesEtag(ctx.get('if-none-match'), etag)) {
    ctx.status = 304
    return
  }
  ctx.body = bytes
  ctx.type = type
}
