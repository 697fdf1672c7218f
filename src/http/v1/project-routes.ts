import Router from '@koa/router'
import type { DomainRules } from '../../custom-domains/domain-name.ts'
import { DEFAULT_HOSTING } from '../../domain/project.ts'
import type { ProjectService } from '../../services/projects/projects.ts'
import { type ApiState, param, queryOf } from '../api.ts'
import { assertMatch } from '../middleware/entity-tags.ts'
import { parseBody, parseQuery } from '../parse.ts'
import { readJson } from '../read-json.ts'
import { enveloped, envelopedList } from './envelope.ts'
import { presentProject, presentProjectItem } from './present.ts'
import { CreateProject, ListProjects, readUpdateProject } from './project-schemas.ts'

export interface ProjectRoutePorts {
  readonly projects: ProjectService
  readonly domainRules: DomainRules
}

const EVERY_PROJECT = { status: null, domain: null, createdAfter: null, createdBefore: null }

export function projectRoutes({ projects, domainRules }: ProjectRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/v1/projects' })

  router.get('/', async (ctx) => {
    const { limit, offset } = parseQuery(ListProjects, queryOf(ctx))
    const paging = { sort: 'created_at', order: 'desc', limit, offset } as const
    const listed = await projects.list(ctx.state.caller, EVERY_PROJECT, paging)
    ctx.body = envelopedList(listed, offset, ({ project }) => presentProjectItem(project))
  })

  router.post('/', async (ctx) => {
    const body = await readJson(ctx)
    const { project } = await projects.create(ctx.state.caller, () => ({
      name: parseBody(CreateProject, body).name,
      slugs: DEFAULT_HOSTING.slugs,
    }))
    ctx.status = 201
    ctx.state.version = project.version
    ctx.body = enveloped(presentProjectItem(project))
  })

  router.get('/:id', async (ctx) => {
    const { project } = await projects.get(ctx.state.caller, param(ctx.params, 'id'))
    ctx.state.version = project.version
    ctx.body = enveloped(presentProject(project))
  })

  router.put('/:id', async (ctx) => {
    const body = await readJson(ctx)
    const [caller, id] = [ctx.state.caller, param(ctx.params, 'id')]
    ctx.state.current = async () => {
      const { project } = await projects.get({ ...caller, permissions: ['read'] }, id)
      return { version: project.version, body: enveloped(presentProject(project)) }
    }
    const { project } = await projects.update(caller, id, {
      changesOnlyStatus: () => false,
      read(current) {
        assertMatch(ctx, current.project.version)
        return readUpdateProject(body, current, domainRules)
      },
    })
    ctx.state.version = project.version
    ctx.body = enveloped(presentProject(project))
  })

  return router
}
