import Router, { type RouterContext } from '@koa/router'
import type { z } from 'zod'
import type { Caller } from '../domain/caller.ts'
import { prefixed } from '../domain/ids.ts'
import type { Job } from '../domain/job.ts'
import type { JsonObject } from '../domain/json.ts'
import { ReleaseContinues } from '../services/publishing/await-release.ts'
import { type ApiState, type NextCursor, param, queryOf, type Representation } from './api.ts'
import { type CursorPorts, readWalk, type Walk } from './list-walk.ts'
import { assertMatch } from './middleware/entity-tags.ts'
import type { Operation } from './openapi/operation.ts'
import { parseQuery } from './parse.ts'
import { readJson, readOptionalJson } from './read-json.ts'

/** A request, with its parts as the operation describes them. */
export interface ApiRequest<Query = object> {
  readonly caller: Caller
  readonly query: Query
  /** Has no fields when an optional body is absent. */
  readonly body: JsonObject
  /** A path parameter. */
  readonly param: (name: string) => string
  /**
   * Refuses the request when `If-Match` names another version of the record. Call it in the transaction of the change.
   *
   * @throws {ServiceError} `precondition_failed`.
   */
  readonly match: (record: { readonly version: number }) => void
  readonly state: ApiState
  /**
   * The place of the request in a list.
   *
   * @throws {RangeError} for an operation without `cursor` in its query.
   */
  readonly walk: Walk
}

export interface ApiAnswer {
  /** 200 by default. */
  readonly status?: number
  /** An object is sent as JSON. */
  readonly body: object | string
  /** `application/json` by default. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Version of the record in the body. */
  readonly version?: number
  /** True: the body contains a secret and must not be stored. */
  readonly secret?: boolean
  /** The cursor in the body of a list. */
  readonly next?: NextCursor | null
}

/**
 * An endpoint of the API with its description and its code. Its route, its part of the OpenAPI document, the client's
 * method and the tool for agents follow from it.
 */
export interface Endpoint<Ports> extends Operation {
  /** Reads the record that `If-Match` refers to, as its GET answers it. An endpoint without it ignores the header. */
  readonly current?: (request: ApiRequest, ports: Ports) => Promise<Representation>
  /** Answers for a release that continues after its request. An endpoint without it starts no awaited release. */
  readonly continued?: (release: ReleaseContinues, request: ApiRequest, ports: Ports) => Promise<ApiAnswer>
  readonly run: (request: ApiRequest, ports: Ports) => Promise<ApiAnswer>
}

/** An endpoint whose `run` gets the query as its schema gives it. */
type Written<Ports, Query extends z.ZodObject> = Omit<Endpoint<Ports>, 'query' | 'run' | 'guarded'> & {
  readonly query?: Query
  readonly run: (request: ApiRequest<z.output<Query>>, ports: Ports) => Promise<ApiAnswer>
}

/** Returns a function for endpoints with these ports. */
export function endpointsWith<Ports>() {
  return <Query extends z.ZodObject = z.ZodObject>(written: Written<Ports, Query>): Endpoint<Ports> => ({
    ...written,
    guarded: written.current !== undefined,
    // The query was parsed by the schema of this endpoint.
    run: (request, ports) => written.run(request as ApiRequest<z.output<Query>>, ports),
  })
}

/** Returns the routes of the endpoints among these operations. Others have routes of their own, for files. */
export function routesOf<Ports>(
  operations: readonly (Operation | Endpoint<Ports>)[],
  ports: Ports & CursorPorts,
): Router<ApiState> {
  const router = new Router<ApiState>()
  for (const endpoint of operations.filter(isEndpoint)) {
    const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
    router[endpoint.method](path, (ctx) => handle(endpoint, ctx, ports))
  }
  return router
}

function isEndpoint<Ports>(operation: Operation | Endpoint<Ports>): operation is Endpoint<Ports> {
  return 'run' in operation
}

/** Handles a request. Errors of the body come before errors of the query, and both before errors of the operation. */
async function handle<Ports>(
  endpoint: Endpoint<Ports>,
  ctx: RouterContext<ApiState>,
  ports: Ports & CursorPorts,
): Promise<void> {
  const { run, current, continued } = endpoint
  const body = await bodyOf(endpoint, ctx)
  const { query, walk } = readQuery(endpoint, ctx, ports)
  const request: ApiRequest = {
    caller: ctx.state.caller,
    query,
    get walk() {
      if (walk === null) throw new RangeError(`${endpoint.id} has no cursor.`)
      return walk
    },
    body,
    param: (name) => param(ctx.params, name),
    match: ({ version }) => assertMatch(ctx, version),
    state: ctx.state,
  }
  if (current !== undefined) ctx.state.current = () => current(request, ports)
  try {
    answer(ctx, await run(request, ports))
  } catch (error) {
    if (continued === undefined || !(error instanceof ReleaseContinues)) throw error
    answer(ctx, await continued(error, request, ports))
  }
}

function readQuery(
  { query: schema }: Operation,
  ctx: RouterContext<ApiState>,
  cursors: CursorPorts,
): { readonly query: object; readonly walk: Walk | null } {
  if (schema === undefined) return { query: {}, walk: null }
  if (!('cursor' in schema.shape)) return { query: parseQuery(schema, queryOf(ctx)), walk: null }
  return readWalk(schema, queryOf(ctx), ctx.state.caller, ctx.path, cursors)
}

async function bodyOf({ body }: Operation, ctx: RouterContext<ApiState>): Promise<JsonObject> {
  if (body === undefined) return {}
  return body.required ? readJson(ctx) : ((await readOptionalJson(ctx)) ?? {})
}

function answer(ctx: RouterContext<ApiState>, given: ApiAnswer): void {
  const { status = 200, body, type, headers = {}, version, secret = false, next = null } = given
  ctx.status = status
  ctx.set(headers)
  if (version !== undefined) ctx.state.version = version
  if (secret) ctx.state.secret = true
  if (next !== null) ctx.state.next = next
  if (type !== undefined) ctx.type = type
  ctx.body = body
}

/** The answer of most endpoints: one record. */
export function record(data: object, rest: Omit<ApiAnswer, 'body' | 'type'> = {}): ApiAnswer {
  return { ...rest, body: { data } }
}

/** Returns a 202 for work that continues as a job. `Location` names the job. */
export function accepted({ id }: Job, body: object): ApiAnswer {
  return { status: 202, headers: { Location: `/jobs/${prefixed('job', id)}` }, body }
}

/** The description of the 202 of endpoints with `continued`. */
export const CONTINUES =
  'Publishing takes longer than a request may wait, as with large files, a slow store or a locked database: it goes on, and the job of the answer says how it ends. Until then what was live stays live.'
