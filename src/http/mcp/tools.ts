import type { Permission } from '../../domain/caller.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { type Method, type Operation, permissionOf } from '../openapi/operation.ts'

/** A tool of the Model Context Protocol: one operation of the API. */
export interface Tool {
  /** The `operationId`. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly method: Method
  readonly path: string
  readonly query: readonly string[]
  readonly body: 'json' | 'file' | null
  /** Effect of a call without `confirm`: a dry run, nothing, or nothing if it states a `status`. Null: as usual. */
  readonly guard: 'dry run' | 'confirm' | 'confirm status' | null
  /** Permission that a key needs, for the list of tools. Access is decided by the service. */
  readonly permission: Permission | null
}

/** Returns the tools for the operations that agents may call, with their parameters from the document of the API. */
export function toolsOf(operations: readonly Operation[], document: OpenApiDocument): readonly Tool[] {
  return operations.filter(({ agents }) => agents !== 'none').map((one) => toolOf(one, document))
}

function toolOf(operation: Operation, document: OpenApiDocument): Tool {
  const { id: name, method, path, summary, description } = operation
  const described = document.paths[path]?.[method] ?? {}
  const parameters = listOf(described['parameters']).filter(isJsonObject)
  const body = bodyOf(described)
  const all = parameters.filter(isIn('query')).map((one) => String(one['name']))
  const isDryRun = all.includes(DRY_RUN)
  const guard = isDryRun ? 'dry run' : guardOf(operation)
  const properties: Record<string, JsonValue> = {}
  const required: string[] = []
  for (const one of parameters.filter((one) => isIn('path')(one) || isIn('query')(one))) {
    const { name: field, description, schema } = one
    // One argument decides, so that none contradicts it.
    if (field === DRY_RUN) continue
    properties[String(field)] = {
      ...(isJsonObject(schema) ? schema : {}),
      ...(typeof description === 'string' && { description }),
    }
    if (one['required'] === true) required.push(String(field))
  }
  if (body !== null) properties['body'] = body.schema
  if (body?.required) required.push('body')
  const references = parameters.flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
  if (references.some((one) => one.endsWith('/If-Match'))) properties['if_match'] = IF_MATCH
  if (references.some((one) => one.endsWith('/Idempotency-Key')))
    properties['idempotency_key'] = IDEMPOTENCY_KEY
  if (guard !== null) properties['confirm'] = CONFIRM[guard]
  return {
    name,
    title: summary,
    description: [summary, description, guard === null ? undefined : NOTE[guard]]
      .filter((text) => text !== undefined)
      .join('. ')
      .replaceAll('..', '.'),
    inputSchema: writtenOut({ type: 'object', properties, required, additionalProperties: false }, document),
    method,
    path,
    query: all.filter((name) => name !== DRY_RUN),
    body: body?.kind ?? null,
    guard,
    permission: permissionOf(operation),
  }
}

/** The parameter of operations that have a dry run. */
export const DRY_RUN = 'dry_run'

const IF_MATCH = {
  type: 'string',
  description: 'The entity tag of the record as you read it. The call is refused when it has changed since.',
}
const IDEMPOTENCY_KEY = {
  type: 'string',
  description: 'A text of your choice. A repeated call with it takes effect once.',
}
const NOTE = {
  'dry run': 'Without confirm: true it is a dry run that changes nothing and says what would change',
  confirm: 'Without confirm: true it changes nothing and shows what it concerns',
  'confirm status': 'With a status in the body it changes the live site, and needs confirm: true',
} as const
const CONFIRM = {
  'dry run': { type: 'boolean', description: 'True does it. Without it, the call is a dry run.' },
  confirm: { type: 'boolean', description: 'True does it. Without it, nothing changes.' },
  'confirm status': { type: 'boolean', description: 'True is needed when the body has a status.' },
} as const

function isIn(place: 'path' | 'query') {
  return (parameter: JsonObject): boolean => parameter['in'] === place
}

interface ToolBody {
  readonly kind: 'json' | 'file'
  readonly schema: JsonObject
  readonly required: boolean
}

function bodyOf({ requestBody }: JsonObject): ToolBody | null {
  if (!isJsonObject(requestBody)) return null
  const content = isJsonObject(requestBody['content']) ? requestBody['content'] : {}
  const media = content['application/json']
  if (isJsonObject(media) && isJsonObject(media['schema'])) {
    const schema = media['schema']
    // A body that holds nothing needs no property.
    if (isJsonObject(schema['properties']) && Object.keys(schema['properties']).length === 0) return null
    return { kind: 'json', schema, required: requestBody['required'] === true }
  }
  if (content['application/octet-stream'] === undefined) return null
  return { kind: 'file', schema: { type: 'string', description: 'The bytes, in Base64.' }, required: true }
}

/** Levels of definitions inside of definitions that a schema has written out. */
const MAX_LEVELS = 4

/** The schema with its definitions written out, since several clients do not resolve references. */
function writtenOut(schema: JsonObject, { components }: OpenApiDocument): JsonObject {
  const schemas = components.schemas as JsonObject
  return written(schema, 0) as JsonObject

  function written(value: JsonValue, level: number): JsonValue {
    if (Array.isArray(value)) return value.map((one) => written(one, level))
    if (!isJsonObject(value)) return value
    const { $ref, ...rest } = value
    const target = typeof $ref === 'string' ? SCHEMA.exec($ref)?.[1] : undefined
    const own = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, written(inner, level)]))
    if (target === undefined) return own
    if (level === MAX_LEVELS) return { type: 'object', ...own }
    return { ...(written(schemas[target] ?? {}, level + 1) as JsonObject), ...own }
  }
}

const SCHEMA = /^#\/components\/schemas\/(.+)$/

function guardOf({ agents, method }: Operation): Tool['guard'] {
  if (agents === 'confirm status') return agents
  return agents === 'confirm' || method === 'delete' ? 'confirm' : null
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
