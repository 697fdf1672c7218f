import Router from '@koa/router'
import { keyOf } from '../../domain/caller.ts'
import type { ApiState } from '../api.ts'
import { enveloped } from './envelope.ts'

export function userRoutes(): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/v1/users' })

  router.get('/me', (ctx) => {
    const { caller } = ctx.state
    const { userId, email, projectScope } = caller
    ctx.body = enveloped({ id: userId, email, api_key_id: keyOf(caller), project_scope: projectScope })
  })

  return router
}
