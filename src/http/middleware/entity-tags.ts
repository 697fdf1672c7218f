import { createHash, webcrypto } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import { ServiceError } from '../../domain/errors.ts'
import { paidFor } from '../../platform/processor-time.ts'
import type { ApiState, NextCursor, Representation } from '../api.ts'
import { matchesEtag } from '../matches-etag.ts'

/** Characters of an answer whose tag is calculated outside of the main thread. */
const LARGE = 256 * 1024

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
  const { pace, held, version, next: following } = ctx.state as Partial<ApiState>
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
  if (isRead && typeof ctx.body !== 'string') await pace?.(held?.working() ?? 0)
  const text = paidFor(() => textOf(ctx.body))
  if (text === null || ctx.response.get('Cache-Control') === 'no-store') return
  if (typeof ctx.body !== 'string') ctx.type = 'application/json; charset=utf-8'
  // Answers to other methods are short, and may be stored as text for an `Idempotency-Key`.
  const isLarge = isRead && text.length > LARGE
  const sent = isLarge ? Buffer.from(text) : text
  ctx.body = sent
  const tagged = following === undefined ? sent : withoutCursor(text, following, isLarge)
  const etag = typeof tagged === 'string' ? tagOf(tagged, version) : await tagOfBytes(tagged, version)
  ctx.set('ETag', etag)
  if (isRead && matchesEtag(ctx.get('if-none-match'), etag)) ctx.status = 304
}

function tagOf(text: string, version: number | undefined): string {
  return tagWith(createHash('sha1').update(text).digest(), version)
}

/** Hashes in another thread. */
async function tagOfBytes(bytes: Uint8Array, version: number | undefined): Promise<string> {
  return tagWith(Buffer.from(await webcrypto.subtle.digest('SHA-1', bytes)), version)
}

function tagWith(hash: Buffer, version: number | undefined): string {
  return `"${version === undefined ? '' : `${version}-`}${hash.toString('base64url')}"`
}

/** A client may use the cursor of an equal answer of the same day. */
function withoutCursor(text: string, { cursor, day }: NextCursor, isLarge: boolean): string | Buffer {
  const compared = text.replace(cursor, day)
  return isLarge ? Buffer.from(compared) : compared
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
