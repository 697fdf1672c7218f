import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Router from '@koa/router'
import { Eta } from 'eta'
import type { Middleware } from 'koa'
import type { OpenApiDocument } from '../openapi/document.ts'
import { referenceView } from './reference-view.ts'
import { type ShownPage, shownPage, showPage } from './shown-page.ts'

/**
 * `/reference`: the API reference, one page without scripts, which needs no key. Rendered on the first request.
 *
 * @param templates folder with the template and the style sheet.
 */
export function referenceRoutes(document: () => OpenApiDocument, templates: string): Router {
  const router = new Router()
  let written: { readonly html: ShownPage; readonly style: ShownPage } | null = null
  const pages = () => (written ??= write(document(), templates))

  router.get('/reference', (ctx) => showPage(ctx, pages().html))
  router.get('/reference/style.css', (ctx) => showPage(ctx, pages().style))
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

function write(
  document: OpenApiDocument,
  templates: string,
): { readonly html: ShownPage; readonly style: ShownPage } {
  const eta = new Eta({ views: templates, autoEscape: true })
  return {
    html: shownPage('text/html; charset=utf-8', eta.render('reference', referenceView(document))),
    style: shownPage('text/css; charset=utf-8', readFileSync(join(templates, 'style.css'), 'utf8')),
  }
}
