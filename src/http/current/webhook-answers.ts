import { z } from 'zod'
import { EVENT_TYPES } from '../../domain/webhook.ts'
import { anyObject, moment, prefixedId } from '../answer-fields.ts'
import { enveloped, listMeta } from './envelopes.ts'

const fields = {
  id: prefixedId('whk'),
  url: z.string().meta({ examples: ['https://example.com/hooks/quoin'] }),
  events: z.array(z.enum(EVENT_TYPES)).meta({ examples: [['page.published', 'page.unpublished']] }),
  description: z.string(),
  active: z.boolean().meta({ description: 'Whether events are sent.' }),
  coalesce_seconds: z
    .int()
    .min(0)
    .meta({ examples: [0] }),
  failing_since: moment.nullable().meta({
    description: 'Time of the first failure after the last success; null when the last attempt succeeded.',
    examples: [null],
  }),
  off_reason: z
    .enum(['gone', 'failing', 'overloaded'])
    .nullable()
    .meta({
      description:
        'Why the service switched the webhook off: it answered 410 (`gone`), failed for five days (`failing`), or 50,000 messages were pending (`overloaded`). Null when the service did not.',
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
        description: '`whsec_` and 32 bytes in base64, to verify messages. Shown in this answer only.',
      }),
    })
    .meta({ id: 'WebhookWithSecret' }),
)

export const DeletedWebhook = enveloped(z.strictObject({ id: prefixedId('whk'), deleted: z.literal(true) }))

const delivery = z
  .strictObject({
    id: prefixedId('dlv'),
    event_id: prefixedId('evt').meta({
      description:
        'Sent as `webhook-id`: the same on every attempt, so that receivers can ignore duplicates.',
    }),
    type: z.string().meta({ examples: ['page.published'] }),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().min(0).meta({ description: 'Attempts of the current round.' }),
    next_attempt_at: moment.nullable(),
    body: anyObject.meta({ description: 'The request body.', examples: [{ type: 'page.published' }] }),
    tries: z
      .array(
        z.strictObject({
          at: moment,
          duration_ms: z.int().min(0),
          status: z.int().nullable().meta({ description: 'HTTP status of the answer; null without one.' }),
          answer: z.string().meta({ description: 'The first 2,000 characters of the answer.' }),
          error: z
            .string()
            .nullable()
            .meta({ description: 'Why the attempt failed; null when it succeeded.' }),
        }),
      )
      .meta({ description: 'The last 20 attempts, oldest first.', examples: [[]] }),
    created_at: moment,
    finished_at: moment.nullable(),
  })
  .meta({ id: 'Delivery' })

export const Delivery = enveloped(delivery)

export const DeliveryList = z.strictObject({ data: z.array(delivery), meta: z.strictObject(listMeta) })
