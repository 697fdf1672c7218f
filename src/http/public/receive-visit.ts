import type { Context } from 'koa'
import { z } from 'zod'
import { ServiceError } from '../../domain/errors.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { isAgent, isReading, searchedTerm, type Visitor, visitedPath } from '../../domain/visits.ts'
import { parseBody } from '../parse.ts'
import { readBody } from '../read-body.ts'

/** Counts visits. Both methods return at once. */
export interface CountedVisits {
  read(projectId: ProjectId, path: string, visitor: Visitor): void
  searched(projectId: ProjectId, term: string): void
}

/** A path or a term, as JSON. */
const MAX_BYTES = 4 * 1024

const Visit = z.strictObject({
  path: z.string().max(2_000).optional(),
  search: z.string().max(200).optional(),
})

/**
 * Counts a report from the script of a page: a view of the page, or a search in it without a result. Browsers send it
 * as plain text. Agents that run scripts were counted when they read the page.
 *
 * @throws {ServiceError} `payload_too_large`, `invalid_request` or `validation_error`.
 */
export async function receiveVisit(ctx: Context, projectId: ProjectId, visits: CountedVisits): Promise<void> {
  const { path, search } = parseBody(Visit, await readReport(ctx), {
    also: (body) =>
      (body['path'] === undefined) === (body['search'] === undefined)
        ? [{ path: 'path', message: 'either `path` or `search` is required.', code: 'required' }]
        : [],
  })
  ctx.status = 204
  ctx.set('Cache-Control', 'no-store')
  if (isAgent(ctx.get('user-agent'))) return
  const page = path === undefined ? null : visitedPath(path)
  const term = search === undefined ? null : searchedTerm(search)
  if (page !== null) visits.read(projectId, page, 'person')
  if (term !== null) visits.searched(projectId, term)
}

/** Counts an agent that the site answered: with content, or that there is none. Agents run no scripts, as a rule. */
export function countAgent(ctx: Context, { projectId, sitePath, visits }: AgentRequest): void {
  if (ctx.method !== 'GET') return
  const hasRead = (ctx.status === 200 || ctx.status === 304) && isReading(sitePath)
  if (!hasRead && ctx.status !== 404) return
  const isKnown = isAgent(ctx.get('user-agent'))
  // Browsers never prefer Markdown.
  if (!isKnown && ctx.accepts('text/html', 'text/markdown') !== 'text/markdown') return
  const page = visitedPath(sitePath)
  if (page !== null) visits.read(projectId, page, 'agent')
}

interface AgentRequest {
  readonly projectId: ProjectId
  readonly sitePath: string
  readonly visits: CountedVisits
}

async function readReport(ctx: Context): Promise<JsonObject> {
  const length = ctx.request.length ?? null
  const body = await readBody(ctx.req, { limit: MAX_BYTES, length, onGrow() {} })
  if (typeof body === 'string') {
    // The unread rest of the body would be parsed as the next request.
    ctx.set('Connection', 'close')
    throw body === 'too large'
      ? new ServiceError('payload_too_large', 'The request body is larger than 4 KiB.')
      : new ServiceError('invalid_request', 'The request body ended early, or arrives in too small chunks.')
  }
  const report = parseJson(body.toString())
  if (!isJsonObject(report))
    throw new ServiceError('invalid_request', 'The request body must be a JSON object.')
  return report
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ServiceError('invalid_request', 'The request body is not valid JSON.', { cause })
  }
}
