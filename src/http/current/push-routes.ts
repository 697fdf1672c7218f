import Router from '@koa/router'
import { ServiceError } from '../../domain/errors.ts'
import { isFolderIdentity } from '../../domain/source.ts'
import type { PushService } from '../../services/pushes/pushes.ts'
import type { SourceService } from '../../services/pushes/sources.ts'
import { type ApiState, listMeta, param, queryOf } from '../api.ts'
import { ListPushes, ListSources, readReportPush, readStartPush } from '../bodies/push-schemas.ts'
import { answerWithList } from '../list-answer.ts'
import { parseQuery } from '../parse.ts'
import { readJson } from '../read-json.ts'
import { presentPush, presentPushedRecord, presentStartedPush } from './present-push.ts'

export interface PushRoutePorts {
  readonly pushes: PushService
  readonly sources: SourceService
}

export function pushRoutes({ pushes, sources }: PushRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>()

  router.get('/projects/:id/sources/:folder', async (ctx) => {
    const slice = parseQuery(ListSources, queryOf(ctx))
    const folder = param(ctx.params, 'folder')
    // Others have pushed nothing, but a mistake in an address is worth an answer.
    if (!isFolderIdentity(folder))
      throw new ServiceError(
        'invalid_request',
        `No content folder has the id ${JSON.stringify(folder.slice(0, 64))}.`,
      )
    const list = await sources.list(ctx.state.caller, param(ctx.params, 'id'), folder, slice)
    answerWithList(ctx, list.items, presentPushedRecord, (shown) => listMeta(slice, shown, list.total))
  })

  router.get('/projects/:id/pushes', async (ctx) => {
    const { folder = null, ...slice } = parseQuery(ListPushes, queryOf(ctx))
    const list = await pushes.list(ctx.state.caller, param(ctx.params, 'id'), folder, slice)
    answerWithList(ctx, list.items, presentPush, (shown) => listMeta(slice, shown, list.total))
  })

  router.post('/projects/:id/pushes', async (ctx) => {
    const body = await readJson(ctx)
    const started = await pushes.start(ctx.state.caller, param(ctx.params, 'id'), () => readStartPush(body))
    ctx.status = 201
    ctx.body = { data: presentStartedPush(started) }
  })

  router.put('/pushes/:id', async (ctx) => {
    const body = await readJson(ctx)
    const push = await pushes.report(ctx.state.caller, param(ctx.params, 'id'), () => readReportPush(body))
    ctx.body = { data: presentPush(push) }
  })

  return router
}
