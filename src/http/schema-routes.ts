import Router from '@koa/router'
import type { JsonObject } from '../domain/json.ts'
import { constantJson } from './constant-json.ts'

export interface SchemaRoutePorts {
  /** JSON Schema of the sections of a page. */
  readonly sectionsSchema: () => JsonObject
}

/** Schemas of content, for editors and validators; no key is needed. */
export function schemaRoutes({ sectionsSchema }: SchemaRoutePorts): Router {
  const router = new Router({ prefix: '/schemas' })
  router.get('/sections.json', constantJson(sectionsSchema))
  return router
}
