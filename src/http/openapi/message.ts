import type { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import type { SchemaCollector } from './json-schema.ts'

/** A message to webhooks. */
export interface Message {
  readonly name: string
  /** A heading, without a full stop. */
  readonly summary: string
  readonly schema: z.ZodType
}

const HEADERS = {
  'webhook-id': 'Id of the event: the same on every attempt.',
  'webhook-timestamp': 'Unix time of this attempt, in seconds.',
  'webhook-signature':
    '`v1,` and an HMAC-SHA256 in base64; for a day after a rotation two of them, separated by a space.',
}

/** Describes the messages as `webhooks` of an OpenAPI document. */
export function describeMessages(messages: readonly Message[], collector: SchemaCollector): JsonObject {
  return Object.fromEntries(
    messages.map(({ name, summary, schema }) => [
      name,
      {
        post: {
          summary,
          security: [],
          parameters: Object.entries(HEADERS).map(([header, description]) => ({
            name: header,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: collector.toJsonSchema(schema, 'output') } },
          },
          responses: {
            '2XX': {
              description: 'The message was received. Any other answer, or none within 15 s, causes a retry.',
            },
            '410': { description: 'The webhook is switched off.' },
          },
        },
      },
    ]),
  )
}
