import Router from '@koa/router'
import type { DataModeService } from '../../services/publishing/data-mode.ts'
import { type ApiState, param } from '../api.ts'
import { presentDataModeAction, readDataModeAction } from '../legacy-bodies.ts'
import { readJson } from '../read-json.ts'
import { enveloped } from './envelope.ts'

export interface DataModeRoutePorts {
  readonly dataMode: DataModeService
}

export function dataModeRoutes({ dataMode }: DataModeRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/v1/projects' })

  router.get('/:id/data-mode', async (ctx) => {
    const { enabled, enabledAt } = await dataMode.status(ctx.state.caller, param(ctx.params, 'id'))
    ctx.body = enveloped({ enabled, enabled_at: enabledAt })
  })

  router.post('/:id/data-mode', async (ctx) => {
    const body = await readJson(ctx)
    const changed = await dataMode.change(ctx.state.caller, param(ctx.params, 'id'), () =>
      readDataModeAction(body),
    )
    ctx.state.secret = changed.contentKey !== null
    ctx.body = enveloped(presentDataModeAction(changed))
  })

  return router
}
