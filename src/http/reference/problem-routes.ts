import Router from '@koa/router'
import { Eta } from 'eta'
import { type ErrorName, ServiceError } from '../../domain/errors.ts'
import { param } from '../api.ts'
import { type ConstantAnswer, constantAnswer } from '../constant-answer.ts'
import { ERROR_TEXTS } from '../error-texts.ts'
import { STATUS } from '../middleware/errors.ts'
import { inlineMarkdown } from './inline-markdown.ts'
import { sendPage } from './send-page.ts'

/**
 * `/problems/{name}`: a page for each error, which the `type` of problem details names. Needs no key.
 *
 * @param templates folder with the template.
 */
export function problemRoutes(templates: string): Router {
  const router = new Router()
  const eta = new Eta({ views: templates, autoEscape: true })
  const written = new Map<ErrorName, ConstantAnswer>()

  router.get('/problems/:name', (ctx) => {
    const name = param(ctx.params, 'name')
    if (!isErrorName(name))
      throw new ServiceError('not_found', `No error has the name ${JSON.stringify(name.slice(0, 64))}.`)
    const page = written.get(name) ?? write(name)
    written.set(name, page)
    return sendPage(ctx, page)
  })

  return router

  function write(name: ErrorName): ConstantAnswer {
    const { title, meaning } = ERROR_TEXTS[name]
    const view = { name, title, meaning: inlineMarkdown(meaning), status: STATUS[name] }
    return constantAnswer('text/html; charset=utf-8', eta.render('problem', view))
  }
}

function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(ERROR_TEXTS, name)
}
