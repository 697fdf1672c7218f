import type { Context } from 'koa'
import { ServiceError } from '../../domain/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'

/*
 * The Model Context Protocol over Streamable HTTP, without sessions and streams: each message is answered by itself, so
 * that any process can answer it.
 */

/**
 * Versions of the protocol, the newest first. They do not differ in what is used here. Version 2025-03-26 is not among
 * them: its servers must take batches of messages, which later versions no longer have.
 */
const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18'] as const

/** What a server of tools answers. */
export interface ToolServer {
  /** `serverInfo` and `instructions` of the answer to `initialize`. */
  initialize(): JsonObject
  /** The tools as `tools/list` answers them. */
  listTools(): readonly JsonObject[]
  /** Answers `tools/call` with a whole message: `result` or `errorAnswer`. */
  callTool(id: MessageId, params: JsonObject): Promise<JsonObject>
}

export type MessageId = string | number

/** Answers a message of a client. Null for a notification, which expects no answer. */
export async function answerMessage(message: JsonObject, server: ToolServer): Promise<JsonObject | null> {
  const { id, method, params } = message
  if (message['jsonrpc'] !== '2.0' || typeof method !== 'string')
    return errorAnswer(null, -32_600, 'The message is not a request of JSON-RPC 2.0.')
  if (id === undefined) return null
  if (typeof id !== 'string' && typeof id !== 'number')
    return errorAnswer(null, -32_600, 'The id of a request must be a text or a number.')
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

export function errorAnswer(id: MessageId | null, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', id: id as JsonValue, error: { code, message } }
}

/** @throws {ServiceError} `invalid_request` for a version that the server does not know. */
export function assertVersion(ctx: Context): void {
  const version = ctx.get('mcp-protocol-version')
  if (version !== '' && !PROTOCOL_VERSIONS.some((one) => one === version))
    throw new ServiceError(
      'invalid_request',
      `MCP-Protocol-Version ${JSON.stringify(version.slice(0, 40))} is not known. Known are: ${PROTOCOL_VERSIONS.join(', ')}.`,
    )
}
