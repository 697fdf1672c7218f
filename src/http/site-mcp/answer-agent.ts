import type { Context } from 'koa'
import pLimit from 'p-limit'
import type { Database } from '../../db/repositories.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { type PublicAddresses, siteOrigin } from '../../domain/project.ts'
import type { Storage } from '../../storage/storage.ts'
import type { ApiState } from '../api.ts'
import { answerMessage, errorAnswer, type MessageId, refuseStream, result } from '../mcp/protocol.ts'
import { StoreFailed } from '../public/store-failed.ts'
import { openSite } from './site-files.ts'
import type { ToolSite } from './site-tool.ts'
import { SITE_TOOLS } from './site-tools.ts'
import { ToolError } from './tool-error.ts'

/** A message names a tool and a query. */
const MAX_BYTES = 64 * 1024
/** Concurrent reads of the store by calls, and the maximum of waiting calls, of one process. */
const CONCURRENCY = 4
const MAX_PENDING = 64
const RETRY_SECONDS = 5

export interface AgentPorts {
  readonly db: Pick<Database, 'read'>
  readonly storage: Pick<Storage, 'open'>
  readonly addresses: PublicAddresses
  readonly log: { error(fields: Readonly<Record<string, unknown>>, message: string): void }
}

/**
 * Answers a request of an agent for the published site of a project. False, without an answer, when the project does
 * not let agents read its site, or when the request is one of a browser.
 */
export type AnswerAgent = (
  ctx: Context,
  site: { readonly projectId: ProjectId; readonly sitePath: string },
) => Promise<boolean>

/**
 * Creates `/mcp` of a published site: tools to search and read it. They need no key, because its content is public. A
 * page may have the same address: it is requested with GET, and an agent asks with POST, or for a stream of events.
 */
export function createAnswerAgent({ db, storage, addresses, log }: AgentPorts): AnswerAgent {
  const slot = pLimit(CONCURRENCY)

  return async (ctx, { projectId, sitePath }) => {
    if (sitePath !== '/mcp' || !isOfAgent(ctx)) return false
    const found = await db.read.projects.agentSite(projectId)
    if (found === null) return false
    ctx.set('Cache-Control', 'no-store')
    if (ctx.method !== 'POST') {
      refuseStream(ctx)
      return true
    }
    const { project, settings } = found
    const site = {
      name: settings.siteName ?? project.name,
      settings,
      origin: siteOrigin(project, addresses),
      files: openSite(projectId, { storage, redirectAt: db.read.redirects.publicAt }),
    }
    await answer(ctx, site)
    return true
  }

  async function answer(ctx: Context, site: ToolSite & { readonly name: string }): Promise<void> {
    try {
      const server = {
        initialize: () => initialized(site.name),
        listTools: () =>
          SITE_TOOLS.map(({ name, title, description, inputSchema }) => {
            const annotations = { title, readOnlyHint: true, openWorldHint: false }
            return { name, title, description, inputSchema, annotations }
          }),
        callTool: (id: MessageId, params: JsonObject) => callTool(ctx, id, params, site),
      }
      await answerMessage(ctx, server, MAX_BYTES)
    } catch (error) {
      if (!(error instanceof StoreFailed)) throw error
      const fields = { err: error.cause, request_id: ctx.state['requestId'], path: ctx.path }
      log.error(fields, 'The store failed; an agent got 503.')
      unavailable(ctx, null)
    }
  }

  async function callTool(
    ctx: Context,
    id: MessageId,
    { name, arguments: given = {} }: JsonObject,
    site: ToolSite,
  ): Promise<JsonObject> {
    const tool = SITE_TOOLS.find((one) => one.name === name)
    if (tool === undefined)
      return errorAnswer(id, -32_602, `There is no tool ${JSON.stringify(name ?? null).slice(0, 100)}.`)
    if (!isJsonObject(given)) return errorAnswer(id, -32_602, 'The arguments must be an object.')
    if (slot.pendingCount >= MAX_PENDING) return unavailable(ctx, id)
    await (ctx.state as ApiState).charge?.(tool.cost)
    try {
      const text = await slot(() => tool.call(given, site))
      return result(id, { content: [{ type: 'text', text }], isError: false })
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      return result(id, { content: [{ type: 'text', text: error.message }], isError: true })
    }
  }
}

/** Reports whether the request is one of the protocol. Browsers ask for pages, never for a stream of events alone. */
function isOfAgent(ctx: Context): boolean {
  if (ctx.method === 'POST' || ctx.method === 'DELETE') return true
  return ctx.method === 'GET' && ctx.get('accept').trim() === 'text/event-stream'
}

function initialized(name: string): JsonObject {
  return {
    serverInfo: { name: 'quoin-site', title: name, version: '1' },
    instructions: `Reads the published site ${JSON.stringify(name)}. Search for a question's own words, then read the pages that fit; list_pages shows all of them in order. Nothing can be changed.`,
  }
}

function unavailable(ctx: Context, id: MessageId | null): JsonObject {
  ctx.status = 503
  ctx.set('Retry-After', String(RETRY_SECONDS))
  const body = errorAnswer(id, -32_000, 'The site cannot be read at the moment. Try again in a few seconds.')
  ctx.body = body
  return body
}
