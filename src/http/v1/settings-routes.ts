import Router from '@koa/router'
import type { ProjectService } from '../../services/projects/projects.ts'
import { type ApiState, param } from '../api.ts'
import { assertMatch } from '../middleware/entity-tags.ts'
import { readJson } from '../read-json.ts'
import { enveloped } from './envelope.ts'
import { presentSettings } from './present.ts'
import { createSettingsReader } from './settings-schemas.ts'

export interface SettingsRoutePorts {
  readonly projects: ProjectService
  readonly themes: readonly string[]
}

/** Routes of the legacy settings resource: docs navigation, header, footer, branding and routes. */
export function settingsRoutes({ projects, themes }: SettingsRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/v1/projects' })
  const reader = createSettingsReader(themes)

  router.get('/:id/settings', async (ctx) => {
    const found = await projects.get(ctx.state.caller, param(ctx.params, 'id'))
    ctx.state.version = found.settings.version
    ctx.body = enveloped(presentSettings(found))
  })

  router.put('/:id/settings', async (ctx) => {
    const body = await readJson(ctx)
    const [caller, id] = [ctx.state.caller, param(ctx.params, 'id')]
    ctx.state.current = async () => {
      const found = await projects.get({ ...caller, permissions: ['read'] }, id)
      return { version: found.settings.version, body: enveloped(presentSettings(found)) }
    }
    const updated = await projects.updateSettings(caller, id, (current) => {
      assertMatch(ctx, current.settings.version)
      return reader.read(body, current.settings.settings, current.project.hosting.slugs)
    })
    const whole = presentSettings(updated)
    ctx.state.version = updated.settings.version
    ctx.body = enveloped(Object.fromEntries(reader.supplied(body).map((key) => [key, whole[key]])))
  })

  return router
}
