import Router from '@koa/router'
import { z } from 'zod'
import type { PublicAddresses } from '../../domain/project.ts'
import { DATA_MODE_ACTIONS, type DataModeService } from '../../services/publishing/data-mode.ts'
import { type ApiState, param } from '../api.ts'
import { parseBody } from '../parse.ts'
import { readOptionalJson } from '../read-json.ts'
import { presentChangedDataMode } from './present.ts'

/** An optional body without fields. */
const NoFields = z.strictObject({})

export interface DataModeRoutePorts {
  readonly dataMode: DataModeService
  readonly addresses: PublicAddresses
}

export function dataModeRoutes({ dataMode, addresses }: DataModeRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/projects' })

  for (const action of DATA_MODE_ACTIONS) {
    router.post(`/:id/data-mode/${action}`, async (ctx) => {
      const body = await readOptionalJson(ctx)
      const changed = await dataMode.change(ctx.state.caller, param(ctx.params, 'id'), () => {
        if (body !== null) parseBody(NoFields, body)
        return action
      })
      ctx.state.secret = changed.contentKey !== null
      ctx.body = { data: presentChangedDataMode(changed, addresses) }
    })
  }

  return router
}
