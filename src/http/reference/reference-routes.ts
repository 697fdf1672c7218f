import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Router from '@koa/router'
import { Eta } from 'eta'
import type { Middleware } from 'koa'
import { type ConstantAnswer, constantAnswer } from '../constant-answer.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { referenceView } from './reference-view.ts'
import { sendPage } from './send-page.ts'

/**
 * `/reference`: the API reference, one page without scripts, which needs no key. Rendered on the first request.
 *
 * @param templates folder with the template and the style sheet.
 */
export function referenceRoutes(document: () => OpenApiDocument, templates: string): Router {
  const router = new Router()
  let written: { readonly html: ConstantAnswer; readonly style: ConstantAnswer } | null = null
  const pages = () => (written ??= write(document(), templates))

  router.get('/reference', (ctx) => sendPage(ctx, pages().html))
  router.get('/reference/style.css', (ctx) => sendPage(ctx, pages().style))
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
): { readonly html: ConstantAnswer; readonly style: ConstantAnswer } {
  const eta = new Eta({ views: templates, autoEscape: true })
  return {
    html: constantAnswer('text/html; charset=utf-8', eta.render('reference', referenceView(document))),
    style: constantAnswer('text/css; charset=utf-8', readFileSync(join(templates, 'style.css'), 'utf8')),
  }
}
