import type { ServiceError } from '../../domain/errors.ts'
import { prefixed } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { DEFAULT_EVENT_TYPES, EVENT_TYPES, type Webhook } from '../../domain/webhook.ts'
import { param, queryOf } from '../../http/api.ts'
import { readCreateWebhook, readUpdateWebhook } from '../../http/bodies/webhook-schemas.ts'
import type { WebhookWithSecret } from '../../services/webhooks/webhooks.ts'
import { type Control, plainControl, typed } from '../frame/controls.ts'
import type { Form } from '../frame/form.ts'
import { pagerOf, sliceOf } from '../frame/paging.ts'
import { attempt, faultWithin, problemOf, withFaults } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { projectPath, settingsFrame } from './project-frame.ts'
import { projectRef } from './projects.ts'

const WEBHOOKS = '/projects/:project/webhooks'
const WEBHOOK = `${WEBHOOKS}/:webhook`

/** Webhooks, and their deliveries. */
export function webhookViews(router: DashboardRouter, { frame, webhooks, projects }: ViewPorts): void {
  const { words } = frame

  router.get(WEBHOOKS, (ctx) => showList(ctx, null))

  router.post(WEBHOOKS, async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        const created = await webhooks.create(caller, projectRef(ctx), () =>
          readCreateWebhook(bodyOf(form), webhooks.urlFault),
        )
        showSecret(ctx, created)
      },
      (error) => showList(ctx, error),
    )
  })

  router.get(WEBHOOK, (ctx) => showOne(ctx, null))

  router.post(WEBHOOK, (ctx) =>
    change(ctx, 'webhookSaved', () =>
      webhooks.update(ctx.state.caller, ...ref(ctx), (stored) =>
        readUpdateWebhook(bodyOf(ctx.state.form), stored, webhooks.urlFault),
      ),
    ),
  )

  for (const [name, active, done] of [
    ['off', false, 'webhookOff'],
    ['on', true, 'webhookOn'],
  ] as const)
    router.post(`${WEBHOOK}/${name}`, (ctx) =>
      change(ctx, done, () => webhooks.update(ctx.state.caller, ...ref(ctx), () => ({ active }))),
    )

  router.post(`${WEBHOOK}/test`, (ctx) =>
    change(ctx, 'webhookTested', () => webhooks.test(ctx.state.caller, ...ref(ctx), () => {})),
  )

  router.post(`${WEBHOOK}/rotate`, (ctx) =>
    attempt(
      async () => showSecret(ctx, await webhooks.rotateSecret(ctx.state.caller, ...ref(ctx), () => {})),
      (error) => showOne(ctx, error),
    ),
  )

  router.post(`${WEBHOOK}/delete`, (ctx) =>
    attempt(
      async () => {
        await webhooks.remove(ctx.state.caller, ...ref(ctx), () => {})
        frame.goTo(ctx, listPath(ctx), 'webhookDeleted')
      },
      (error) => showOne(ctx, error),
    ),
  )

  router.post(`${WEBHOOK}/deliveries/:delivery/redeliver`, (ctx) =>
    change(ctx, 'webhookRedelivered', () =>
      webhooks.redeliver(ctx.state.caller, ...ref(ctx), param(ctx.params, 'delivery'), () => {}),
    ),
  )

  async function change(
    ctx: DashboardContext,
    done: Parameters<typeof frame.goTo>[2],
    act: () => Promise<unknown>,
  ): Promise<void> {
    await attempt(
      async () => {
        await act()
        frame.goTo(ctx, `${listPath(ctx)}/${encodeURIComponent(ref(ctx)[1])}`, done)
      },
      (error) => showOne(ctx, error),
    )
  }

  function showSecret(ctx: DashboardContext, { webhook, secret }: WebhookWithSecret): void {
    ctx.state.secret = true
    const list = projectPath({ id: webhook.projectId }, '/webhooks')
    frame.show(ctx, 'secret', {
      title: words.webhooks.secretTitle,
      crumbs: [{ href: list, name: words.areas.webhooks }],
      name: webhook.url,
      secret,
      hint: words.webhooks.secret,
      back: { href: `${list}/${prefixed('whk', webhook.id)}`, name: words.webhooks.toOne },
    })
  }

  async function showList(ctx: DashboardContext, error: ServiceError | null): Promise<void> {
    const { caller, form, standing = null } = ctx.state
    const list = await webhooks.list(caller, projectRef(ctx))
    const { project } = await projects.get(caller, projectRef(ctx))
    const controls = withFaults(typed(controlsOf(null), form), error ?? { fields: [] }, words)
    const path = projectPath(project, '/webhooks')
    frame.show(ctx, 'webhooks', {
      title: words.areas.webhooks,
      ...settingsFrame(project, 'webhooks', words, standing),
      problem: error && problemOf(error, words, controls),
      path,
      controls,
      events: eventsOf(form.has('url') ? form.all('events') : DEFAULT_EVENT_TYPES),
      eventFault: faultWithin(error, 'events', words),
      webhooks: list.map((webhook) => ({ ...webhook, href: `${path}/${prefixed('whk', webhook.id)}` })),
    })
  }

  async function showOne(ctx: DashboardContext, error: ServiceError | null): Promise<void> {
    const { caller, form, standing = null } = ctx.state
    const query = queryOf(ctx)
    const webhook = await webhooks.get(caller, ...ref(ctx))
    const [{ project }, { items, total }] = await Promise.all([
      projects.get(caller, projectRef(ctx)),
      webhooks.deliveries(caller, ...ref(ctx), { state: null, ...sliceOf(query) }),
    ])
    const controls = withFaults(typed(controlsOf(webhook), form), error ?? { fields: [] }, words)
    const list = projectPath(project, '/webhooks')
    const path = `${list}/${prefixed('whk', webhook.id)}`
    const { crumbs, ...rest } = settingsFrame(project, 'webhooks', words, standing)
    frame.show(ctx, 'webhook', {
      title: webhook.description || new URL(webhook.url).host,
      ...rest,
      crumbs: [...crumbs, { href: list, name: words.areas.webhooks }],
      problem: error && problemOf(error, words, controls),
      path,
      webhook,
      controls,
      events: eventsOf(form.has('url') ? form.all('events') : webhook.events),
      eventFault: faultWithin(error, 'events', words),
      pager: pagerOf(path, query, items.length, total),
      deliveries: items.map((delivery) => ({
        ...delivery,
        path: `${path}/deliveries/${prefixed('dlv', delivery.id)}`,
      })),
    })
  }

  function controlsOf(webhook: Webhook | null): readonly Control[] {
    return [
      plainControl({
        name: 'url',
        label: words.webhooks.url,
        hint: words.webhooks.urlHint,
        value: webhook?.url ?? '',
        isRequired: true,
        maxLength: 2048,
        autocomplete: 'off',
      }),
      plainControl({
        name: 'description',
        label: words.webhooks.description,
        value: webhook?.description ?? '',
        maxLength: 1000,
      }),
      plainControl({
        name: 'coalesce_seconds',
        label: words.webhooks.coalesce,
        hint: words.webhooks.coalesceHint,
        kind: 'number',
        value: String(webhook?.coalesceSeconds ?? 0),
      }),
    ]
  }

  function eventsOf(chosen: readonly string[]) {
    return EVENT_TYPES.map((name) => ({
      name,
      label: words.webhooks.events[name],
      isChosen: chosen.includes(name),
    }))
  }

  function listPath(ctx: DashboardContext): string {
    return `/dashboard/projects/${encodeURIComponent(projectRef(ctx))}/webhooks`
  }
}

function bodyOf(form: Form): JsonObject {
  const seconds = form.get('coalesce_seconds').trim()
  return {
    url: form.get('url').trim(),
    description: form.get('description'),
    events: [...form.all('events')],
    coalesce_seconds: /^\d{1,9}$/.test(seconds) ? Number(seconds) : seconds === '' ? 0 : seconds,
  }
}

function ref(ctx: DashboardContext): readonly [string, string] {
  return [projectRef(ctx), param(ctx.params, 'webhook')]
}
