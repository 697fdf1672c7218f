import { z } from 'zod'
import { prefixed } from '../../domain/ids.ts'
import type { Delivery as DeliveryRecord } from '../../domain/webhook.ts'
import type { WebhookWithSecret as CreatedWebhook, WebhookService } from '../../services/webhooks/webhooks.ts'
import { idParam, idRef } from '../answer-fields.ts'
import type { Representation } from '../api.ts'
import { EmptyBody, readNoFields } from '../bodies/publish-schemas.ts'
import {
  CreateWebhook,
  ListDeliveries,
  readCreateWebhook,
  readUpdateWebhook,
  UpdateWebhook,
  WEBHOOK_READ_ONLY,
} from '../bodies/webhook-schemas.ts'
import { type ApiAnswer, type ApiRequest, type Endpoint, endpointsWith, record } from '../endpoint.ts'
import { sliceOf, walked } from '../list-walk.ts'
import { requestBody } from '../openapi/body.ts'
import { json } from '../openapi/operation.ts'
import { presentDelivery, presentWebhook, presentWebhookWithSecret } from './present-webhook.ts'
import {
  DeletedWebhook,
  Delivery,
  DeliveryList,
  Webhook,
  WebhookList,
  WebhookWithSecret,
} from './webhook-answers.ts'

export interface WebhookOperationPorts {
  readonly webhooks: WebhookService
}

const endpoint = endpointsWith<WebhookOperationPorts>()

const project = idParam('proj')
const webhook = z.object({ ...project.shape, webhook_id: idRef('whk') })
const delivery = z.object({ ...webhook.shape, delivery_id: idRef('dlv') })

export const WEBHOOK_OPERATIONS: readonly Endpoint<WebhookOperationPorts>[] = [
  endpoint({
    id: 'listWebhooks',
    method: 'get',
    path: '/projects/{id}/webhooks',
    tag: 'Webhooks',
    summary: 'List the webhooks of a project',
    client: 'webhooks.list',
    description: 'All webhooks, oldest first; a project has at most 20.',
    params: project,
    answers: [json(200, 'The webhooks.', WebhookList)],
    async run({ caller, param }, { webhooks }) {
      return record((await webhooks.list(caller, param('id'))).map(presentWebhook))
    },
  }),
  endpoint({
    id: 'createWebhook',
    method: 'post',
    path: '/projects/{id}/webhooks',
    tag: 'Webhooks',
    summary: 'Create a webhook',
    client: 'webhooks.create',
    agents: 'confirm',
    description: [
      'Events from now on are sent to its URL, signed per Standard Webhooks with the secret in this answer.',
      'An attempt without a 2xx answer within 15 s is retried after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, or later if `Retry-After` asks for it.',
      'Redirects are not followed. The answer 410, or five days of failures, switches the webhook off.',
    ].join(' '),
    params: project,
    body: {
      schema: requestBody(CreateWebhook, { id: 'CreateWebhook', ignored: WEBHOOK_READ_ONLY }),
      required: true,
      example: { url: 'https://example.com/hooks/quoin' },
    },
    answers: [json(201, 'The new webhook, with its secret.', WebhookWithSecret)],
    errors: ['conflict'],
    async run({ caller, body, param }, { webhooks }) {
      const created = await webhooks.create(caller, param('id'), () =>
        readCreateWebhook(body, webhooks.urlFault),
      )
      return withSecret(created, 201)
    },
  }),
  endpoint({
    id: 'getWebhook',
    method: 'get',
    path: '/projects/{id}/webhooks/{webhook_id}',
    tag: 'Webhooks',
    summary: 'Get a webhook',
    client: 'webhooks.get',
    params: webhook,
    answers: [json(200, 'The webhook, without its secret.', Webhook)],
    async run({ caller, param }, { webhooks }) {
      const found = await webhooks.get(caller, param('id'), param('webhook_id'))
      return record(presentWebhook(found), { version: found.version })
    },
  }),
  endpoint({
    id: 'updateWebhook',
    method: 'put',
    path: '/projects/{id}/webhooks/{webhook_id}',
    tag: 'Webhooks',
    summary: 'Change a webhook',
    client: 'webhooks.update',
    agents: 'confirm',
    description: 'Fields that the body leaves out stay unchanged.',
    params: webhook,
    body: {
      schema: requestBody(UpdateWebhook, { id: 'UpdateWebhook', ignored: WEBHOOK_READ_ONLY }),
      required: true,
      example: { events: ['page.published'] },
    },
    answers: [json(200, 'The updated webhook.', Webhook)],
    current: currentWebhook,
    async run({ caller, body, param, match }, { webhooks }) {
      const updated = await webhooks.update(caller, param('id'), param('webhook_id'), (stored) => {
        match(stored)
        return readUpdateWebhook(body, stored, webhooks.urlFault)
      })
      return record(presentWebhook(updated), { version: updated.version })
    },
  }),
  endpoint({
    id: 'deleteWebhook',
    method: 'delete',
    path: '/projects/{id}/webhooks/{webhook_id}',
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    client: 'webhooks.delete',
    description: 'Deletes the webhook with its deliveries; pending ones are not sent.',
    params: webhook,
    answers: [json(200, 'The record was deleted.', DeletedWebhook)],
    current: currentWebhook,
    async run({ caller, param, match }, { webhooks }) {
      const id = await webhooks.remove(caller, param('id'), param('webhook_id'), match)
      return record({ id: prefixed('whk', id), deleted: true })
    },
  }),
  endpoint({
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/projects/{id}/webhooks/{webhook_id}/rotate-secret',
    tag: 'Webhooks',
    summary: 'Rotate the secret of a webhook',
    client: 'webhooks.rotateSecret',
    agents: 'confirm',
    description:
      'The previous secret also signs for a day, so that receivers can switch, also when another one is created meanwhile. At most six secrets sign at a time.',
    params: webhook,
    body: { schema: EmptyBody, required: false },
    answers: [json(200, 'The webhook, with its new secret.', WebhookWithSecret)],
    errors: ['conflict'],
    async run({ caller, body, param }, { webhooks }) {
      const rotated = await webhooks.rotateSecret(caller, param('id'), param('webhook_id'), () =>
        readNoFields(body),
      )
      return withSecret(rotated, 200)
    },
  }),
  endpoint({
    id: 'testWebhook',
    method: 'post',
    path: '/projects/{id}/webhooks/{webhook_id}/test',
    tag: 'Webhooks',
    summary: 'Send a test event',
    client: 'webhooks.test',
    description: 'Sends an event of type `webhook.test`; its delivery shows whether it arrived.',
    params: webhook,
    body: { schema: EmptyBody, required: false },
    answers: [json(202, 'The delivery is pending.', Delivery)],
    errors: ['conflict'],
    async run({ caller, body, param }, { webhooks }) {
      const sent = await webhooks.test(caller, param('id'), param('webhook_id'), () => readNoFields(body))
      return pendingDelivery(sent, param)
    },
  }),
  endpoint({
    id: 'listDeliveries',
    method: 'get',
    path: '/projects/{id}/webhooks/{webhook_id}/deliveries',
    tag: 'Webhooks',
    summary: 'List the deliveries of a webhook',
    client: 'webhooks.deliveries',
    description:
      'Newest first. Deliveries are retained for 30 days after their end, at most the newest 10,000.',
    params: webhook,
    query: ListDeliveries,
    answers: [json(200, 'The deliveries.', DeliveryList)],
    async run({ caller, query, param, walk }, { webhooks }) {
      const { status: state = null } = query
      const slice = sliceOf(walk, query)
      const wanted = { state, ...slice }
      const found = await webhooks.deliveries(caller, param('id'), param('webhook_id'), wanted)
      return walked(walk, slice, found, presentDelivery)
    },
  }),
  endpoint({
    id: 'getDelivery',
    method: 'get',
    path: '/projects/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}',
    tag: 'Webhooks',
    summary: 'Get a delivery',
    client: 'webhooks.delivery',
    params: delivery,
    answers: [json(200, 'The delivery.', Delivery)],
    async run({ caller, param }, { webhooks }) {
      const found = await webhooks.delivery(caller, param('id'), param('webhook_id'), param('delivery_id'))
      return record(presentDelivery(found))
    },
  }),
  endpoint({
    id: 'redeliver',
    method: 'post',
    path: '/projects/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
    tag: 'Webhooks',
    summary: 'Send a delivery again',
    client: 'webhooks.redeliver',
    description: 'Sends it with the same `webhook-id` and the whole retry schedule.',
    params: delivery,
    body: { schema: EmptyBody, required: false },
    answers: [json(202, 'The delivery is pending.', Delivery)],
    errors: ['conflict'],
    async run({ caller, body, param }, { webhooks }) {
      const sent = await webhooks.redeliver(
        caller,
        param('id'),
        param('webhook_id'),
        param('delivery_id'),
        () => readNoFields(body),
      )
      return pendingDelivery(sent, param)
    },
  }),
]

/** Reads a webhook as its GET answers it, for any caller who may change it. */
async function currentWebhook(
  { caller, param }: ApiRequest,
  { webhooks }: WebhookOperationPorts,
): Promise<Representation> {
  const reader = { ...caller, permissions: ['read'] } as const
  const found = await webhooks.get(reader, param('id'), param('webhook_id'))
  return { version: found.version, body: { data: presentWebhook(found) } }
}

function withSecret(created: CreatedWebhook, status: number): ApiAnswer {
  const { version } = created.webhook
  return record(presentWebhookWithSecret(created), { status, version, secret: true })
}

function pendingDelivery(sent: DeliveryRecord, param: ApiRequest['param']): ApiAnswer {
  const path = `/projects/${param('id')}/webhooks/${param('webhook_id')}/deliveries/${prefixed('dlv', sent.id)}`
  return record(presentDelivery(sent), { status: 202, headers: { Location: path } })
}
