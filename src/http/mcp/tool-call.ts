import type { IncomingMessage, RequestListener } from 'node:http'
import inject from 'light-my-request'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { DRY_RUN, type Tool } from './tools.ts'

/** The result of a tool, as the protocol writes it. */
export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[]
  readonly isError: boolean
}

/** Larger answers would fill the context of any agent. */
const MAX_ANSWER = 512 * 1024

/** Thrown for an argument that the tool does not have, or no request can carry. */
export class ArgumentError extends Error {}

/**
 * Calls an operation as a request of its own through the whole HTTP application, so that the same code as for all
 * requests checks keys, limits, bodies and access.
 *
 * @param outer the request of the protocol, whose key and address the call has.
 * @throws {ArgumentError}
 */
export async function callTool(
  tool: Tool,
  args: JsonObject,
  outer: IncomingMessage,
  handle: RequestListener,
): Promise<ToolResult> {
  const known = isJsonObject(tool.inputSchema['properties']) ? tool.inputSchema['properties'] : {}
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined)
    throw new ArgumentError(
      `${tool.name} has no argument ${unknown}. It has: ${Object.keys(known).join(', ')}.`,
    )
  const path = pathOf(tool, args)
  const send = requester(outer, handle)
  if (isHeldBack(tool, args)) return preview(tool, path, queryText(tool.query, args), send)
  const isDry = tool.guard === 'dry run' && args['confirm'] !== true
  const query = isDry ? { ...args, [DRY_RUN]: true } : args
  const answer = await send({
    method: tool.method,
    url: path + queryText(isDry ? [...tool.query, DRY_RUN] : tool.query, query),
    headers: { ...headersOf(args), ...typeOf(tool) },
    payload: bodyOf(tool, args),
  })
  const note = isDry
    ? 'This was a dry run: nothing has changed. Call again with confirm: true to do it.'
    : null
  return resultOf(answer, note)
}

function isHeldBack({ guard }: Tool, args: JsonObject): boolean {
  if (args['confirm'] === true) return false
  if (guard === 'confirm') return true
  const { body } = args
  return guard === 'confirm status' && isJsonObject(body) && body['status'] !== undefined
}

/** Describes the effect of a call, with the record that it concerns. */
async function preview(tool: Tool, path: string, query: string, send: Send): Promise<ToolResult> {
  const note = `Nothing has changed. With confirm: true the call sends ${tool.method.toUpperCase()} ${path}${query}.`
  // The record of an operation such as `/pages/{id}/rollback` is `/pages/{id}`. What is deleted may be in a list.
  const isItself = tool.method === 'delete' || /\{[^{}]+\}$/.test(tool.path)
  const record = isItself ? path : path.replace(/\/[^/]+$/, '')
  const isRecord = /\{[^{}]+\}(\/[^{}/]+)?$/.test(tool.path)
  if (!isRecord) return resultOf(null, note)
  return resultOf(await send({ method: 'get', url: record, headers: {} }), `${note} It concerns:`)
}

interface InnerAnswer {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
}

type Send = (request: {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: Buffer | null
}) => Promise<InnerAnswer>

/** Headers of the client and of proxies that the calls have too. */
const PASSED = ['authorization', 'host', 'x-forwarded-for', 'x-forwarded-proto', 'traceparent'] as const

function requester(outer: IncomingMessage, handle: RequestListener): Send {
  const passed = Object.fromEntries(
    PASSED.flatMap((name) =>
      outer.headers[name] === undefined ? [] : [[name, String(outer.headers[name])]],
    ),
  )
  const dispatch: RequestListener = (request, response) => {
    // The request around it has passed the check for HTTPS.
    Object.assign(request.socket, { encrypted: true })
    handle(request, response)
  }
  return async ({ method, url, headers, payload }) => {
    const answer = await inject(dispatch, {
      method: method.toUpperCase(),
      url,
      remoteAddress: outer.socket.remoteAddress ?? '',
      headers: { ...passed, ...headers },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, text: answer.payload, headers: answer.headers }
  }
}

function pathOf(tool: Tool, args: JsonObject): string {
  return tool.path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = args[name]
    if (typeof value !== 'string' || value === '' || /^\.{1,2}$/.test(value))
      throw new ArgumentError(`${tool.name} needs the argument ${name}, a text.`)
    return encodeURIComponent(value)
  })
}

function queryText(names: readonly string[], args: JsonObject): string {
  const values = new URLSearchParams()
  for (const name of names) {
    const value = args[name]
    if (value === undefined || value === null) continue
    if (typeof value === 'object')
      throw new ArgumentError(`The argument ${name} must not be a list or an object.`)
    values.set(name, String(value))
  }
  const text = values.toString()
  return text === '' ? '' : `?${text}`
}

function headersOf(args: JsonObject): Readonly<Record<string, string>> {
  return {
    ...header('if-match', args['if_match']),
    ...header('idempotency-key', args['idempotency_key']),
    ...(args['body'] !== undefined && { prefer: 'errors=fields' }),
  }
}

function header(name: string, value: JsonValue | undefined): Readonly<Record<string, string>> {
  if (value === undefined) return {}
  if (typeof value !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(value))
    throw new ArgumentError(
      `The argument ${name.replaceAll('-', '_')} must be a text of visible ASCII characters.`,
    )
  return { [name]: value }
}

function typeOf({ body }: Tool): Readonly<Record<string, string>> {
  if (body === null) return {}
  return { 'content-type': body === 'json' ? 'application/json' : 'application/octet-stream' }
}

function bodyOf({ name, body }: Tool, args: JsonObject): Buffer | null {
  const value = args['body']
  if (body === null || value === undefined) return null
  if (body === 'json') {
    if (!isJsonObject(value)) throw new ArgumentError(`The argument body of ${name} must be an object.`)
    return Buffer.from(JSON.stringify(value))
  }
  if (typeof value !== 'string') throw new ArgumentError(`The argument body of ${name} must be Base64.`)
  return Buffer.from(value, 'base64')
}

function resultOf(answer: InnerAnswer | null, note: string | null): ToolResult {
  const parts = note === null ? [] : [note]
  const isError = answer !== null && answer.status >= 400
  if (answer !== null) {
    const etag = answer.headers['etag']
    if (typeof etag === 'string') parts.push(`Entity tag: ${etag}`)
    parts.push(
      answer.text.length > MAX_ANSWER
        ? `The answer has ${answer.text.length} characters, which is too many to show. Ask for less: a smaller limit, or without content.`
        : answer.text,
    )
  }
  return {
    content: parts.filter((text) => text !== '').map((text) => ({ type: 'text', text })),
    isError,
  }
}
