import Router from '@koa/router'
import { prefixed } from '../../domain/ids.ts'
import type { Redirect, RedirectService } from '../../services/pages/redirects.ts'
import type { ProjectRedirectService, PutRedirect } from '../../services/publishing/project-redirects.ts'
import { type ApiState, listMeta, param, queryOf } from '../api.ts'
import {
  DeleteRedirect,
  ListRedirects,
  type NewRedirect,
  readCreateRedirect,
  readPutRedirects,
  readUpdateRedirect,
} from '../bodies/redirect-schemas.ts'
import { answerWithList } from '../list-answer.ts'
import { STATUS } from '../middleware/errors.ts'
import { parseQuery } from '../parse.ts'
import { readJson } from '../read-json.ts'

export interface RedirectRoutePorts {
  readonly redirects: RedirectService
  readonly projectRedirects: ProjectRedirectService
}

export function redirectRoutes({ redirects, projectRedirects }: RedirectRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/projects/:id/redirects' })

  router.get('/', async (ctx) => {
    const { kind = null, dead = null, q = null, ...slice } = parseQuery(ListRedirects, queryOf(ctx))
    const filter = { kind, dead, text: q }
    const list = await redirects.list(ctx.state.caller, param(ctx.params, 'id'), filter, slice)
    answerWithList(ctx, list.items, presentRedirect, (shown) => listMeta(slice, shown, list.total))
  })

  router.post('/', async (ctx) => {
    const project = param(ctx.params, 'id')
    const { caller } = ctx.state
    const body = await readJson(ctx)
    // Which of the two it is decides about the permission, and a body with faults may be neither.
    if (body['to'] === undefined && body['page_id'] !== undefined) {
      const created = await redirects.create(caller, project, () => assertOfPage(readCreateRedirect(body)))
      ctx.status = 201
      ctx.body = { data: presentRedirect(created) }
      return
    }
    const made = await projectRedirects.create(caller, project, () =>
      assertOfProject(readCreateRedirect(body)),
    )
    if (made.outcome === 'failed') throw made.error
    ctx.status = made.outcome === 'created' ? 201 : 200
    ctx.body = { data: presentRedirect(await redirects.get(readerOf(caller), project, made.id)) }
  })

  router.post('/bulk', async (ctx) => {
    const body = await readJson(ctx)
    const made = await projectRedirects.putAll(ctx.state.caller, param(ctx.params, 'id'), () =>
      readPutRedirects(body),
    )
    const count = (outcome: PutRedirect['outcome']) => made.filter((one) => one.outcome === outcome).length
    ctx.body = {
      data: {
        created: count('created'),
        updated: count('updated'),
        unchanged: count('unchanged'),
        failed: count('failed'),
        items: made.map(presentPut),
      },
    }
  })

  router.put('/:redirect_id', async (ctx) => {
    const project = param(ctx.params, 'id')
    const body = await readJson(ctx)
    const id = await projectRedirects.update(
      ctx.state.caller,
      project,
      param(ctx.params, 'redirect_id'),
      () => readUpdateRedirect(body),
    )
    ctx.body = { data: presentRedirect(await redirects.get(readerOf(ctx.state.caller), project, id)) }
  })

  router.delete('/:redirect_id', async (ctx) => {
    const id = await projectRedirects.remove(
      ctx.state.caller,
      param(ctx.params, 'id'),
      param(ctx.params, 'redirect_id'),
    )
    ctx.body = { data: { id: prefixed('rdr', id), deleted: true } }
  })

  router.delete('/', async (ctx) => {
    const { from } = parseQuery(DeleteRedirect, queryOf(ctx))
    const removed = await redirects.remove(ctx.state.caller, param(ctx.params, 'id'), from)
    ctx.body = { data: { from: removed, deleted: true } }
  })

  return router
}

/** The answer shows what the caller has just written. */
function readerOf(caller: ApiState['caller']): ApiState['caller'] {
  return { ...caller, permissions: ['read'] }
}

function assertOfPage(redirect: NewRedirect) {
  if (!('page' in redirect)) throw new RangeError('The redirect belongs to no page.')
  return redirect
}

function assertOfProject(redirect: NewRedirect) {
  if (!('to' in redirect)) throw new RangeError('The redirect belongs to a page.')
  return redirect
}

function presentRedirect(redirect: Redirect) {
  const { id, from, to, kind, target, pageId, fragment, isLive, isDead, createdAt } = redirect
  return {
    id: id === null ? null : prefixed('rdr', id),
    from,
    to,
    kind,
    target,
    page_id: pageId === null ? null : prefixed('page', pageId),
    fragment,
    live: isLive,
    dead: isDead,
    created_at: createdAt,
  }
}

function presentPut(put: PutRedirect, index: number) {
  if (put.outcome === 'failed') {
    const { name, message } = put.error
    return { index, statusCode: STATUS[name], id: null, error: { name, message } }
  }
  return {
    index,
    statusCode: put.outcome === 'created' ? 201 : 200,
    id: prefixed('rdr', put.id),
    error: null,
  }
}
