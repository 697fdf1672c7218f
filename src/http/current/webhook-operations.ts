import { z } from 'zod'
import { idParam, idRef } from '../answer-fields.ts'
import { EmptyBody } from '../bodies/publish-schemas.ts'
import { CreateWebhook, ListDeliveries, UpdateWebhook, WEBHOOK_READ_ONLY } from '../bodies/webhook-schemas.ts'
import { requestBody } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import {
  DeletedWebhook,
  Delivery,
  DeliveryList,
  Webhook,
  WebhookList,
  WebhookWithSecret,
} from './webhook-answers.ts'

const project = idParam('proj')
const webhook = z.object({ ...project.shape, webhook_id: idRef('whk') })
const delivery = z.object({ ...webhook.shape, delivery_id: idRef('dlv') })

/** Descriptions of the operations on webhooks, which `webhook-routes.ts` implements. */
export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  {
    id: 'listWebhooks',
    method: 'get',
    path: '/projects/{id}/webhooks',
    tag: 'Webhooks',
    summary: 'List the webhooks of a project',
    description: 'All webhooks, oldest first; a project has at most 20.',
    params: project,
    answers: [json(200, 'The webhooks.', WebhookList)],
  },
  {
    id: 'createWebhook',
    method: 'post',
    path: '/projects/{id}/webhooks',
    tag: 'Webhooks',
    summary: 'Create a webhook',
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
  },
  {
    id: 'getWebhook',
    method: 'get',
    path: '/projects/{id}/webhooks/{webhook_id}',
    tag: 'Webhooks',
    summary: 'Get a webhook',
    params: webhook,
    answers: [json(200, 'The webhook, without its secret.', Webhook)],
  },
  {
    id: 'updateWebhook',
    method: 'put',
    path: '/projects/{id}/webhooks/{webhook_id}',
    tag: 'Webhooks',
    summary: 'Change a webhook',
    description: 'Fields that the body leaves out stay unchanged.',
    params: webhook,
    body: {
      schema: requestBody(UpdateWebhook, { id: 'UpdateWebhook', ignored: WEBHOOK_READ_ONLY }),
      required: true,
      example: { events: ['page.published'] },
    },
    answers: [json(200, 'The updated webhook.', Webhook)],
    guarded: true,
  },
  {
    id: 'deleteWebhook',
    method: 'delete',
    path: '/projects/{id}/webhooks/{webhook_id}',
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'Deletes the webhook with its deliveries; pending ones are not sent.',
    params: webhook,
    answers: [json(200, 'The record was deleted.', DeletedWebhook)],
    guarded: true,
  },
  {
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/projects/{id}/webhooks/{webhook_id}/rotate-secret',
    tag: 'Webhooks',
    summary: 'Rotate the secret of a webhook',
    description:
      'The previous secret also signs for a day, so that receivers can switch, also when another one is created meanwhile. At most six secrets sign at a time.',
    params: webhook,
    body: { schema: EmptyBody, required: false },
    answers: [json(200, 'The webhook, with its new secret.', WebhookWithSecret)],
    errors: ['conflict'],
  },
  {
    id: 'testWebhook',
    method: 'post',
    path: '/projects/{id}/webhooks/{webhook_id}/test',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description: 'Sends an event of type `webhook.test`; its delivery shows whether it arrived.',
    params: webhook,
    body: { schema: EmptyBody, required: false },
    answers: [json(202, 'The delivery is pending.', Delivery)],
    errors: ['conflict'],
  },
  {
    id: 'listDeliveries',
    method: 'get',
    path: '/projects/{id}/webhooks/{webhook_id}/deliveries',
    tag: 'Webhooks',
    summary: 'List the deliveries of a webhook',
    description:
      'Newest first. Deliveries are retained for 30 days after their end, at most the newest 10,000.',
    params: webhook,
    query: ListDeliveries,
    answers: [json(200, 'The deliveries.', DeliveryList)],
  },
  {
    id: 'getDelivery',
    method: 'get',
    path: '/projects/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}',
    tag: 'Webhooks',
    summary: 'Get a delivery',
    params: delivery,
    answers: [json(200, 'The delivery.', Delivery)],
  },
  {
    id: 'redeliver',
    method: 'post',
    path: '/projects/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
    tag: 'Webhooks',
    summary: 'Send a delivery again',
    description: 'Sends it with the same `webhook-id` and the whole retry schedule.',
    params: delivery,
    body: { schema: EmptyBody, required: false },
    answers: [json(202, 'The delivery is pending.', Delivery)],
    errors: ['conflict'],
  },
]
