import Router from '@koa/router'
import { constantJson } from '../constant-json.ts'
import type { OpenApiDocument } from './document.ts'

/** `/openapi.json`: the description of the API, without a key. */
export function openApiRoutes(document: () => OpenApiDocument): Router {
  const router = new Router()
  router.get('/openapi.json', constantJson(document))
  return router
}
