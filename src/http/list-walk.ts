import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Caller } from '../domain/caller.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Listed, Paging, Position, Slice } from '../domain/paging.ts'
import { listMeta, type NextCursor } from './api.ts'
import { listText } from './list-answer.ts'
import { parseQuery } from './parse.ts'

/*
 * A walk over a list: requests that each continue where the one before ended, by a cursor. The main pass follows the sort
 * key and the id. An item that is written meanwhile may move to a place that the walk has passed, so a tail pass follows
 * in lists whose items have `updated_at`: items that were written since the walk began, oldest write first.
 *
 * Nothing is stored: a cursor is sealed, and holds the position and the query.
 */

export interface CursorPorts {
  /** Seals texts for a context, so that the client cannot read or change them. */
  readonly cursorSeal: {
    seal(text: string, context: string): string
    /** Null for a text that was not sealed for this context. */
    open(sealed: string, context: string): string | null
  }
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

/** The place of a request in its walk. */
export interface Walk {
  /** When the walk began, ISO 8601 UTC. */
  readonly beganAt: string
  /** Where the request continues; null for the first request of a walk, and of a tail pass. */
  readonly after: Position | null
  readonly pass: 'first' | 'main' | 'tail'
  /** The cursor for the request after this one. */
  readonly cursorFor: (next: Pick<Walk, 'after' | 'pass'>) => string
  readonly path: string
}

/** A part of a list as an answer. */
export interface WalkedAnswer {
  readonly type: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly next: NextCursor | null
}

const VALID_MS = 7 * 24 * 60 * 60 * 1_000
/** Transactions take a while to commit, and clocks of machines differ. */
const MARGIN_MS = 60_000
const MAX_CURSOR = 1_024
/** A long sort key of rare characters may need more. */
const MAX_GIVEN = 4_096

/** A cursor before it is sealed. */
interface Content {
  readonly until: number
  readonly began: number
  readonly pass: 'main' | 'tail'
  readonly after: Position | null
  /** The parameters of the first request, in the form of a query; or only their digest, when they are long. */
  readonly query: string | { readonly digest: string }
}

/**
 * Reads the query of a list, which a cursor completes.
 *
 * @throws {ServiceError} `invalid_request` for a forged, foreign or old cursor, and for parameters that differ from those of
 *   the first request; otherwise as `parseQuery`.
 */
export function readWalk<Query extends z.ZodObject>(
  schema: Query,
  query: URLSearchParams,
  { userId }: Caller,
  path: string,
  { cursorSeal, now }: CursorPorts,
): { readonly query: z.output<Query>; readonly walk: Walk } {
  const context = `list cursor\0${userId}\0${path}`
  const given = query.get('cursor')
  const content = given === null ? null : opened(given)
  const fixed = content === null ? parametersOf(query) : fixedQuery(content)
  const parsed = parseQuery(schema, withLimit(fixed)) as z.output<Query>
  if (content !== null) assertSame(parsed)
  const beganAt = content === null ? now() : new Date(content.began).toISOString()
  return {
    query: parsed,
    walk: { beganAt, after: content?.after ?? null, pass: content?.pass ?? 'first', cursorFor, path },
  }

  function opened(cursor: string): Content {
    if (query.getAll('cursor').length > 1) throw refused('given more than once.')
    const text = cursor.length > MAX_GIVEN ? null : cursorSeal.open(cursor, context)
    if (text === null) throw refused('is not a cursor of this list.')
    const content: Content = JSON.parse(text)
    if (content.until <= Date.parse(now())) throw refused('has expired. Begin the list again.')
    if (query.has('offset')) throw refused('replaces offset. Leave offset out.')
    return content
  }

  function fixedQuery({ query: fixed }: Content): URLSearchParams {
    if (typeof fixed === 'string') return new URLSearchParams(fixed)
    const own = parametersOf(query)
    if (digestOf(own) !== fixed.digest)
      throw refused('needs the other parameters as in the first request, because they are long.')
    return own
  }

  function withLimit(parameters: URLSearchParams): URLSearchParams {
    const all = new URLSearchParams(parameters)
    for (const limit of query.getAll('limit')) all.append('limit', limit)
    if (content === null) for (const offset of query.getAll('offset')) all.append('offset', offset)
    return all
  }

  /** Parameters may be left out, or repeated as they were. */
  function assertSame(parsed: z.output<Query>): void {
    const repeated = withLimit(fixed)
    const names = Object.keys(schema.shape).filter((name) => query.has(name) && !OWN.has(name))
    for (const name of names) {
      repeated.delete(name)
      for (const value of query.getAll(name)) repeated.append(name, value)
    }
    if (!isDeepStrictEqual(parseQuery(schema, repeated), parsed))
      throw refused(`belongs to a list with other values of ${names.join(', ')}. Leave them out.`)
  }

  function cursorFor({ after, pass }: Pick<Walk, 'after' | 'pass'>): string {
    const content = {
      until: Date.parse(now()) + VALID_MS,
      began: Date.parse(beganAt),
      pass: pass === 'tail' ? 'tail' : 'main',
      after,
    } satisfies Omit<Content, 'query'>
    const sealed = (query: Content['query']) =>
      cursorSeal.seal(JSON.stringify({ ...content, query }), context)
    const whole = sealed(fixed.toString())
    return whole.length <= MAX_CURSOR ? whole : sealed({ digest: digestOf(fixed) })
  }

  /** The parameters that a walk fixes, in one order. */
  function parametersOf(all: URLSearchParams): URLSearchParams {
    const own = [...all].filter(([name]) => name in schema.shape && !OWN.has(name))
    return new URLSearchParams(own.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  }
}

/** Parameters that each request of a walk has of its own. */
const OWN: ReadonlySet<string> = new Set(['cursor', 'limit', 'offset'])

function digestOf(parameters: URLSearchParams): string {
  return createHash('sha256').update(parameters.toString()).digest('base64url')
}

function refused(message: string): ServiceError {
  return new ServiceError('invalid_request', `cursor: ${message}`)
}

/** The part of the list that the request asks for. */
export function sliceOf({ after }: Walk, { limit, offset }: Slice): Slice {
  return { limit, offset, after }
}

/** The same of a list whose items have `updated_at`. Its tail pass is sorted by it. */
export function pagingOf<Sort extends string>(
  walk: Walk,
  { sort, order, limit, offset }: Paging<Sort>,
): Paging<Sort | 'updated_at'> {
  return walk.pass === 'tail'
    ? { sort: 'updated_at', order: 'asc', limit, offset: 0, after: walk.after }
    : { sort, order, limit, offset, after: walk.after }
}

/** Only items that were written after this time; null for all. @param wanted by the client. */
export function changedAfter({ pass, beganAt }: Walk, wanted: string | null = null): string | null {
  if (pass !== 'tail') return wanted
  const began = new Date(Date.parse(beganAt) - MARGIN_MS).toISOString()
  return wanted !== null && wanted > began ? wanted : began
}

/**
 * Answers a part of a list with as many of its items as fit.
 *
 * @param hasTail whether items have `updated_at`, and a tail pass follows.
 */
export function walked<Item>(
  walk: Walk,
  { limit, offset }: Slice,
  { items, total, positions, end }: Listed<Item>,
  present: (item: Item) => object,
  { hasTail = false, meta = {} }: { readonly hasTail?: boolean; readonly meta?: object } = {},
): WalkedAnswer {
  let cursor: string | null = null
  const body = listText(items, present, (shown) => {
    const isFirst = walk.pass === 'first'
    const counted = listMeta({ limit, offset }, shown, total)
    const next = isFirst && !counted.has_more ? null : nextOf(shown)
    cursor = next === null ? null : walk.cursorFor(next)
    const walking = { total: null, limit, offset: null, has_more: next !== null }
    return { ...(isFirst ? counted : walking), next_cursor: cursor, ...meta }
  })
  const target =
    cursor === null ? null : `${walk.path}?${new URLSearchParams({ cursor, limit: String(limit) })}`
  return {
    type: 'application/json; charset=utf-8',
    body,
    headers: target === null ? {} : { Link: `<${target}>; rel="next"` },
    next: cursor === null ? null : { cursor, day: walk.beganAt.slice(0, 10) },
  }

  function nextOf(shown: number): Pick<Walk, 'after' | 'pass'> | null {
    const last = shown < items.length ? (positions[shown - 1] ?? null) : end
    if (last !== null) return { after: last, pass: walk.pass }
    // One request that reads the whole list needs no tail.
    return hasTail && walk.pass === 'main' ? { after: null, pass: 'tail' } : null
  }
}
