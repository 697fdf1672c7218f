import type { RequestListener } from 'node:http'
import Router from '@koa/router'
import type { Context } from 'koa'
import { ServiceError } from '../../domain/errors.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { parseUrl } from '../../domain/parse-url.ts'
import { liftAnswerTime } from '../../platform/answer-time.ts'
import type { ApiState } from '../api.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import type { Operation } from '../openapi/operation.ts'
import { answerMessage, errorAnswer, refuseStream, result } from './protocol.ts'
import { ArgumentError, callTool } from './tool-call.ts'
import { type Tool, toolsOf } from './tools.ts'

export interface McpRoutePorts {
  /** The operations of the current surface. */
  readonly operations: readonly Operation[]
  readonly document: () => OpenApiDocument
  /** The HTTP application, which answers the requests behind the tools. */
  readonly handle: RequestListener
}

/**
 * `POST /mcp`: the operations of the API as tools of the Model Context Protocol (Streamable HTTP), for the key of the
 * request. Each message is answered by itself, without a session and without a stream, so that any process can answer.
 */
export function mcpRoutes({ operations, document, handle }: McpRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>()
  let known: ReadonlyMap<string, Tool> | null = null
  const tools = () => {
    known ??= new Map(toolsOf(operations, document()).map((tool) => [tool.name, tool]))
    return known
  }

  router.post('/mcp', async (ctx) => {
    assertOrigin(ctx, document)
    // The request behind a tool has a limit of its own.
    liftAnswerTime()
    await answerMessage(ctx, {
      initialize: initialized,
      listTools: () => [...tools().values()].filter((tool) => mayCall(tool, ctx)).map(listed),
      callTool: (id, params) => toolAnswer(id, params, ctx),
    })
  })
  // There is no stream to open and no session to end.
  router.all('/mcp', (ctx) => {
    refuseStream(ctx)
  })
  return router

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

  function initialized() {
    const { info } = document()
    return {
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
  return permission === null || caller.permissions.includes(permission)
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
