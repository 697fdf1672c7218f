import Router from '@koa/router'
import { prefixed } from '../../domain/ids.ts'
import type { Redirect, RedirectService } from '../../services/pages/redirects.ts'
import { type ApiState, param, queryOf } from '../api.ts'
import { DeleteRedirect, readCreateRedirect } from '../bodies/redirect-schemas.ts'
import { parseQuery } from '../parse.ts'
import { readJson } from '../read-json.ts'

export interface RedirectRoutePorts {
  readonly redirects: RedirectService
}

export function redirectRoutes({ redirects }: RedirectRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/projects/:id/redirects' })

  router.get('/', async (ctx) => {
    const list = await redirects.list(ctx.state.caller, param(ctx.params, 'id'))
    ctx.body = { data: list.map(presentRedirect) }
  })

  router.post('/', async (ctx) => {
    const body = await readJson(ctx)
    const created = await redirects.create(ctx.state.caller, param(ctx.params, 'id'), () =>
      readCreateRedirect(body),
    )
    ctx.status = 201
    ctx.body = { data: presentRedirect(created) }
  })

  router.delete('/', async (ctx) => {
    const { from } = parseQuery(DeleteRedirect, queryOf(ctx))
    const removed = await redirects.remove(ctx.state.caller, param(ctx.params, 'id'), from)
    ctx.body = { data: { from: removed, deleted: true } }
  })

  return router
}

function presentRedirect({ from, to, pageId, isStated, isLive }: Redirect) {
  return { from, to, page_id: prefixed('page', pageId), stated: isStated, live: isLive }
}
