import Router from '@koa/router'
import { prefixed } from '../../domain/ids.ts'
import type { DomainService } from '../../services/projects/domains.ts'
import { type ApiState, param } from '../api.ts'
import { readNoFields } from '../bodies/publish-schemas.ts'
import { presentProject } from '../present-project.ts'
import { readOptionalJson } from '../read-json.ts'

export interface DomainRoutePorts {
  readonly domains: DomainService
}

export function domainRoutes({ domains }: DomainRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/projects/:id/domain' })

  router.post('/verify', async (ctx) => {
    const body = await readOptionalJson(ctx)
    const project = await domains.requestCheck(ctx.state.caller, param(ctx.params, 'id'), () =>
      readNoFields(body),
    )
    ctx.status = 202
    ctx.set('Location', `/projects/${prefixed('proj', project.project.id)}`)
    ctx.state.version = project.project.version
    ctx.body = { data: presentProject(project) }
  })

  return router
}
