import type { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import type { SchemaCollector } from './json-schema.ts'

/** What the service sends to others by itself. */
export interface Message {
  readonly name: string
  /** A heading, without a full stop. */
  readonly summary: string
  readonly schema: z.ZodType
}

const HEADERS = {
  'webhook-id': 'Of the event: the same on every try.',
  'webhook-timestamp': 'Unix seconds of this try.',
  'webhook-signature':
    '`v1,` and an HMAC-SHA256 in base64; several, parted by spaces, after the secret was changed.',
}

/** As the `webhooks` of an OpenAPI document. */
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
            '2XX': { description: 'It has arrived. Anything else, or nothing within 15 s, is tried again.' },
            '410': { description: 'Nothing is to be sent there any more.' },
          },
        },
      },
    ]),
  )
}
