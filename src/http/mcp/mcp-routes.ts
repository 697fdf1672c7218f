import type { RequestListener } from 'node:http'
import Router from '@koa/router'
import type { Context } from 'koa'
import { ServiceError } from '../../domain/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { parseUrl } from '../../domain/parse-url.ts'
import type { ApiState } from '../api.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { readJson } from '../read-json.ts'
import { ArgumentError, callTool } from './tool-call.ts'
import { type Tool, toolsOf } from './tools.ts'

/**
 * Versions of the protocol, the newest first. They do not differ in what is used here. Version 2025-03-26 is not among
 * them: its servers must take batches of messages, which later versions no longer have.
 */
const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18'] as const

export interface McpRoutePorts {
  readonly document: () => OpenApiDocument
  /** The HTTP application, which answers the requests behind the tools. */
  readonly handle: RequestListener
}

/**
 * `POST /mcp`: the operations of the API as tools of the Model Context Protocol (Streamable HTTP), for the key of the
 * request. Each message is answered by itself, without a session and without a stream, so that any process can answer it.
 */
export function mcpRoutes({ document, handle }: McpRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>()
  let known: ReadonlyMap<string, Tool> | null = null
  const tools = () => {
    known ??= new Map(toolsOf(document()).map((tool) => [tool.name, tool]))
    return known
  }

  router.post('/mcp', async (ctx) => {
    assertOrigin(ctx, document)
    assertVersion(ctx)
    const message = await readJson(ctx)
    const answer = await answerTo(message, ctx)
    if (answer === null) ctx.status = 202
    else ctx.body = answer
  })
  // There is no stream to open and no session to end.
  router.all('/mcp', (ctx) => {
    ctx.set('Allow', 'POST')
    ctx.status = 405
    ctx.body = errorAnswer(
      null,
      -32_000,
      'Send messages with POST. The server opens no stream and has no sessions.',
    )
  })
  return router

  async function answerTo(message: JsonObject, ctx: Context): Promise<JsonObject | null> {
    const { id, method, params } = message
    if (message['jsonrpc'] !== '2.0' || typeof method !== 'string')
      return errorAnswer(null, -32_600, 'The message is not a request of JSON-RPC 2.0.')
    // A notification expects no answer.
    if (id === undefined) return null
    if (typeof id !== 'string' && typeof id !== 'number')
      return errorAnswer(null, -32_600, 'The id of a request must be a text or a number.')
    const given = isJsonObject(params) ? params : {}
    switch (method) {
      case 'initialize':
        return result(id, initialized(given))
      case 'ping':
        return result(id, {})
      case 'tools/list':
        return result(id, { tools: [...tools().values()].filter((tool) => mayCall(tool, ctx)).map(listed) })
      case 'tools/call':
        return toolAnswer(id, given, ctx)
      default:
        return errorAnswer(id, -32_601, `The server has no method ${JSON.stringify(method.slice(0, 100))}.`)
    }
  }

  async function toolAnswer(id: string | number, params: JsonObject, ctx: Context): Promise<JsonObject> {
    const { name, arguments: args = {} } = params
    const tool = typeof name === 'string' ? tools().get(name) : undefined
    if (tool === undefined)
      return errorAnswer(id, -32_602, `There is no tool ${JSON.stringify(name ?? null).slice(0, 100)}.`)
    if (!isJsonObject(args)) return errorAnswer(id, -32_602, 'The arguments must be an object.')
    try {
      return result(id, { ...(await callTool(tool, args, ctx.req, handle)) })
    } catch (error) {
      if (!(error instanceof ArgumentError)) throw error
      return result(id, { content: [{ type: 'text', text: error.message }], isError: true })
    }
  }

  function initialized({ protocolVersion }: JsonObject): JsonObject {
    const version = PROTOCOL_VERSIONS.find((one) => one === protocolVersion) ?? PROTOCOL_VERSIONS[0]
    const { info } = document()
    return {
      protocolVersion: version,
      capabilities: { tools: {} },
      serverInfo: { name: 'quoin', title: info.title, version: info.version },
      instructions: INSTRUCTIONS,
    }
  }
}

const INSTRUCTIONS = [
  'Quoin publishes websites. A project has pages; a page is a draft until it is published.',
  'Usual order: listProjects, createPage or updatePage, createPreview to look at it, publishPage (a dry run first), then publishPage with confirm: true.',
  'listReleases and rollBackPage bring an earlier version back. Calls that change what visitors see, or delete something, do nothing without confirm: true.',
].join(' ')

function listed({ name, title, description, inputSchema, method, guard }: Tool): JsonObject {
  return {
    name,
    title,
    description,
    inputSchema,
    annotations: {
      title,
      readOnlyHint: method === 'get',
      destructiveHint: guard === 'confirm',
      idempotentHint: method !== 'post',
      openWorldHint: false,
    },
  }
}

function mayCall({ permission }: Tool, ctx: Context): boolean {
  const { caller } = ctx.state as ApiState
  return caller.permissions.includes(permission)
}

function result(id: string | number, value: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result: value }
}

function errorAnswer(id: string | number | null, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', id: id as JsonValue, error: { code, message } }
}

/**
 * A page in a browser may only be one of the service's own. Otherwise any page could reach a server on its visitor's
 * machine, under a name that it made lead there (DNS rebinding).
 *
 * @throws {ServiceError} `forbidden`.
 */
function assertOrigin(ctx: Context, document: () => OpenApiDocument): void {
  const origin = ctx.get('origin')
  if (origin === '') return
  const [{ url }] = document().servers
  if (parseUrl(url)?.origin !== origin)
    throw new ServiceError('forbidden', 'Pages of other origins may not call /mcp from a browser.')
}

/** @throws {ServiceError} `invalid_request` for a version that the server does not know. */
function assertVersion(ctx: Context): void {
  const version = ctx.get('mcp-protocol-version')
  if (version !== '' && !PROTOCOL_VERSIONS.some((one) => one === version))
    throw new ServiceError(
      'invalid_request',
      `MCP-Protocol-Version ${JSON.stringify(version.slice(0, 40))} is not known. Known are: ${PROTOCOL_VERSIONS.join(', ')}.`,
    )
}
