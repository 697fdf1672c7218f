import type { Context, Middleware } from 'koa'
import { type ErrorName, ServiceError } from '../../domain/errors.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { readJson } from '../read-json.ts'
import { isMcpPath } from './mcp-path.ts'

/*
 * The Model Context Protocol over Streamable HTTP, without sessions and streams: each message is answered by itself, so
 * that any process can answer it.
 */

/**
 * Versions of the protocol, the newest first. They do not differ in what is used here. Version 2025-03-26 is not among
 * them: its servers must take batches of messages, which later versions no longer have.
 */
const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18'] as const

/** Answers of a server of tools. */
export interface ToolServer {
  /** `serverInfo` and `instructions` of the answer to `initialize`. */
  initialize(): JsonObject
  /** The tools as `tools/list` answers them. */
  listTools(): readonly JsonObject[]
  /** Answers `tools/call` with a whole message: `result` or `errorAnswer`. */
  callTool(id: MessageId, params: JsonObject): Promise<JsonObject>
}

export type MessageId = string | number

/**
 * Answers the message in the body of a request. A notification, and a response that an older client posts, is 202
 * without a body.
 *
 * @param limit of the body, in bytes.
 */
export async function answerMessage(ctx: Context, server: ToolServer, limit?: number): Promise<void> {
  const answer = refusedVersion(ctx) ?? (await answerBody(ctx, server, limit))
  if (answer === null) {
    // Koa writes the name of a status as its body unless the body is null, which would be 204.
    ctx.body = null
    ctx.status = 202
  } else {
    const { error } = answer
    if (isJsonObject(error) && MALFORMED.has(Number(error['code']))) ctx.status = 400
    ctx.body = answer
  }
}

const NOT_JSON = -32_700
const NO_REQUEST = -32_600
const UNKNOWN_VERSION = -32_022
/** Errors of the message itself, which are 400. */
const MALFORMED: ReadonlySet<number> = new Set([NOT_JSON, NO_REQUEST, UNKNOWN_VERSION])

async function answerBody(
  ctx: Context,
  server: ToolServer,
  limit: number | undefined,
): Promise<JsonObject | null> {
  try {
    return await answerTo(await readJson(ctx, limit), server)
  } catch (error) {
    if (!(error instanceof ServiceError) || !OF_THE_BODY.has(error.name)) throw error
    // The cause is that of the decoder or of the parser.
    return errorAnswer(null, error.cause === undefined ? NO_REQUEST : NOT_JSON, error.message)
  }
}

const OF_THE_BODY: ReadonlySet<ErrorName> = new Set(['invalid_request', 'validation_error'])

async function answerTo(message: JsonObject, server: ToolServer): Promise<JsonObject | null> {
  const { id, method, params } = message
  if (message['jsonrpc'] !== '2.0')
    return errorAnswer(null, NO_REQUEST, 'The message is not of JSON-RPC 2.0.')
  if (method === undefined && isResponse(message)) return null
  if (typeof method !== 'string') return errorAnswer(null, NO_REQUEST, 'The message has no method.')
  if (id === undefined) return null
  if (typeof id !== 'string' && typeof id !== 'number')
    return errorAnswer(null, NO_REQUEST, 'The id of a request must be a text or a number.')
  const given = isJsonObject(params) ? params : {}
  switch (method) {
    case 'initialize': {
      const version = PROTOCOL_VERSIONS.find((one) => one === given['protocolVersion'])
      return result(id, {
        protocolVersion: version ?? PROTOCOL_VERSIONS[0],
        capabilities: { tools: {} },
        ...server.initialize(),
      })
    }
    case 'ping':
      return result(id, {})
    case 'tools/list':
      return result(id, { tools: server.listTools() })
    case 'tools/call':
      return server.callTool(id, given)
    default:
      return errorAnswer(id, -32_601, `The server has no method ${JSON.stringify(method.slice(0, 100))}.`)
  }
}

/** Refuses a request for a stream, or for the end of a session. */
export function refuseStream(ctx: Context): void {
  ctx.set('Allow', 'POST')
  ctx.status = 405
  ctx.body = errorAnswer(
    null,
    -32_000,
    'Send messages with POST. The server opens no stream and has no sessions.',
  )
}

export function result(id: MessageId, value: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result: value }
}

/** @param id of the request; null, which leaves it out, where none could be read. */
export function errorAnswer(
  id: MessageId | null,
  code: number,
  message: string,
  data?: JsonObject,
): JsonObject {
  return { jsonrpc: '2.0', ...(id !== null && { id }), error: { code, message, ...(data && { data }) } }
}

/** The error for a version that the server does not know; null for a known one, and for none. */
function refusedVersion(ctx: Context): JsonObject | null {
  const version = ctx.get('mcp-protocol-version')
  if (version === '' || PROTOCOL_VERSIONS.some((one) => one === version)) return null
  const requested = version.slice(0, 40)
  const supported = [...PROTOCOL_VERSIONS]
  return errorAnswer(
    null,
    UNKNOWN_VERSION,
    `MCP-Protocol-Version ${JSON.stringify(requested)} is not known. Known are: ${supported.join(', ')}.`,
    { supported, requested },
  )
}

function isResponse(message: JsonObject): boolean {
  return message['id'] !== undefined && (message['result'] !== undefined || message['error'] !== undefined)
}

/**
 * Writes errors of the service, such as those of keys and limits, as messages of the protocol. Their HTTP status stays.
 */
export const errorsAsMessages: Middleware = async (ctx, next) => {
  await next()
  const { body } = ctx
  if (!isMcpPath(ctx.path) || !isErrorBody(body)) return
  const { statusCode, name, message, retry_after } = body
  const { status } = ctx
  ctx.body = errorAnswer(null, statusCode === 500 ? -32_603 : -32_000, message, {
    statusCode,
    name,
    ...(retry_after !== undefined && { retry_after }),
  })
  ctx.status = status
}

interface ErrorBody {
  readonly statusCode: number
  readonly name: string
  readonly message: string
  readonly retry_after?: number
}

function isErrorBody(body: unknown): body is ErrorBody {
  return isJsonObject(body) && typeof body['statusCode'] === 'number' && typeof body['name'] === 'string'
}
