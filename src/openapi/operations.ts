import { withoutEndSlashes } from '../domain/end-slashes.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import type { Resolve } from './references.ts'

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
export type Method = (typeof METHODS)[number]

export const MAX_OPERATIONS = 2_000

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly value: JsonObject
}

/** One method of one path. */
export interface Operation {
  readonly method: Method
  readonly path: string
  readonly id: string | null
  readonly summary: string
  readonly description: string
  readonly tag: string
  readonly deprecated: boolean
  readonly parameters: readonly Parameter[]
  /** The request body behind its references; null for none. */
  readonly body: JsonObject | null
  /** Responses by status code, `4XX` or `default`. */
  readonly responses: readonly (readonly [status: string, response: JsonObject])[]
  readonly servers: readonly string[]
  /** Security requirements, of which one has to be met; empty for none. */
  readonly security: readonly (readonly string[])[]
}

export interface Tag {
  readonly name: string
  readonly description: string
}

export interface Api {
  readonly document: JsonObject
  readonly title: string
  readonly version: string
  readonly description: string
  /** Against which relative links of descriptions are resolved; null if the description says nothing. */
  readonly home: string | null
  readonly servers: readonly string[]
  /** Used tags in the order of the description, then undescribed ones in the order of their first operation. */
  readonly tags: readonly Tag[]
  readonly operations: readonly Operation[]
  /** Security schemes by name. */
  readonly schemes: ReadonlyMap<string, JsonObject>
}

/** The group of operations without a tag. */
const NO_TAG = 'Other'

/** Lists the operations of a description that `readDescription` accepted. */
export function readApi(document: JsonObject, resolve: Resolve): Api {
  const info = objectOf(document['info'])
  const servers = serversOf(document['servers'])
  const operations = Object.entries(objectOf(document['paths'])).flatMap(([path, written]) =>
    path.startsWith('/') ? operationsOf(path, written, { document, servers, resolve }) : [],
  )
  const described = listOf(document['tags']).flatMap((tag) =>
    isJsonObject(tag) && typeof tag['name'] === 'string'
      ? [{ name: tag['name'], description: textOf(tag['description']) }]
      : [],
  )
  const used = new Set(operations.map(({ tag }) => tag))
  const known = new Set(described.map(({ name }) => name))
  const schemes = objectOf(objectOf(document['components'])['securitySchemes'])
  return {
    document,
    title: textOf(info['title']).trim() || 'API',
    version: textOf(info['version']).trim(),
    description: textOf(info['description']),
    home: homeOf(document),
    servers,
    tags: [
      ...described.filter(
        ({ name }, index) => used.has(name) && described.findIndex((one) => one.name === name) === index,
      ),
      ...[...used].filter((name) => !known.has(name)).map((name) => ({ name, description: '' })),
    ],
    operations,
    schemes: new Map(
      Object.entries(schemes).flatMap(([name, scheme]) => {
        const resolved = resolve(scheme)
        return resolved === null ? [] : [[name, resolved.value] as const]
      }),
    ),
  }
}

function operationsOf(
  path: string,
  written: JsonValue,
  { document, servers, resolve }: { document: JsonObject; servers: readonly string[]; resolve: Resolve },
): readonly Operation[] {
  const item = resolve(written)?.value ?? {}
  const shared = listOf(item['parameters'])
  return METHODS.flatMap((method) => {
    const operation = item[method]
    if (!isJsonObject(operation)) return []
    const own = serversOf(operation['servers'] ?? item['servers'])
    const [tag] = listOf(operation['tags'])
    return [
      {
        method,
        path,
        id: textOf(operation['operationId']).trim() || null,
        summary: textOf(operation['summary']).trim(),
        description: textOf(operation['description']).trim() || textOf(item['description']),
        tag: textOf(tag).trim() || NO_TAG,
        deprecated: operation['deprecated'] === true,
        parameters: parametersOf([...shared, ...listOf(operation['parameters'])], resolve),
        body: resolve(operation['requestBody'])?.value ?? null,
        responses: Object.entries(objectOf(operation['responses'])).flatMap(([status, response]) => {
          const resolved = resolve(response)
          return resolved === null || status.startsWith('x-') ? [] : [[status, resolved.value] as const]
        }),
        servers: own.length > 0 ? own : servers,
        security: securityOf(operation['security'] ?? document['security']),
      },
    ]
  })
}

/** Parameters of an operation replace those of its path with the same name and place. */
function parametersOf(written: readonly JsonValue[], resolve: Resolve): readonly Parameter[] {
  const found = new Map<string, Parameter>()
  for (const one of written) {
    const value = resolve(one)?.value
    const name = textOf(value?.['name'])
    const place = PLACES.find((known) => known === value?.['in'])
    if (value === undefined || name === '' || place === undefined) continue
    found.set(`${place} ${name}`, {
      name,
      in: place,
      required: place === 'path' || value['required'] === true,
      value,
    })
  }
  return [...found.values()]
}

const PLACES = ['path', 'query', 'header', 'cookie'] as const

/** URLs of servers with the default values of their variables. */
function serversOf(written: JsonValue | undefined): readonly string[] {
  return listOf(written).flatMap((server) => {
    if (!isJsonObject(server) || typeof server['url'] !== 'string') return []
    const variables = objectOf(server['variables'])
    const url = server['url'].replace(/\{([^{}]+)\}/g, (match, name: string) => {
      const value = objectOf(variables[name])['default']
      return typeof value === 'string' || typeof value === 'number' ? String(value) : match
    })
    return [withoutEndSlashes(url)]
  })
}

function securityOf(written: JsonValue | undefined): readonly (readonly string[])[] {
  return listOf(written).flatMap((requirement) =>
    isJsonObject(requirement) ? [Object.keys(requirement)] : [],
  )
}

/** The documentation that the description names, or its first server. */
function homeOf(document: JsonObject): string | null {
  const documentation = objectOf(document['externalDocs'])['url']
  const [server] = serversOf(document['servers'])
  return (
    [documentation, server].find(
      (url): url is string => typeof url === 'string' && /^https?:\/\//i.test(url),
    ) ?? null
  )
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
