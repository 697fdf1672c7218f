import Router from '@koa/router'
import type { ApiState } from '../api.ts'
import { enveloped } from './envelope.ts'

export function userRoutes(): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/v1/users' })

  router.get('/me', (ctx) => {
    const { userId, keyId, email, projectScope } = ctx.state.caller
    ctx.body = enveloped({ id: userId, email, api_key_id: keyId, project_scope: projectScope })
  })

  return router
}
