import { z } from 'zod'
import type { ErrorName } from '../../domain/errors.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { ErrorResponses } from './error-responses.ts'
import { describeErrors, errorBodyOf, errorsByStatus, Problem } from './error-schema.ts'
import { headersOf, isCacheable } from './headers.ts'
import type { SchemaCollector } from './json-schema.ts'
import type { Operation } from './operation.ts'

/** All answers of an operation, by status. */
export function responsesOf(
  operation: Operation,
  collector: SchemaCollector,
  shared: ErrorResponses,
): JsonObject {
  const answers = operation.answers.map(({ status, description, content }) => [
    String(status),
    { description, headers: headerRefs(operation, status), ...contentOf(content, collector) },
  ])
  const unchanged = {
    description: 'The version that the client has is current.',
    headers: headerRefs(operation, 304),
  }
  const errors = errorsByStatus(errorsOf(operation)).map(([status, names]) => [
    String(status),
    shared.refTo(status, {
      description: describeErrors(names),
      headers: headerRefs(operation, status),
      content: {
        'application/json': { schema: errorSchema(operation, status, names, collector) },
        'application/problem+json': { schema: collector.toJsonSchema(Problem, 'output') },
      },
    }),
  ])
  return Object.fromEntries([...answers, ...(isCacheable(operation) ? [['304', unchanged]] : []), ...errors])
}

/** Returns the errors of an operation: its own ones, and the consequences of its method, path and schemas. */
function errorsOf({
  access = 'key',
  method,
  path,
  params,
  query,
  body,
  answers,
  guarded,
  errors = [],
}: Operation): readonly ErrorName[] {
  const isAbout = (what: string) => path.includes(`/${what}/{id}`)
  const json = body !== undefined && 'schema' in body ? body.schema : undefined
  const needsProject = [query, json].some(
    (schema) => schema instanceof z.ZodObject && 'project_id' in schema.shape,
  )
  const isWrite = method !== 'get'
  const found: readonly (readonly [boolean, readonly ErrorName[]])[] = [
    [true, ['rate_limit_exceeded', 'internal_error']],
    [!answers.some(({ status }) => status === 503), ['service_unavailable']],
    [
      access !== 'open',
      ['missing_api_key', 'unauthorized', 'invalid_api_key', 'forbidden', 'invalid_request'],
    ],
    [params !== undefined && access !== 'open', ['not_found']],
    [
      needsProject || ['projects', 'pages', 'assets', 'keys'].some(isAbout),
      ['not_found', 'project_scope_violation'],
    ],
    [method === 'post' || method === 'put', ['payload_too_large']],
    [body !== undefined, ['validation_error']],
    [
      isWrite && body?.required === true && json !== undefined && requiresFields(json),
      ['missing_required_field'],
    ],
    [query !== undefined && requiresFields(query), ['missing_required_field']],
    [guarded === true, ['precondition_failed']],
  ]
  return [...found.filter(([applies]) => applies).flatMap(([, names]) => names), ...errors]
}

/** Reports whether a schema rejects an empty object. */
function requiresFields(schema: z.ZodType): boolean {
  return !schema.safeParse({}).success
}

function headerRefs(operation: Operation, status: number): JsonObject {
  return Object.fromEntries(
    headersOf(operation, status).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )
}

function contentOf(
  content: Operation['answers'][number]['content'],
  collector: SchemaCollector,
): { readonly content?: JsonObject } {
  const entries = Object.entries(content).map(([type, schema]): [string, JsonObject] => [
    type,
    { schema: collector.toJsonSchema(schema, 'output') },
  ])
  return entries.length === 0 ? {} : { content: Object.fromEntries(entries) }
}

/** The error body, narrowed to the names of one status. */
function errorSchema(
  operation: Operation,
  status: number,
  names: readonly ErrorName[],
  collector: SchemaCollector,
): JsonObject {
  const body = collector.toJsonSchema(errorBodyOf(operation), 'output')
  const narrowed = { statusCode: { const: status }, name: { enum: [...names] } }
  return { allOf: [body, { properties: narrowed }] }
}
