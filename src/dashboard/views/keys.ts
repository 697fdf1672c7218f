import { DEFAULT_PERMISSIONS, PERMISSIONS } from '../../domain/caller.ts'
import type { ServiceError } from '../../domain/errors.ts'
import { prefixed } from '../../domain/ids.ts'
import { param, queryOf } from '../../http/api.ts'
import { readCreateKey, readRotateKey } from '../../http/bodies/key-schemas.ts'
import type { KeyWithSecret } from '../../services/accounts/keys.ts'
import { plainControl, typed } from '../frame/controls.ts'
import { pagerOf, sliceOf } from '../frame/paging.ts'
import { attempt, faultWithin, problemOf, withFaults } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'

const PATH = '/dashboard/keys'
/** Projects that the form of a new key offers. */
const OFFERED_PROJECTS = 100

/** The API keys of the account. A secret is shown in the answer that creates it, and never again. */
export function keyViews(router: DashboardRouter, { frame, keys, projects }: ViewPorts): void {
  const { words } = frame

  router.get('/keys', (ctx) => showKeys(ctx, null))

  router.post('/keys', async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        const at = form.get('expires_at')
        const project = form.get('project_scope')
        const created = await keys.create(
          caller,
          readCreateKey({
            name: form.get('name'),
            project_scope: project === '' ? null : project,
            permissions: [...form.all('permissions')],
            expires_at: at === '' ? null : at,
          }),
        )
        showSecret(ctx, created)
      },
      (error) => showKeys(ctx, error),
    )
  })

  router.post('/keys/:key/rotate', async (ctx) => {
    await attempt(
      async () =>
        showSecret(
          ctx,
          await keys.rotate(ctx.state.caller, param(ctx.params, 'key'), () => readRotateKey({}).hours),
        ),
      (error) => showKeys(ctx, error),
    )
  })

  router.post('/keys/:key/revoke', async (ctx) => {
    await attempt(
      async () => {
        await keys.remove(ctx.state.caller, param(ctx.params, 'key'), () => {})
        frame.goTo(ctx, PATH, 'keyRevoked')
      },
      (error) => showKeys(ctx, error),
    )
  })

  function showSecret(ctx: DashboardContext, { key, record }: KeyWithSecret): void {
    ctx.state.secret = true
    frame.show(ctx, 'secret', {
      title: words.keys.secretTitle,
      crumbs: [{ href: PATH, name: words.keys.title }],
      secret: key,
      hint: words.keys.secret,
      name: record.name,
      back: { href: PATH, name: words.keys.all },
    })
  }

  async function showKeys(ctx: DashboardContext, error: ServiceError | null): Promise<void> {
    const { caller, form } = ctx.state
    const query = queryOf(ctx)
    const [{ items, total }, own] = await Promise.all([
      keys.list(caller, sliceOf(query)),
      projects.list(
        caller,
        { status: null, domain: null, createdAfter: null, createdBefore: null },
        { sort: 'name', order: 'asc', limit: OFFERED_PROJECTS, offset: 0 },
      ),
    ])
    const named = new Map(own.items.map(({ project }) => [project.id, project.name]))
    const controls = withFaults(
      typed(
        [
          plainControl({
            name: 'name',
            label: words.keys.name,
            isRequired: true,
            maxLength: 255,
            autocomplete: 'off',
          }),
          plainControl({
            name: 'project_scope',
            label: words.keys.project,
            kind: 'choice',
            options: [
              { value: '', label: words.keys.allProjects },
              ...own.items.map(({ project }) => ({
                value: prefixed('proj', project.id),
                label: project.name,
              })),
            ],
          }),
          plainControl({
            name: 'expires_at',
            label: words.keys.expires,
            hint: words.keys.expiresHint,
            kind: 'date',
          }),
        ],
        form,
      ),
      error ?? { fields: [] },
      words,
    )
    const chosen: readonly string[] = form.has('name') ? form.all('permissions') : DEFAULT_PERMISSIONS
    frame.show(ctx, 'keys', {
      title: words.keys.title,
      problem: error && problemOf(error, words, controls),
      controls,
      permissions: PERMISSIONS.map((name) => ({
        name,
        label: words.keys.permission[name] ?? name,
        isChosen: chosen.includes(name),
      })),
      permissionFault: faultWithin(error, 'permissions', words),
      pager: pagerOf(PATH, query, items.length, total),
      keys: items.map((key) => ({
        ...key,
        ref: prefixed('key', key.id),
        project:
          key.projectScope === null
            ? null
            : (named.get(key.projectScope) ?? prefixed('proj', key.projectScope)),
      })),
    })
  }
}
