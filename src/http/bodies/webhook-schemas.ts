import { z } from 'zod'
import { type InvalidField, ruleOf } from '../../domain/invalid-field.ts'
import type { JsonObject } from '../../domain/json.ts'
import {
  DEFAULT_EVENT_TYPES,
  type DeliveryState,
  EVENT_TYPES,
  type Webhook,
  type WebhookDraft,
} from '../../domain/webhook.ts'
import { text } from '../../fields/values.ts'
import type { WebhookEdit } from '../../services/webhooks/webhooks.ts'
import { parseBody } from '../parse.ts'
import { walkedSlice } from '../query-fields.ts'

/** An hour, in seconds. */
const LONGEST_WINDOW = 3_600

const url = z
  .string()
  .max(2048, 'must have at most 2048 characters.')
  .meta({
    description:
      'The URL that receives events: `https`, without user name and password; its host must not resolve to a private or reserved address.',
    examples: ['https://example.com/hooks/quoin'],
  })

const events = z
  .array(z.enum(EVENT_TYPES, `must be one of ${EVENT_TYPES.join(', ')}.`))
  .min(1, 'must name at least one event.')
  .max(EVENT_TYPES.length, 'must name each event once.')
  .refine((names) => new Set(names).size === names.length, {
    error: 'must name each event once.',
    ...ruleOf('given_twice'),
  })
  .meta({
    description: 'The types of events to send.',
    uniqueItems: true,
    examples: [['page.published', 'page.unpublished']],
  })

const description = text(500).meta({
  description: 'A note for people; it has no effect.',
  examples: ['Rebuilds the app'],
})

const active = z.boolean().meta({
  description:
    'False: nothing is sent, and pending deliveries fail. Setting it to true again clears the failures.',
})

const coalesceSeconds = z
  .int(`must be a whole number from 0 to ${LONGEST_WINDOW}.`)
  .min(0)
  .max(LONGEST_WINDOW)
  .meta({
    description:
      'Length of the window in seconds whose events are sent as one message of type `batch`, with at most 100 events; 0 sends each event in a message of its own.',
    examples: [0],
  })

export const CreateWebhook = z.strictObject({
  url,
  events: events.optional().meta({ default: DEFAULT_EVENT_TYPES }),
  description: description.optional(),
  active: active.optional(),
  coalesce_seconds: coalesceSeconds.optional(),
})

export const UpdateWebhook = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  description: description.optional(),
  active: active.optional(),
  coalesce_seconds: coalesceSeconds.optional(),
})

/** Read-only fields, which a body may contain without an effect. */
export const WEBHOOK_READ_ONLY = ['id', 'failing_since', 'off_reason', 'created_at']

const STATES = ['pending', 'delivered', 'failed'] as const satisfies readonly DeliveryState[]

export const ListDeliveries = z.object({
  status: z.enum(STATES, `must be one of ${STATES.join(', ')}.`).optional(),
  ...walkedSlice(25),
})

/** @throws {ServiceError} that names every invalid field. */
export function readCreateWebhook(body: JsonObject, urlFault: (url: string) => string | null): WebhookDraft {
  const read = parseBody(CreateWebhook, body, {
    readOnly: WEBHOOK_READ_ONLY,
    also: (body) => urlErrors(body, urlFault),
  })
  return {
    url: read.url,
    events: read.events ?? DEFAULT_EVENT_TYPES,
    description: read.description ?? '',
    active: read.active ?? true,
    coalesceSeconds: read.coalesce_seconds ?? 0,
  }
}

/** @throws {ServiceError} that names every invalid field. */
export function readUpdateWebhook(
  body: JsonObject,
  stored: Webhook,
  urlFault: (url: string) => string | null,
): WebhookEdit {
  const { coalesce_seconds, ...read } = parseBody(UpdateWebhook, body, {
    readOnly: WEBHOOK_READ_ONLY,
    // The stored URL is always accepted, even if the rules have become stricter.
    also: (body) => (body['url'] === stored.url ? [] : urlErrors(body, urlFault)),
  })
  return { ...read, coalesceSeconds: coalesce_seconds }
}

function urlErrors(body: JsonObject, urlFault: (url: string) => string | null): readonly InvalidField[] {
  const given = body['url']
  // The schema reports other types and texts that are too long; it counts code points.
  if (typeof given !== 'string' || [...given].length > 2048) return []
  const fault = urlFault(given)
  return fault === null ? [] : [{ path: 'url', message: fault, code: 'not_allowed' }]
}
