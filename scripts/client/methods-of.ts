import type { OpenApiDocument } from '../../src/http/openapi/document.ts'
import type { Operation as NamedOperation } from '../../src/http/openapi/operation.ts'

interface BodySchema {
  readonly $ref?: string
  readonly properties?: object
}

interface Operation {
  readonly summary: string
  readonly parameters: readonly {
    readonly name?: string
    readonly in?: string
    readonly required?: boolean
  }[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, { readonly schema: BodySchema }>>
  }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

/** Parts of paths whose `{id}` is that of a record. */
const OWNERS: Readonly<Record<string, string>> = {
  projects: 'project',
  pages: 'page',
  render: 'page',
  jobs: 'job',
  assets: 'asset',
  keys: 'key',
}

interface Method {
  readonly group: string
  readonly name: string
  readonly signature: string
  readonly entry: string
}

const HEAD = `// Generated from the API's description by scripts/client.mjs. Do not edit.

import type { RequestOptions } from './request.ts'
import type { AnswerOf, BodyOf, DataOf, ItemOf, QueryOf } from './routes.ts'

`

/** The typed methods of the client and the table they are made from, as the text of a module. */
export function methodsOf(operations: readonly NamedOperation[], document: OpenApiDocument): string {
  const { paths } = JSON.parse(JSON.stringify(document))
  const methods = operations.flatMap((operation) =>
    methodOf(operation, paths[operation.path][operation.method]),
  )
  const groups = [...new Set(methods.map(({ group }) => group))]
  const within = (group: string) => methods.filter((method) => method.group === group)
  const types = groups.map(
    (group) =>
      `export interface ${typeName(group)} {\n${within(group)
        .map(({ signature }) => signature)
        .join('\n')}\n}\n`,
  )
  const table = groups.map(
    (group) =>
      `  ${group}: {\n${within(group)
        .map(({ name, entry }) => `    ${name}: ${entry},\n`)
        .join('')}  },\n`,
  )
  return `${HEAD}${types.join('\n')}\n/** Where each method sends its input, and what it returns of the answer. */\nexport const METHODS = {\n${table.join('')}} as const\n`
}

/** @throws {RangeError} for an operation that does not say which method it has. */
function methodOf(operation: NamedOperation, described: Operation): readonly Method[] {
  const { id, client, method, path } = operation
  if (client === undefined) throw new RangeError(`The operation ${id} must name its method of the client.`)
  if (client === null) return []
  const { summary, parameters, requestBody, responses } = described
  const [group = '', name = ''] = client.split('.')
  const route = `${method.toUpperCase()} ${path}`
  const ids = [...path.matchAll(/(\w+)\/\{(\w+)\}/g)].map(([, of = '', id = '']) =>
    id === 'id' ? `${OWNERS[of] ?? of}_id` : id,
  )
  const queries = parameters.filter((parameter) => parameter.in === 'query')
  // An operation without fields takes an empty body, which says nothing.
  const hasBody =
    requestBody !== undefined && hasFields(requestBody.content['application/json']?.schema ?? {})
  const input = hasBody ? 'body' : queries.length > 0 ? 'query' : null
  const isRequired = hasBody ? requestBody.required : queries.some(({ required }) => required)
  const inputType = hasBody ? `BodyOf<'${route}'>` : `QueryOf<'${route}'>`
  const options =
    hasBody && queries.length > 0
      ? `RequestOptions & { readonly query?: QueryOf<'${route}'> }`
      : 'RequestOptions'
  const takes = [
    ...ids.map((id) => `${camelCase(id)}: string`),
    ...(input === null ? [] : [`${input}${isRequired ? '' : '?'}: ${inputType}`]),
    `options?: ${options}`,
  ]
  const kind = kindOf(responses)
  return [
    {
      group,
      name,
      signature: `  /** ${summary}. */\n  ${name}(${takes.join(', ')}): ${RETURNS[kind](route)}`,
      entry: `{ route: '${route}', input: ${input === null ? 'null' : `'${input}'`}, returns: '${kind}' }`,
    },
  ]
}

const RETURNS = {
  data: (route: string) => `Promise<DataOf<'${route}'>>`,
  items: (route: string) => `AsyncGenerator<ItemOf<'${route}'>, void>`,
  /** A list that goes on: its answer says where the next request continues. */
  body: (route: string) => `Promise<AnswerOf<'${route}'>>`,
  text: () => 'Promise<string>',
} as const

function kindOf(responses: Operation['responses']): keyof typeof RETURNS {
  const content = Object.entries(responses).flatMap(([status, answer]) =>
    status.startsWith('2') ? Object.entries(answer.content ?? {}) : [],
  )
  const json = content.find(([type]) => type === 'application/json')
  if (json === undefined) return 'text'
  if (!isList(json[1])) return 'data'
  return goesOn(json[1]) ? 'body' : 'items'
}

function hasFields({ $ref, properties = {} }: BodySchema): boolean {
  return $ref !== undefined || Object.keys(properties).length > 0
}

interface Content {
  readonly schema: {
    readonly properties?: Readonly<Record<string, { readonly type?: string; readonly properties?: object }>>
  }
}

function isList(content: unknown): boolean {
  return (content as Content).schema.properties?.['data']?.type === 'array'
}

function goesOn(content: unknown): boolean {
  return 'next' in ((content as Content).schema.properties?.['meta']?.properties ?? {})
}

/** `webhook_id` → `webhookId` */
function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function typeName(group: string): string {
  return `${group.charAt(0).toUpperCase()}${group.slice(1)}Methods`
}
