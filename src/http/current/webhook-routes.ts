import Router, { type RouterContext } from '@koa/router'
import { prefixed } from '../../domain/ids.ts'
import type { Delivery } from '../../domain/webhook.ts'
import type { WebhookService } from '../../services/webhooks/webhooks.ts'
import { type ApiState, listMeta, param, queryOf } from '../api.ts'
import { readNoFields } from '../bodies/publish-schemas.ts'
import { ListDeliveries, readCreateWebhook, readUpdateWebhook } from '../bodies/webhook-schemas.ts'
import { answerWithList } from '../list-answer.ts'
import { assertMatch } from '../middleware/entity-tags.ts'
import { parseQuery } from '../parse.ts'
import { readJson, readOptionalJson } from '../read-json.ts'
import { presentDelivery, presentWebhook, presentWebhookWithSecret } from './present-webhook.ts'

export interface WebhookRoutePorts {
  readonly webhooks: WebhookService
}

export function webhookRoutes({ webhooks }: WebhookRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/projects/:id/webhooks' })

  router.get('/', async (ctx) => {
    const list = await webhooks.list(ctx.state.caller, param(ctx.params, 'id'))
    ctx.body = { data: list.map(presentWebhook) }
  })

  router.post('/', async (ctx) => {
    const body = await readJson(ctx)
    const created = await webhooks.create(ctx.state.caller, param(ctx.params, 'id'), () =>
      readCreateWebhook(body, webhooks.urlFault),
    )
    ctx.status = 201
    ctx.state.secret = true
    ctx.state.version = created.webhook.version
    ctx.body = { data: presentWebhookWithSecret(created) }
  })

  router.get('/:webhook_id', async (ctx) => {
    const webhook = await webhooks.get(ctx.state.caller, ...webhookOf(ctx.params))
    ctx.state.version = webhook.version
    ctx.body = { data: presentWebhook(webhook) }
  })

  router.put('/:webhook_id', async (ctx) => {
    const body = await readJson(ctx)
    compareWithWebhook(ctx)
    const webhook = await webhooks.update(ctx.state.caller, ...webhookOf(ctx.params), (stored) => {
      assertMatch(ctx, stored.version)
      return readUpdateWebhook(body, stored, webhooks.urlFault)
    })
    ctx.state.version = webhook.version
    ctx.body = { data: presentWebhook(webhook) }
  })

  router.delete('/:webhook_id', async (ctx) => {
    compareWithWebhook(ctx)
    const id = await webhooks.remove(ctx.state.caller, ...webhookOf(ctx.params), ({ version }) =>
      assertMatch(ctx, version),
    )
    ctx.body = { data: { id: prefixed('whk', id), deleted: true } }
  })

  router.post('/:webhook_id/rotate-secret', async (ctx) => {
    const body = await readOptionalJson(ctx)
    const rotated = await webhooks.rotateSecret(ctx.state.caller, ...webhookOf(ctx.params), () =>
      readNoFields(body),
    )
    ctx.state.secret = true
    ctx.state.version = rotated.webhook.version
    ctx.body = { data: presentWebhookWithSecret(rotated) }
  })

  router.post('/:webhook_id/test', async (ctx) => {
    const body = await readOptionalJson(ctx)
    const delivery = await webhooks.test(ctx.state.caller, ...webhookOf(ctx.params), () => readNoFields(body))
    answerWithDelivery(ctx, delivery)
  })

  router.get('/:webhook_id/deliveries', async (ctx) => {
    const { status = null, limit, offset } = parseQuery(ListDeliveries, queryOf(ctx))
    const { items, total } = await webhooks.deliveries(ctx.state.caller, ...webhookOf(ctx.params), {
      state: status,
      limit,
      offset,
    })
    answerWithList(ctx, items, presentDelivery, (shown) => listMeta({ limit, offset }, shown, total))
  })

  router.get('/:webhook_id/deliveries/:delivery_id', async (ctx) => {
    const [project, webhook] = webhookOf(ctx.params)
    const id = param(ctx.params, 'delivery_id')
    ctx.body = {
      data: presentDelivery(await webhooks.delivery(ctx.state.caller, project, webhook, id)),
    }
  })

  router.post('/:webhook_id/deliveries/:delivery_id/redeliver', async (ctx) => {
    const body = await readOptionalJson(ctx)
    const delivery = await webhooks.redeliver(
      ctx.state.caller,
      ...webhookOf(ctx.params),
      param(ctx.params, 'delivery_id'),
      () => readNoFields(body),
    )
    answerWithDelivery(ctx, delivery)
  })

  return router

  /** `If-Match` refers to the webhook as a GET answers it. */
  function compareWithWebhook({ state, params }: RouterContext<ApiState>): void {
    state.current = async () => {
      const reader = { ...state.caller, permissions: ['read'] } as const
      const webhook = await webhooks.get(reader, ...webhookOf(params))
      return { version: webhook.version, body: { data: presentWebhook(webhook) } }
    }
  }

  /** Answers 202 with the delivery and its `Location`. */
  function answerWithDelivery(ctx: RouterContext<ApiState>, delivery: Delivery): void {
    const [project, webhook] = webhookOf(ctx.params)
    ctx.status = 202
    ctx.set('Location', `/projects/${project}/webhooks/${webhook}/deliveries/${prefixed('dlv', delivery.id)}`)
    ctx.body = { data: presentDelivery(delivery) }
  }
}

function webhookOf(params: Readonly<Record<string, string | undefined>>) {
  return [param(params, 'id'), param(params, 'webhook_id')] as const
}
