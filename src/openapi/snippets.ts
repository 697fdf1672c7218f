import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { exampleOf, statedExample } from './example-value.ts'
import { type Api, type Operation, objectOf, type Parameter, textOf } from './operations.ts'
import type { Resolve } from './references.ts'

/** A request as the examples of a page write it. */
export interface ExampleRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Names in the text of `url` and `headers` that stand for secrets, such as `TOKEN`. */
  readonly secrets: readonly string[]
  /** User and password are sent (RFC 7617). */
  readonly isBasic: boolean
  readonly body: ExampleBody | null
}

export type ExampleBody =
  | { readonly type: 'json'; readonly value: JsonValue }
  | {
      readonly type: 'form' | 'multipart'
      readonly fields: readonly (readonly [name: string, value: string, isFile: boolean])[]
    }
  | { readonly type: 'text'; readonly contentType: string; readonly text: string }
  | { readonly type: 'file'; readonly contentType: string }

/** Marks a secret in a value; each language writes it in its own way. */
const secret = (name: string) => `\ue000${name}\ue001`
const SECRETS = /\ue000([A-Z_]+)\ue001/g

export function exampleRequest(api: Api, operation: Operation, resolve: Resolve): ExampleRequest {
  const credentials = credentialsOf(api, operation)
  const body = bodyOf(operation, resolve)
  const [server = ''] = operation.servers
  const base = /^https?:\/\//i.test(server) ? server : `https://api.example.com${server}`
  const path = operation.path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name)
    return encoded(valueText(parameter, resolve) ?? placeholder(name)).replaceAll('%2F', '/')
  })
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(
      (parameter) =>
        `${encoded(parameter.name)}=${encoded(valueText(parameter, resolve) ?? placeholder(parameter.name))}`,
    )
  const all = [...query, ...credentials.query]
  const headers = operation.parameters
    .filter(
      (parameter) =>
        parameter.in === 'header' &&
        parameter.required &&
        !/^(authorization|content-type|accept)$/i.test(parameter.name),
    )
    .map(
      (parameter) =>
        [parameter.name, oneLine(valueText(parameter, resolve) ?? placeholder(parameter.name))] as const,
    )
  return {
    method: operation.method.toUpperCase(),
    url: `${base}${path}${all.length === 0 ? '' : `?${all.join('&')}`}`,
    headers: [...credentials.headers, ...headers],
    secrets: credentials.secrets,
    isBasic: credentials.isBasic,
    body,
  }
}

const MAX_PLACEHOLDER = 100

/** A lone half of a surrogate pair, which JSON can hold, has no bytes in UTF-8. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}

function placeholder(name: string): string {
  return (
    name
      .slice(0, MAX_PLACEHOLDER)
      .replace(/([a-z\d])(?=[A-Z])/g, '$1_')
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_|_$/g, '')
      .toUpperCase() || 'VALUE'
  )
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}

/** The example that a parameter states, as text; null if it states none. */
function valueText(parameter: Parameter | undefined, resolve: Resolve): string | null {
  if (parameter === undefined) return null
  const schema = resolve(parameter.value['schema'])?.value ?? {}
  const value =
    statedExample(parameter.value, resolve) ??
    schema['example'] ??
    schema['default'] ??
    firstOf(schema['enum'])
  const isSimple = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isSimple && String(value) !== '' ? String(value).slice(0, 200) : null
}

function firstOf(values: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(values) ? values[0] : undefined
}

interface Credentials {
  readonly headers: readonly (readonly [string, string])[]
  readonly query: readonly string[]
  readonly secrets: readonly string[]
  readonly isBasic: boolean
}

const NO_CREDENTIALS: Credentials = { headers: [], query: [], secrets: [], isBasic: false }

function credentialsOf({ schemes }: Api, { security }: Operation): Credentials {
  const requirement = security.find((names) => names.length > 0) ?? []
  if (security.some((names) => names.length === 0)) return NO_CREDENTIALS
  return requirement
    .map((name) => credentialOf(schemes.get(name) ?? {}))
    .reduce(
      (all, one) => ({
        headers: [...all.headers, ...one.headers],
        query: [...all.query, ...one.query],
        secrets: [...all.secrets, ...one.secrets],
        isBasic: all.isBasic || one.isBasic,
      }),
      NO_CREDENTIALS,
    )
}

function credentialOf(scheme: JsonObject): Credentials {
  const { type, in: place } = scheme
  const name = oneLine(textOf(scheme['name']))
  const isBearer =
    type === 'oauth2' ||
    type === 'openIdConnect' ||
    (type === 'http' && /^bearer$/i.test(textOf(scheme['scheme'])))
  if (isBearer)
    return {
      ...NO_CREDENTIALS,
      headers: [['Authorization', `Bearer ${secret('TOKEN')}`]],
      secrets: ['TOKEN'],
    }
  if (type === 'http' && /^basic$/i.test(textOf(scheme['scheme'])))
    return { ...NO_CREDENTIALS, secrets: ['USERNAME', 'PASSWORD'], isBasic: true }
  if (type !== 'apiKey' || name === '') return NO_CREDENTIALS
  if (place === 'header')
    return { ...NO_CREDENTIALS, headers: [[name, secret('API_KEY')]], secrets: ['API_KEY'] }
  if (place === 'cookie')
    return { ...NO_CREDENTIALS, headers: [['Cookie', `${name}=${secret('API_KEY')}`]], secrets: ['API_KEY'] }
  return {
    ...NO_CREDENTIALS,
    query: [`${encoded(name)}=${secret('API_KEY')}`],
    secrets: ['API_KEY'],
  }
}

/** The media type that examples use: JSON before forms before others. */
export function preferredMedia(content: JsonObject): readonly [type: string, media: JsonObject] | null {
  const types = Object.keys(content)
  const chosen =
    types.find((type) => /^application\/json\b/i.test(type)) ??
    types.find((type) => /[/+]json\b/i.test(type)) ??
    types.find((type) => /urlencoded|multipart/i.test(type)) ??
    types[0]
  return chosen === undefined ? null : [chosen, objectOf(content[chosen])]
}

function bodyOf({ body }: Operation, resolve: Resolve): ExampleBody | null {
  const preferred = preferredMedia(objectOf(body?.['content']))
  if (preferred === null) return null
  const [type, media] = preferred
  const contentType = oneLine(type)
  const value = exampleOf(media, resolve, 'request')
  if (/[/+]json\b/i.test(type)) return { type: 'json', value: value ?? {} }
  if (/urlencoded|multipart/i.test(type)) {
    const properties = objectOf(resolve(media['schema'])?.value['properties'])
    const fields = Object.entries(isJsonObject(value) ? value : {}).map(([name, one]) => {
      const isFile = ['binary', 'byte'].includes(textOf(resolve(properties[name])?.value['format']))
      return [name, oneLine(typeof one === 'string' ? one : JSON.stringify(one)), isFile] as const
    })
    return { type: /multipart/i.test(type) ? 'multipart' : 'form', fields }
  }
  return typeof value === 'string' && /^text\/|xml/i.test(type)
    ? { type: 'text', contentType, text: value }
    : { type: 'file', contentType }
}

export interface Snippet {
  readonly title: string
  readonly language: string
  readonly code: string
}

export function snippetsOf(request: ExampleRequest): readonly Snippet[] {
  return [
    { title: 'curl', language: 'bash', code: curl(request) },
    { title: 'JavaScript', language: 'js', code: javaScript(request) },
    { title: 'Python', language: 'python', code: python(request) },
  ]
}

function json(value: JsonValue): string {
  return JSON.stringify(value, null, 2)
}

/** In single quotes, or in double quotes where variables are filled in. */
function shell(text: string): string {
  if (!text.includes('\ue000')) return `'${text.replaceAll("'", `'\\''`)}'`
  return `"${text.replace(/[\\"$`]/g, '\\$&').replace(SECRETS, '$$$1')}"`
}

function curl({ method, url, headers, isBasic, body }: ExampleRequest): string {
  const first = method === 'GET' && body === null ? 'curl' : `curl -X ${method}`
  return [
    `${first} ${shell(url)}`,
    ...(isBasic ? ['-u "$USERNAME:$PASSWORD"'] : []),
    ...headers.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...curlBody(body),
  ].join(' \\\n  ')
}

function curlBody(body: ExampleBody | null): readonly string[] {
  switch (body?.type) {
    case 'json':
      return [`-H 'Content-Type: application/json'`, `-d ${shell(json(body.value))}`]
    case 'form':
      return body.fields.map(([name, value]) => `--data-urlencode ${shell(`${name}=${value}`)}`)
    case 'multipart':
      return body.fields.map(
        // In the value of -F, @ and < would name a file.
        ([name, value, isFile]) =>
          isFile ? `-F ${shell(`${name}=@file`)}` : `--form-string ${shell(`${name}=${value}`)}`,
      )
    case 'text':
      return [`-H ${shell(`Content-Type: ${body.contentType}`)}`, `--data-raw ${shell(body.text)}`]
    case 'file':
      return [`-H ${shell(`Content-Type: ${body.contentType}`)}`, '--data-binary @file']
    default:
      return []
  }
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`
}

function scriptText(text: string): string {
  if (!text.includes('\ue000')) return quoted(text)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the example.
  return `\`${text.replace(/[\\`]|\$(?=\{)/g, '\\$&').replace(SECRETS, '${process.env.$1}')}\``
}

function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`)
}

function javaScript({ method, url, headers, isBasic, body }: ExampleRequest): string {
  const own = [
    ...(isBasic
      ? // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the example.
        [['Authorization', '`Basic ${btoa(`${process.env.USERNAME}:${process.env.PASSWORD}`)}`'] as const]
      : []),
    ...headers.map(([name, value]) => [name, scriptText(value)] as const),
    ...(body?.type === 'json' ? [['Content-Type', `'application/json'`] as const] : []),
    ...(body?.type === 'text' || body?.type === 'file'
      ? [['Content-Type', quoted(body.contentType)] as const]
      : []),
  ]
  const named = own.map(([name, value]) => `    ${/^[a-z]+$/i.test(name) ? name : quoted(name)}: ${value},`)
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(named.length > 0 ? ['  headers: {', ...named, '  },'] : []),
    ...javaScriptBody(body),
  ]
  const call =
    options.length === 0
      ? `fetch(${scriptText(url)})`
      : `fetch(${scriptText(url)}, {\n${options.join('\n')}\n})`
  const before =
    body?.type === 'multipart'
      ? `const form = new FormData()\n${body.fields.map(([name, value, isFile]) => `form.append(${quoted(name)}, ${isFile ? 'file' : quoted(value)})\n`).join('')}\n`
      : ''
  return `${before}const response = await ${call}\nif (!response.ok) throw new Error(await response.text())\nconsole.log(await response.text())`
}

function javaScriptBody(body: ExampleBody | null): readonly string[] {
  switch (body?.type) {
    case 'json':
      return [`  body: JSON.stringify(${indented(json(body.value), '  ')}),`]
    case 'form': {
      const fields = body.fields.map(([name, value]) => `    [${quoted(name)}, ${quoted(value)}],`)
      return ['  body: new URLSearchParams([', ...fields, '  ]),']
    }
    case 'multipart':
      return ['  body: form,']
    case 'text':
      return [`  body: ${quoted(body.text)},`]
    case 'file':
      return ['  body: file,']
    default:
      return []
  }
}

function pythonText(text: string): string {
  if (!text.includes('\ue000')) return JSON.stringify(text)
  return `f${JSON.stringify(text.replace(/[{}]/g, '$&$&')).replace(SECRETS, "{os.environ['$1']}")}`
}

/** A JSON value in the words of Python. */
function pythonValue(value: JsonValue, indent: string): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const isList = Array.isArray(value)
  const lines = isList
    ? value.map((one) => pythonValue(one, `${indent}    `))
    : Object.entries(value).map(
        ([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one, `${indent}    `)}`,
      )
  const [start, end] = isList ? ['[', ']'] : ['{', '}']
  if (lines.length === 0) return start + end
  return `${start}\n${lines.map((line) => `${indent}    ${line},\n`).join('')}${indent}${end}`
}

function python({ method, url, headers, secrets, isBasic, body }: ExampleRequest): string {
  const own = [
    ...headers.map(([name, value]) => [name, pythonText(value)] as const),
    ...(body?.type === 'text' || body?.type === 'file'
      ? [['Content-Type', pythonText(body.contentType)] as const]
      : []),
  ]
  const call = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method)
    ? `requests.${method.toLowerCase()}(\n    ${pythonText(url)},`
    : `requests.request(\n    "${method}",\n    ${pythonText(url)},`
  const headerLines = own.map(([name, value]) => `${JSON.stringify(name)}: ${value}`)
  return [
    ...(secrets.length > 0 ? ['import os', ''] : []),
    'import requests',
    '',
    `response = ${call}`,
    ...(isBasic ? [`    auth=(os.environ["USERNAME"], os.environ["PASSWORD"]),`] : []),
    ...(headerLines.length > 0 ? [`    headers={${headerLines.join(', ')}},`] : []),
    ...pythonBody(body),
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  ].join('\n')
}

function pythonBody(body: ExampleBody | null): readonly string[] {
  switch (body?.type) {
    case 'json':
      return [`    json=${pythonValue(body.value, '    ')},`]
    case 'form':
      return [
        `    data=${pythonValue(Object.fromEntries(body.fields.map(([name, value]) => [name, value])), '    ')},`,
      ]
    case 'multipart': {
      const files = body.fields.filter(([, , isFile]) => isFile)
      const others = body.fields.filter(([, , isFile]) => !isFile)
      return [
        ...(others.length > 0
          ? [
              `    data=${pythonValue(Object.fromEntries(others.map(([name, value]) => [name, value])), '    ')},`,
            ]
          : []),
        `    files={${files.map(([name]) => `${JSON.stringify(name)}: open("file", "rb")`).join(', ')}},`,
      ]
    }
    case 'text':
      return [`    data=${JSON.stringify(body.text)},`]
    case 'file':
      return [`    data=open("file", "rb"),`]
    default:
      return []
  }
}
