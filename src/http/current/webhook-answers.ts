import { z } from 'zod'
import { EVENT_TYPES } from '../../domain/webhook.ts'
import { anyObject, moment, prefixedId } from '../answer-fields.ts'
import { enveloped, listMeta } from './envelopes.ts'

const fields = {
  id: prefixedId('whk'),
  url: z.string().meta({ examples: ['https://example.com/hooks/quoin'] }),
  events: z.array(z.enum(EVENT_TYPES)).meta({ examples: [['page.published', 'page.unpublished']] }),
  description: z.string(),
  active: z.boolean().meta({ description: 'Whether anything is sent.' }),
  coalesce_seconds: z
    .int()
    .min(0)
    .meta({ examples: [0] }),
  failing_since: moment.nullable().meta({
    description: 'Since when every try has failed; null when the last one arrived.',
    examples: [null],
  }),
  off_reason: z
    .enum(['gone', 'failing', 'swamped'])
    .nullable()
    .meta({
      description:
        'Why it was switched off by the service: it answered 410, failed for five days, or 50,000 messages were waiting for it. Null when it was not.',
      examples: [null],
    }),
  created_at: moment,
}

const item = z.strictObject(fields).meta({ id: 'Webhook' })

export const Webhook = enveloped(item)

export const WebhookList = z.strictObject({ data: z.array(item) })

export const WebhookWithSecret = enveloped(
  z
    .strictObject({
      ...fields,
      secret: z.string().meta({
        description: '`whsec_` and 32 bytes in base64, shown in this answer only: it verifies what is sent.',
      }),
    })
    .meta({ id: 'WebhookWithSecret' }),
)

export const DeletedWebhook = enveloped(z.strictObject({ id: prefixedId('whk'), deleted: z.literal(true) }))

const delivery = z
  .strictObject({
    id: prefixedId('dlv'),
    event_id: prefixedId('evt').meta({
      description: 'Sent as `webhook-id`: the same on every try, so that a receiver can tell a copy.',
    }),
    type: z.string().meta({ examples: ['page.published'] }),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().min(0).meta({ description: 'Tries of its present round.' }),
    next_attempt_at: moment.nullable(),
    body: anyObject.meta({ description: 'What is sent.', examples: [{ type: 'page.published' }] }),
    tries: z
      .array(
        z.strictObject({
          at: moment,
          duration_ms: z.int().min(0),
          status: z.int().nullable().meta({ description: 'Of the answer; null when there was none.' }),
          answer: z.string().meta({ description: 'The first 2,000 characters of its body.' }),
          error: z.string().nullable().meta({ description: 'Why it did not arrive; null when it did.' }),
        }),
      )
      .meta({ description: 'Oldest first, the last 20 of them.', examples: [[]] }),
    created_at: moment,
    finished_at: moment.nullable(),
  })
  .meta({ id: 'Delivery' })

export const Delivery = enveloped(delivery)

export const DeliveryList = z.strictObject({ data: z.array(delivery), meta: z.strictObject(listMeta) })
