import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { OpenApiDocument } from '../../src/http/openapi/document.ts'

/** A request and its answer. */
export interface Exchange {
  readonly method: string
  /** The path with its query, as it was sent. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Checks an answer against the OpenAPI document. Returns the differences; empty when they agree. */
export type AnswerCheck = (exchange: Exchange) => readonly string[]

interface Response {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Readonly<Record<string, unknown>>
}

interface Operation {
  readonly responses: Readonly<Record<string, Response & { readonly $ref?: string }>>
}

const ERROR_BODY = '#/components/schemas/ErrorBody'

/** Validates answers against the OpenAPI document, independently of the schemas that generate it. */
export function createAnswerCheck(document: OpenApiDocument): AnswerCheck {
  const root = JSON.parse(JSON.stringify(document))
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS })
  ajv.addSchema(root, 'api')
  const validators = new Map<string, ValidateFunction>()
  const paths = Object.entries(root.paths as Record<string, Record<string, Operation>>).map(
    ([template, methods]) => ({
      template,
      methods,
      pattern: patternOf(template),
    }),
  )

  return (exchange) => {
    const method = exchange.method === 'HEAD' ? 'get' : exchange.method.toLowerCase()
    const [path = ''] = exchange.path.split('?')
    // Its messages are those of a protocol, which `mcp.proof.ts` checks with a client of it.
    if (path === '/mcp') return []
    const found = paths.filter(({ pattern, methods }) => pattern.test(path) && methods[method] !== undefined)
    const [closest] = found.sort((a, b) => holes(a.template) - holes(b.template))
    if (closest === undefined) return undescribed(exchange)
    return described(exchange, `#/paths/${step(closest.template)}/${method}`)
  }

  /** An unknown path returns an error, or a refusal or permission without a body. */
  function undescribed({ status, headers, text }: Exchange): readonly string[] {
    if (status < 400) return status === 204 ? [] : [`${status} for a path that is not described`]
    const isJson = headers.get('content-type')?.startsWith('application/json')
    return isJson && text !== '' ? faults(ERROR_BODY, JSON.parse(text)) : []
  }

  function described(exchange: Exchange, pointer: string): readonly string[] {
    const { responses } = at(pointer) as Operation
    const response = responses[exchange.status]
    if (response === undefined) return [`the status ${exchange.status} is not described`]
    const place = response.$ref ?? `${pointer}/responses/${exchange.status}`
    return [...headerFaults(exchange, place), ...bodyFaults(exchange, place)]
  }

  function headerFaults({ headers }: Exchange, place: string): readonly string[] {
    return Object.entries((at(place) as Response).headers ?? {}).flatMap(([name, { $ref }]) => {
      const { required, schema } = at($ref) as { required: boolean; schema: { type?: string } }
      const value = headers.get(name)
      if (value === null) return required ? [`the header ${name} is missing`] : []
      const typed = schema.type === 'integer' ? Number(value) : value
      return faults(`${$ref}/schema`, typed).map((fault) => `header ${name}: ${fault}`)
    })
  }

  function bodyFaults({ method, status, headers, text }: Exchange, place: string): readonly string[] {
    const { content = {} } = at(place) as Response
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
    const known = content[type] === undefined ? '*/*' : type
    if (content[known] === undefined) {
      return text === '' || Object.keys(content).length === 0
        ? []
        : [`the content type ${type} is not described`]
    }
    // A part of a document cannot be parsed.
    if (method === 'HEAD' || status === 206 || type !== 'application/json') return []
    const body = JSON.parse(text)
    return [
      ...faults(`${place}/content/${step(known)}/schema`, body),
      // The field is named, but not what is wrong with it.
      ...(status >= 400 && /: *$/.test(body.message) ? [`the message ends at ${body.message}`] : []),
    ]
  }

  function faults(pointer: string, value: unknown): readonly string[] {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api${pointer}` })
    validators.set(pointer, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    )
  }

  function at(pointer: string): unknown {
    const steps = pointer.slice(2).split('/')
    return steps.reduce((value, step) => value[step.replaceAll('~1', '/')], root)
  }
}

const FORMATS = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/,
}

/** Paths of the API match in any case, with or without a slash at their end. */
function patternOf(template: string): RegExp {
  const pattern = template
    .replaceAll('.', '\\.')
    .replace(/\{(\w+)\}/g, (_, name) => (name === 'path' ? '.*' : '[^/]+'))
  return new RegExp(`^${pattern}/?$`, template.startsWith('/public/') ? '' : 'i')
}

function holes(template: string): number {
  return template.split('{').length
}

function step(name: string): string {
  return name.replaceAll('/', '~1')
}
