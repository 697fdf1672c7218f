import type { OpenApiDocument } from '../../src/http/openapi/document.ts'

/** A JSON Schema as the document holds it. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly description?: string
  readonly readOnly?: boolean
  /** Other values than these may be valid elsewhere. */
  readonly 'x-open'?: boolean
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Operation {
  readonly summary: string
  readonly parameters: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

const HEAD = `// Generated from the API's description by scripts/client.mjs. Do not edit.

`

/** The types that the client is written against, as the text of a module. @param version of the API. */
export function typesOf(document: OpenApiDocument, version: string): string {
  const { components, paths } = JSON.parse(JSON.stringify(document))
  const schemas = Object.entries<Schema>(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))
  const named = schemas.map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')}\n`,
  )
  const routes = Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      routeOf(`${method.toUpperCase()} ${path}`, operation),
    ),
  )
  return `${HEAD}/** The version of the API that the types describe. */\nexport const API_VERSION = '${version}'\n\n${named.join('\n')}\n/** Every operation by its method and path: what it takes, and what it answers with. */\nexport interface Api {\n${routes.join('\n')}\n}\n`
}

/** Nothing for an operation that answers with neither JSON nor text. */
function routeOf(
  route: string,
  { summary, parameters, requestBody, responses }: Operation,
): readonly string[] {
  const contents = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status.startsWith('2') ? [content] : [],
  )
  const statuses = Object.keys(responses).filter((status) => status.startsWith('2'))
  const answers = contents.flatMap((content) => content['application/json']?.schema ?? [])
  const isText = contents.some((content) => Object.keys(content).some((type) => type.startsWith('text/')))
  if (answers.length === 0 && !isText) return []

  const own = parameters.filter((parameter) => 'name' in parameter)
  const fields = [
    ...given('path', own),
    ...given('query', own),
    // A file is sent by a method of its own.
    ...(requestBody?.content['application/json'] === undefined
      ? []
      : [
          `body${requestBody.required ? '' : '?'}: ${typeOf(requestBody.content['application/json'].schema, '    ')}`,
        ]),
    `status: ${statuses.join(' | ')}`,
    ...(answers.length === 0 ? [] : [`answer: ${union(answers, '    ')}`]),
    ...(isText ? ['text: true'] : []),
  ]
  const lines = fields.map((field) => `    readonly ${field}\n`).join('')
  return [`${comment(`${summary}.`, '  ')}  readonly '${route}': {\n${lines}  }`]
}

function given(place: Parameter['in'], parameters: readonly Parameter[]): readonly string[] {
  const here = parameters.filter((parameter) => parameter.in === place)
  if (here.length === 0) return []
  const properties = Object.fromEntries(
    here.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
  )
  const required = here.filter((parameter) => parameter.required).map(({ name }) => name)
  const type = objectType({ properties, required, additionalProperties: false }, '    ')
  return [`${place}${required.length > 0 ? '' : '?'}: ${type}`]
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return enumType(schema)
  if (schema.allOf !== undefined) return schema.allOf.map((part) => typeOf(part, indent)).join(' & ')
  if (schema.properties !== undefined) return withEither(schema, indent)
  if (schema.anyOf !== undefined) return union(schema.anyOf, indent)
  if (typeof schema.type === 'object')
    return union(
      schema.type.map((type) => ({ ...schema, type })),
      indent,
    )
  switch (schema.type) {
    case 'array':
      return `readonly ${grouped(typeOf(schema.items ?? {}, indent))}[]`
    case 'object':
      return objectType(schema, indent)
    case 'integer':
      return 'number'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return 'unknown'
  }
}

function enumType({ enum: values = [], 'x-open': open }: Schema): string {
  const known = values.map((value) => literal(value)).join(' | ')
  // Editors offer the known ones, and any other is accepted.
  return open ? `${known} | (string & {})` : known
}

function union(schemas: readonly Schema[], indent: string): string {
  return [...new Set(schemas.map((schema) => typeOf(schema, indent)))].join(' | ')
}

/** An object that also requires one of several fields. */
function withEither(schema: Schema, indent: string): string {
  const own = objectType(schema, indent)
  const either = (schema.anyOf ?? []).flatMap(({ required = [] }) =>
    required.map((name) => `{ readonly ${name}: unknown }`),
  )
  return either.length === 0 ? own : `${own} & (${either.join(' | ')})`
}

function objectType(
  { properties = {}, required = [], additionalProperties }: Schema,
  indent: string,
): string {
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, schema]) => {
    const told = schema.readOnly ? 'Ignored.' : (schema.description ?? inside(schema))
    const type = typeOf(schema, inner)
    const field = required.includes(name) ? `${name}: ${type}` : `${name}?: ${orUndefined(type)}`
    return `${comment(told, inner)}${inner}readonly ${field}\n`
  })
  // Objects with fields of their own take others only where they say so.
  const rest = restType(additionalProperties ?? fields.length === 0, inner)
  if (fields.length === 0)
    return rest === null ? 'Readonly<Record<string, never>>' : `Readonly<Record<string, ${rest}>>`
  const index = rest === null ? '' : `${inner}readonly [field: string]: unknown\n`
  return `{\n${fields.join('')}${index}${indent}}`
}

/** Undefined fields are not sent, so optional fields may be undefined. */
function orUndefined(type: string): string {
  return type === 'unknown' ? type : `${type} | undefined`
}

/** The type of additional fields; null when the schema describes none. */
function restType(additionalProperties: boolean | Schema, indent: string): string | null {
  if (additionalProperties === false) return null
  return additionalProperties === true ? 'unknown' : typeOf(additionalProperties, indent)
}

/** The description of the only alternative to null. */
function inside({ anyOf = [] }: Schema): string | undefined {
  return anyOf.find(({ description }) => description !== undefined)?.description
}

function grouped(type: string): string {
  return type.includes(' | ') || type.includes(' & ') ? `(${type})` : type
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`
}
