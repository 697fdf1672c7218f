import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { SERVICE_VERSION } from '../middleware/service-version.ts'
import { createErrorResponses, type ErrorResponses } from './error-responses.ts'
import { HEADERS, REQUEST_HEADERS, requestHeadersOf } from './headers.ts'
import { createSchemaCollector, type SchemaCollector } from './json-schema.ts'
import { describeMessages, type Message } from './message.ts'
import type { Operation, RequestBody } from './operation.ts'
import { responsesOf } from './responses.ts'

/** An OpenAPI 3.1 document; plain JSON. */
export type OpenApiDocument = ReturnType<typeof createDocument>

export interface DocumentPorts {
  readonly operations: readonly Operation[]
  /** Messages to webhooks. */
  readonly messages: readonly Message[]
  /** Groups of operations, in display order. */
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** Introduction; Markdown. */
  readonly description: string
  /** URL of the service. */
  readonly baseUrl: string
}

/** Creates an OpenAPI document from the schemas that validate requests and describe answers. */
export function createDocument({ operations, messages, tags, description, baseUrl }: DocumentPorts) {
  const collector = createSchemaCollector()
  const errors = createErrorResponses()
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describe(operation, collector, errors),
    }
  }
  const webhooks = describeMessages(messages, collector)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Quoin',
      version: SERVICE_VERSION,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }] as const,
    security: [{ apiKey: [] as string[] }],
    tags,
    paths,
    webhooks,
    components: {
      schemas: collector.schemas,
      responses: errors.responses,
      headers: HEADERS,
      parameters: Object.fromEntries(
        Object.entries(REQUEST_HEADERS).map(([name, header]) => [name, { name, in: 'header', ...header }]),
      ),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `Authorization: Bearer qn_live_…`.',
        },
      },
    },
  }
}

function describe(operation: Operation, collector: SchemaCollector, errors: ErrorResponses): JsonObject {
  const { id, tag, summary, description, params, query, body, access } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(access === 'open' && { security: [] }),
    // The empty alternative declares that the key is optional.
    ...(access === 'key or token' && { security: [{ apiKey: [] }, {}] }),
    ...(operation.path.startsWith('/v1/') && { deprecated: true }),
    parameters: [
      ...parameters(params, 'path', collector),
      ...parameters(query, 'query', collector),
      ...requestHeadersOf(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body !== undefined && {
      requestBody: { required: body.required, content: describeBody(body, collector) },
    }),
    responses: responsesOf(operation, collector, errors),
  }
}

function describeBody(body: RequestBody, collector: SchemaCollector): JsonObject {
  if ('files' in body) {
    const types = Object.entries(body.files)
    return Object.fromEntries(
      types.map(([type, schema]) => [type, { schema: collector.toJsonSchema(schema, 'input') }]),
    )
  }
  const { schema, example } = body
  return {
    'application/json': {
      schema: collector.toJsonSchema(schema, 'input'),
      ...(example !== undefined && { example: example as JsonObject }),
    },
  }
}

function parameters(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query',
  collector: SchemaCollector,
): readonly JsonObject[] {
  return Object.entries<z.core.$ZodType>(schema?.shape ?? {}).map(([name, field]) => {
    const { description, ...rest } = collector.toJsonSchema(field as z.ZodType, 'input')
    return {
      name,
      in: place,
      required: place === 'path' || !z.safeParse(field, undefined).success,
      ...(description !== undefined && { description: description as JsonValue }),
      schema: rest,
    }
  })
}
