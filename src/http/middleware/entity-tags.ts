import { createHash } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import { ServiceError } from '../../domain/errors.ts'
import type { Representation } from '../api.ts'
import { matchesEtag } from '../matches-etag.ts'

/**
 * Adds an `ETag` to each successful JSON or text answer that may be stored, and answers 304 when the client has it.
 *
 * The tag of a single record starts with the version of the record. `If-Match` compares the version only, because other
 * parts of an answer can change without an edit of the record. When it refuses a request, the answer has the tag that a
 * GET would have now.
 */
export const entityTags: Middleware = async (ctx, next) => {
  try {
    await next()
  } catch (error) {
    const current = ctx.state['current'] as (() => Promise<Representation>) | undefined
    if (error instanceof ServiceError && error.name === 'precondition_failed' && current !== undefined) {
      const { version, body } = await current()
      ctx.set('ETag', tagOf(JSON.stringify(body), version))
    }
    throw error
  }
  if (![200, 201, 202].includes(ctx.status)) return
  const text = textOf(ctx.body)
  if (text === null || ctx.response.get('Cache-Control') === 'no-store') return
  if (typeof ctx.body !== 'string') ctx.type = 'application/json; charset=utf-8'
  ctx.body = text
  const etag = tagOf(text, ctx.state['version'] as number | undefined)
  ctx.set('ETag', etag)
  if ((ctx.method === 'GET' || ctx.method === 'HEAD') && matchesEtag(ctx.get('if-none-match'), etag))
    ctx.status = 304
}

function tagOf(text: string, version: number | undefined): string {
  const hash = createHash('sha1').update(text).digest('base64url')
  return `"${version === undefined ? '' : `${version}-`}${hash}"`
}

/**
 * Refuses a write that is based on another version of the record.
 *
 * Call it inside the transaction of the write.
 *
 * @throws {ServiceError} `precondition_failed` when `If-Match` names another version.
 */
export function assertMatch(ctx: Context, version: number): void {
  const given = ctx.get('if-match').trim()
  if (given === '' || given === '*') return
  const versions = [...given.matchAll(/"(\d+)-[^"]*"/g)].map(([, digits]) => Number(digits))
  if (versions.includes(version)) return
  throw new ServiceError(
    'precondition_failed',
    'The record has changed since you read it. Read it again, then repeat your change.',
  )
}

/** The text of the body, plain objects as JSON; null for bytes, a stream or no body. */
function textOf(body: unknown): string | null {
  if (typeof body === 'string') return body
  const plain = typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype
  return plain ? JSON.stringify(body) : null
}
