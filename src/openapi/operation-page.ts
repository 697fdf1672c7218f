import type { JsonObject, JsonValue } from '../domain/json.ts'
import { writeFrontMatter } from '../page-text/write-front-matter.ts'
import { blockMarkdown, plainText } from './description-text.ts'
import { code, fenced, inline } from './escape-markdown.ts'
import { exampleOf, exampleText } from './example-value.ts'
import {
  type Budget,
  bodyType,
  type Direction,
  type FieldNode,
  fieldGroups,
  parameterNode,
} from './field-tree.ts'
import { type Api, type Operation, objectOf, type Parameter, textOf } from './operations.ts'
import { bodyMarkdown, fieldsMarkdown, type TextContext } from './print-fields.ts'
import type { Resolve } from './references.ts'
import { exampleRequest, preferredMedia, snippetsOf } from './snippets.ts'

/** Fields of a page, so that a page stays readable whatever its schemas refer to. */
const MAX_FIELDS = 500
const MAX_TITLE = 150
const MAX_SUMMARY = 200

interface PageContext extends TextContext {
  readonly api: Api
  readonly resolve: Resolve
  readonly budget: Budget
}

/** The page of an operation, as Markdown with front matter. @param order among the operations of its tag. */
export function operationPage(
  operation: Operation,
  order: number,
  { api, resolve, ...texts }: Omit<PageContext, 'budget'>,
): string {
  const context: PageContext = { ...texts, api, resolve, budget: { fields: MAX_FIELDS } }
  const summary = plainText(operation.description, MAX_SUMMARY)
  const body = [
    [`:badge[${operation.method.toUpperCase()}] ${code(addressOf(operation))}`],
    operation.deprecated ? ['> [!WARNING]\n> This operation is deprecated.'] : [],
    [blockMarkdown(operation.description, 2, context)],
    authorisation(operation, context),
    parameters(operation, context),
    requestBody(operation, context),
    example(operation, context),
    responses(operation, context),
  ]
    .flat()
    .filter((part) => part !== '')
    .join('\n\n')
  return writeFrontMatter(
    {
      title: titleOf(operation),
      ...(summary !== '' && { description: summary }),
      type: 'docs',
      badge: operation.method.toUpperCase(),
      nav_order: order,
    },
    `\n${body}\n`,
  )
}

export function titleOf({ summary, id, method, path }: Operation): string {
  const title = summary || id || `${method.toUpperCase()} ${path}`
  const line = title.replace(/\s+/g, ' ').trim()
  return line.length <= MAX_TITLE ? line : `${line.slice(0, MAX_TITLE - 1).trimEnd()}…`
}

/** Returns the whole address if the server is known. */
function addressOf({ servers, path }: Operation): string {
  return `${servers[0] ?? ''}${path}`
}

function authorisation({ security }: Operation, { api }: PageContext): readonly string[] {
  const named = security.filter((names) => names.length > 0)
  if (named.length === 0) return []
  const ways = named.map((names) => names.map((name) => schemeText(name, api)).join(' and '))
  const optional = named.length < security.length ? ' It is optional.' : ''
  return ['## Authorization', `${ways.join(', or ')}.${optional}`]
}

export function schemeText(name: string, { schemes }: Api): string {
  const scheme = schemes.get(name) ?? {}
  const { type } = scheme
  const label = inline(textOf(scheme['name']))
  if (type === 'http')
    return `${inline(capitalised(textOf(scheme['scheme'])))} authentication in the header \`Authorization\``
  if (type === 'apiKey') return `An API key in the ${inline(textOf(scheme['in']))} ${code(label)}`
  if (type === 'oauth2') return 'An OAuth 2.0 access token in the header `Authorization`'
  if (type === 'openIdConnect') return 'An OpenID Connect token in the header `Authorization`'
  if (type === 'mutualTLS') return 'A client certificate (mutual TLS)'
  return inline(name)
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

const PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
] as const

function parameters(operation: Operation, context: PageContext): readonly string[] {
  return PLACES.flatMap(([place, title]) => {
    const fields = operation.parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => parameterField(parameter, context))
    return fields.length === 0 ? [] : [`## ${title}`, fieldsMarkdown(fields, context)]
  })
}

function parameterField({ name, required, value }: Parameter, { resolve, budget }: PageContext): FieldNode {
  const [, media] = preferredMedia(objectOf(value['content'])) ?? []
  const texts = {
    ...(textOf(value['description']) !== '' && { description: textOf(value['description']) }),
    ...(value['deprecated'] === true && { deprecated: true }),
  }
  return parameterNode(name, required, value['schema'] ?? media?.['schema'], texts, resolve, budget)
}

function requestBody({ body }: Operation, context: PageContext): readonly string[] {
  if (body === null) return []
  const content = objectOf(body['content'])
  const preferred = preferredMedia(content)
  return [
    '## Request body',
    blockMarkdown(textOf(body['description']), 3, context),
    preferred === null ? '' : mediaLine(content, preferred, body['required'] === true, context),
    preferred === null ? '' : schemaMarkdown(preferred[1]['schema'], 'request', context),
  ]
}

function mediaLine(
  content: JsonObject,
  [type, media]: readonly [string, JsonObject],
  isRequired: boolean,
  { resolve }: PageContext,
): string {
  const others = Object.keys(content).filter((one) => one !== type)
  const shown = bodyType(media['schema'], resolve)
  return [
    code(type),
    ...(shown === '' ? [] : [`: ${inline(shown)}`]),
    ...(isRequired ? [', required'] : []),
    ...(others.length > 0 ? [`. Also as ${others.slice(0, 10).map(code).join(', ')}`] : []),
    '.',
  ].join('')
}

function schemaMarkdown(schema: JsonValue | undefined, direction: Direction, context: PageContext): string {
  return bodyMarkdown(fieldGroups(schema, context.resolve, direction, context.budget), context)
}

function example(operation: Operation, { api, resolve }: PageContext): readonly string[] {
  const tabs = snippetsOf(exampleRequest(api, operation, resolve)).flatMap(({ title, language, code }) => [
    `::tab[${title}]`,
    fenced(code, language),
  ])
  return ['## Example', [':::tabs', ...tabs, ':::'].join('\n')]
}

function responses(operation: Operation, context: PageContext): readonly string[] {
  if (operation.responses.length === 0) return []
  /** Statuses by the reference or the text of their schemas. */
  const described = new Map<string, string>()
  return [
    '## Responses',
    ...operation.responses.flatMap(([status, response]) => responseOf(status, response, described, context)),
  ]
}

function responseOf(
  status: string,
  response: JsonObject,
  described: Map<string, string>,
  context: PageContext,
): readonly string[] {
  const title = status === 'default' ? 'Other statuses' : inline(status)
  const content = objectOf(response['content'])
  const preferred = preferredMedia(content)
  const start = [
    `### ${title}`,
    blockMarkdown(textOf(response['description']), 4, context),
    headersOf(response, context),
  ]
  if (preferred === null) return start
  const schema = preferred[1]['schema']
  const key = JSON.stringify(schema ?? null)
  const same = schema === undefined ? undefined : described.get(key)
  if (same !== undefined) return [...start, `The body is as that of ${code(same)}.`]
  described.set(key, status)
  const value = exampleOf(preferred[1], context.resolve, 'response')
  const isStructured = typeof value === 'object' && value !== null
  return [
    ...start,
    mediaLine(content, preferred, false, context),
    schemaMarkdown(schema, 'response', context),
    value === undefined || (!isStructured && value === 'string') ? '' : exampleBlock(value, preferred[0]),
  ]
}

function exampleBlock(value: JsonValue, type: string): string {
  const text = exampleText(value)
  const language =
    typeof value !== 'string' || /json/i.test(type) ? 'json' : /xml/i.test(type) ? 'xml' : 'text'
  return fenced(text, `${language} title="Example"`)
}

function headersOf(response: JsonObject, context: PageContext): string {
  const fields = Object.entries(objectOf(response['headers'])).flatMap(([name, written]) => {
    const header = context.resolve(written)?.value
    if (header === undefined || name.trim() === '') return []
    return [parameterField({ name, in: 'header', required: false, value: header }, context)]
  })
  return fields.length === 0 ? '' : `:::details Headers\n${fieldsMarkdown(fields, context)}\n:::`
}
