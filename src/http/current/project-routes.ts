import Router from '@koa/router'
import type { DomainRules } from '../../custom-domains/domain-name.ts'
import type { Caller } from '../../domain/caller.ts'
import { prefixed } from '../../domain/ids.ts'
import { type PublicAddresses, siteOrigin } from '../../domain/project.ts'
import type { PageService } from '../../services/pages/pages.ts'
import type { ProjectService } from '../../services/projects/projects.ts'
import type { StyleService } from '../../services/projects/styles.ts'
import type { PublishingService } from '../../services/publishing/publishing.ts'
import { type ApiState, listMeta, param, queryOf, type Representation } from '../api.ts'
import { createProjectReader, GetProject, ListProjects, writtenCss } from '../bodies/project-schemas.ts'
import { answerWithList } from '../list-answer.ts'
import { assertMatch } from '../middleware/entity-tags.ts'
import { parseQuery } from '../parse.ts'
import { presentProject, presentProjectItem } from '../present-project.ts'
import { readJson } from '../read-json.ts'
import { presentContents, presentSettings } from './present.ts'

export interface ProjectRoutePorts {
  readonly projects: ProjectService
  readonly styles: StyleService
  readonly pages: PageService
  readonly publishing: PublishingService
  readonly addresses: PublicAddresses
  readonly themes: readonly string[]
  readonly domainRules: DomainRules
}

export function projectRoutes({
  projects,
  styles,
  pages,
  publishing,
  addresses,
  themes,
  domainRules,
}: ProjectRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/projects' })
  const reader = createProjectReader(themes, domainRules, addresses.sitesDomain)

  router.get('/', async (ctx) => {
    const query = parseQuery(ListProjects, queryOf(ctx))
    const { sort, order, limit, offset } = query
    const filter = {
      status: query.status === 'all' ? null : query.status,
      domain: query.domain ?? null,
      folder: query.folder ?? null,
      createdAfter: query.created_after ?? null,
      createdBefore: query.created_before ?? null,
    }
    const { items, total } = await projects.list(ctx.state.caller, filter, { sort, order, limit, offset })
    answerWithList(ctx, items, presentProjectItem, (shown) => listMeta({ limit, offset }, shown, total))
  })

  router.post('/', async (ctx) => {
    const body = await readJson(ctx)
    const created = await projects.create(ctx.state.caller, () => reader.readNew(body))
    ctx.status = 201
    ctx.state.version = created.project.version
    ctx.body = { data: presentProject(created) }
  })

  router.get('/:id', async (ctx) => {
    const { include = [] } = parseQuery(GetProject, queryOf(ctx))
    const { caller } = ctx.state
    const id = param(ctx.params, 'id')
    const found = await projects.get(caller, id)
    const [newest, stats] = await Promise.all([
      include.includes('pages') ? pages.newest(caller, id) : null,
      include.includes('stats') ? pages.stats(caller, id) : null,
    ])
    ctx.state.version = found.project.version
    ctx.set('Link', `<${siteOrigin(found.project, addresses)}/>; rel="alternate"`)
    ctx.body = { data: { ...presentProject(found), ...presentContents(newest, stats) } }
  })

  router.put('/:id', async (ctx) => {
    const body = await readJson(ctx)
    const [caller, id] = [ctx.state.caller, param(ctx.params, 'id')]
    const styleFaults = await styles.issues(caller, id, writtenCss(body))
    ctx.state.current = currentProject(caller, id)
    const updated = await projects.update(caller, id, {
      changesOnlyStatus: (current) => reader.changesOnlyStatus(body, current),
      read(current) {
        assertMatch(ctx, current.project.version)
        return reader.readUpdate(body, current, styleFaults)
      },
    })
    ctx.state.version = updated.project.version
    ctx.body = { data: presentProject(updated) }
  })

  router.delete('/:id', async (ctx) => {
    const [caller, ref] = [ctx.state.caller, param(ctx.params, 'id')]
    ctx.state.current = currentProject(caller, ref)
    const id = await publishing.removeProject(caller, ref, ({ version }) => assertMatch(ctx, version))
    ctx.body = { data: { id: prefixed('proj', id), deleted: true } }
  })

  router.get('/:id/settings', async (ctx) => {
    const found = await projects.getWithProgress(ctx.state.caller, param(ctx.params, 'id'))
    ctx.state.version = found.settings.version
    ctx.body = { data: presentSettings(found, addresses) }
  })

  router.put('/:id/settings', async (ctx) => {
    const body = await readJson(ctx)
    const [caller, id] = [ctx.state.caller, param(ctx.params, 'id')]
    const styleFaults = await styles.issues(caller, id, body['custom_css'])
    ctx.state.current = async () => {
      const found = await projects.getWithProgress({ ...caller, permissions: ['read'] }, id)
      return { version: found.settings.version, body: { data: presentSettings(found, addresses) } }
    }
    const { project, settings } = await projects.updateSettings(
      caller,
      id,
      (current) => {
        assertMatch(ctx, current.settings.version)
        return reader.readSettings(body, styleFaults, current.project.hosting.slugs)
      },
      () => reader.settingsSource(body),
    )
    ctx.state.version = settings.version
    ctx.body = {
      data: {
        project_id: prefixed('proj', project.id),
        updated_fields: reader.suppliedSettings(body),
        updated_at: settings.updatedAt,
      },
    }
  })

  return router

  /** Reads a project as `GET /projects/:id` answers it, for any caller who may change it. */
  function currentProject(caller: Caller, ref: string): () => Promise<Representation> {
    return async () => {
      const found = await projects.get({ ...caller, permissions: ['read'] }, ref)
      return { version: found.project.version, body: { data: presentProject(found) } }
    }
  }
}
