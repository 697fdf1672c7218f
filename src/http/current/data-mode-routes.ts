import Router from '@koa/router'
import { z } from 'zod'
import { DATA_MODE_ACTIONS, type DataModeService } from '../../services/data-mode.ts'
import { type ApiState, param } from '../api.ts'
import { parseBody } from '../parse.ts'
import { readOptionalJson } from '../read-json.ts'

/** The actions take no body, or an empty object. */
const NoFields = z.strictObject({})

export interface DataModeRoutePorts {
  readonly dataMode: DataModeService
}

export function dataModeRoutes({ dataMode }: DataModeRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/projects' })

  for (const action of DATA_MODE_ACTIONS) {
    router.post(`/:id/data-mode/${action}`, async (ctx) => {
      const body = await readOptionalJson(ctx)
      await dataMode.change(ctx.state.caller, param(ctx.params, 'id'), () => {
        if (body !== null) parseBody(NoFields, body)
        return action
      })
    })
  }

  return router
}
