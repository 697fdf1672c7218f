import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Router from '@koa/router'
import { Eta } from 'eta'
import type { Context, Middleware } from 'koa'
import { matchesEtag } from '../matches-etag.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { referenceView } from './reference-view.ts'

/** The page loads nothing but its style sheet. */
const POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface Page {
  readonly type: string
  /** Shared by all answers. */
  readonly bytes: Buffer
  readonly etag: string
}

/**
 * `/reference`: the API reference, one page without scripts, which needs no key. Rendered on the first request.
 *
 * @param templates folder with the template and the style sheet.
 */
export function referenceRoutes(document: () => OpenApiDocument, templates: string): Router {
  const router = new Router()
  let written: { readonly html: Page; readonly style: Page } | null = null
  const pages = () => (written ??= write(document(), templates))

  router.get('/reference', (ctx) => show(ctx, pages().html))
  router.get('/reference/style.css', (ctx) => show(ctx, pages().style))
  return router
}

/** Redirects browsers from `/` to the API reference. For API clients `/` does not exist. */
export const redirectToReference: Middleware = async (ctx, next) => {
  if (ctx.path !== '/' || ctx.method !== 'GET') return next()
  ctx.vary('Accept')
  if (ctx.get('authorization') !== '' || !/\btext\/html\b/i.test(ctx.get('accept'))) return next()
  ctx.status = 303
  ctx.redirect('reference')
}

function write(document: OpenApiDocument, templates: string): { readonly html: Page; readonly style: Page } {
  const eta = new Eta({ views: templates, autoEscape: true })
  return {
    html: page('text/html; charset=utf-8', eta.render('reference', referenceView(document))),
    style: page('text/css; charset=utf-8', readFileSync(join(templates, 'style.css'), 'utf8')),
  }
}

function page(type: string, text: string): Page {
  const bytes = Buffer.from(text)
  return { type, bytes, etag: `"${createHash('sha1').update(bytes).digest('base64url')}"` }
}

function show(ctx: Context, { type, bytes, etag }: Page): void {
  ctx.set({ ETag: etag, 'Cache-Control': 'no-cache', 'Content-Security-Policy': POLICY })
  if (matchesEtag(ctx.get('if-none-match'), etag)) {
    ctx.status = 304
    return
  }
  ctx.body = bytes
  ctx.type = type
}
