import type { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { prefixed } from '../../domain/ids.ts'
import { queryOf } from '../../http/api.ts'
import type { DataModeAction } from '../../services/publishing/data-mode.ts'
import { attempt, problemOf } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { projectPath, settingsFrame } from './project-frame.ts'
import { projectRef } from './projects.ts'

const DATA_MODE = '/projects/:project/data-mode'

const FORMS = [
  ['enable', 'enable'],
  ['disable', 'disable'],
  ['regenerate', 'regenerate-key'],
] as const satisfies readonly (readonly [string, DataModeAction])[]

/** Encrypted pages: on, off, another key. Each form first explains its effect, and needs a confirmation. */
export function dataModeViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, dataMode, projects, bulkPublishing } = ports
  const { words } = frame

  router.get(DATA_MODE, (ctx) => showDataMode(ctx, null))

  for (const [name, action] of FORMS)
    router.post(`${DATA_MODE}/${name}`, (ctx) =>
      attempt(
        async () => {
          const { project, contentKey } = await dataMode.change(ctx.state.caller, projectRef(ctx), () => {
            assertConfirmed(ctx)
            return action
          })
          const path = projectPath(project, '/data-mode')
          if (contentKey === null) return frame.goTo(ctx, path, 'dataModeOff')
          ctx.state.secret = true
          frame.show(ctx, 'secret', {
            title: words.dataMode.keyTitle,
            crumbs: [{ href: path, name: words.areas.dataMode }],
            name: project.name,
            secret: contentKey,
            hint: words.dataMode.key,
            back: { href: path, name: words.dataMode.back },
          })
        },
        (error) => showDataMode(ctx, error),
      ),
    )

  router.post(`${DATA_MODE}/convert`, (ctx) =>
    attempt(
      async () => {
        const job = await bulkPublishing.publish(ctx.state.caller, projectRef(ctx), () => ({
          selection: 'all',
          strict: false,
        }))
        frame.goTo(ctx, projectPath({ id: job.projectId }, `/jobs/${prefixed('job', job.id)}`))
      },
      (error) => showDataMode(ctx, error),
    ),
  )

  function assertConfirmed({ state }: DashboardContext): void {
    if (state.form.get('understood') !== 'yes')
      throw fieldFailure('validation_error', [{ path: 'understood', message: words.dataMode.notUnderstood }])
  }

  async function showDataMode(ctx: DashboardContext, error: ServiceError | null): Promise<void> {
    const found = await projects.getWithProgress(ctx.state.caller, projectRef(ctx))
    const { project, plaintextPages } = found
    const isOn = project.hosting.mode === 'data_mode'
    frame.show(ctx, 'data-mode', {
      title: words.areas.dataMode,
      ...settingsFrame(project, 'dataMode', words, ctx.state.standing ?? null),
      problem: error && problemOf(error, words),
      path: projectPath(project, '/data-mode'),
      isOn,
      enabledAt: project.dataModeEnabledAt,
      plaintextPages,
      asked: queryOf(ctx).get('change'),
    })
  }
}
