import { z } from 'zod'
import { idParam, idRef } from '../answer-fields.ts'
import { asSent } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import { Nothing } from './publish-schemas.ts'
import {
  DeletedWebhook,
  Delivery,
  DeliveryList,
  Webhook,
  WebhookList,
  WebhookWithSecret,
} from './webhook-answers.ts'
import { CreateWebhook, ListDeliveries, UpdateWebhook, WEBHOOK_READ_ONLY } from './webhook-schemas.ts'

const project = idParam('proj')
const webhook = z.object({ ...project.shape, webhook_id: idRef('whk') })
const delivery = z.object({ ...webhook.shape, delivery_id: idRef('dlv') })

/** The operations on webhooks, as `webhook-routes.ts` carries them out. */
export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  {
    id: 'listWebhooks',
    method: 'get',
    path: '/projects/{id}/webhooks',
    tag: 'Webhooks',
    summary: 'List the webhooks of a project',
    description: 'All of them, oldest first; a project has at most 20.',
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
      'Its address is told of events from now on, signed as Standard Webhooks says with the secret in this answer.',
      'A try that is not answered with 2xx within 15 s is repeated after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, or when `Retry-After` says.',
      'Redirects are not followed; 410 switches the webhook off, as do five days of failures.',
    ].join(' '),
    params: project,
    body: {
      schema: asSent(CreateWebhook, { id: 'CreateWebhook', ignored: WEBHOOK_READ_ONLY }),
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
    description: 'What is left out stays.',
    params: webhook,
    body: {
      schema: asSent(UpdateWebhook, { id: 'UpdateWebhook', ignored: WEBHOOK_READ_ONLY }),
      required: true,
      example: { events: ['page.published'] },
    },
    answers: [json(200, 'The webhook as it is now.', Webhook)],
    guarded: true,
  },
  {
    id: 'deleteWebhook',
    method: 'delete',
    path: '/projects/{id}/webhooks/{webhook_id}',
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'With the record of what was sent; what waits to be sent is dropped.',
    params: webhook,
    answers: [json(200, 'It is gone.', DeletedWebhook)],
  },
  {
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/projects/{id}/webhooks/{webhook_id}/rotate-secret',
    tag: 'Webhooks',
    summary: 'Give a webhook another secret',
    description: 'For a day the former one signs too, so that receivers can change over.',
    params: webhook,
    body: { schema: Nothing, required: false },
    answers: [json(200, 'The webhook, with its new secret.', WebhookWithSecret)],
  },
  {
    id: 'testWebhook',
    method: 'post',
    path: '/projects/{id}/webhooks/{webhook_id}/test',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description: 'Of type `webhook.test`; its deliveries tell whether it arrived.',
    params: webhook,
    body: { schema: Nothing, required: false },
    answers: [json(202, 'It will be sent.', Delivery)],
    errors: ['conflict'],
  },
  {
    id: 'listDeliveries',
    method: 'get',
    path: '/projects/{id}/webhooks/{webhook_id}/deliveries',
    tag: 'Webhooks',
    summary: 'List what was sent to a webhook',
    description: 'Newest first. Kept for 30 days after the end of each, the newest 10,000 at most.',
    params: webhook,
    query: ListDeliveries,
    answers: [json(200, 'The deliveries asked for.', DeliveryList)],
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
    description: 'Under the same `webhook-id`, by the whole schedule of tries.',
    params: delivery,
    body: { schema: Nothing, required: false },
    answers: [json(202, 'It will be sent.', Delivery)],
    errors: ['conflict'],
  },
]
