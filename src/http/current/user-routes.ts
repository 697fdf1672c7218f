import Router from '@koa/router'
import { prefixed } from '../../domain/ids.ts'
import type { ApiState } from '../api.ts'

export function userRoutes(): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/users' })

  router.get('/me', (ctx) => {
    const { userId, keyId, email, projectScope } = ctx.state.caller
    ctx.body = {
      data: {
        id: prefixed('usr', userId),
        email,
        api_key_id: prefixed('key', keyId),
        project_scope: projectScope === null ? null : prefixed('proj', projectScope),
      },
    }
  })

  return router
}
