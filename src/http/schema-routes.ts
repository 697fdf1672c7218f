import Router from '@koa/router'
import type { JsonObject } from '../domain/json.ts'
import { constantJson } from './constant-json.ts'

export interface SchemaRoutePorts {
  /** What the sections of a page may hold, as JSON Schema. */
  readonly sectionsSchema: () => JsonObject
}

/** The schemas of content, for editors and checks; without a key. */
export function schemaRoutes({ sectionsSchema }: SchemaRoutePorts): Router {
  const router = new Router({ prefix: '/schemas' })
  router.get('/sections.json', constantJson(sectionsSchema))
  return router
}
