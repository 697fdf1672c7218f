import { setImmediate } from 'node:timers/promises'
import type { Context } from 'koa'
import { ServiceError } from '../domain/errors.ts'
import { fieldFailure, MAX_REPORTED } from '../domain/field-errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { fieldsWithNul, nulError } from '../domain/nul-characters.ts'
import type { ApiState } from './api.ts'
import { changedNumbers } from './changed-numbers.ts'
import { readBody } from './read-body.ts'
import { costOfBytes, costOfValues } from './request-cost.ts'
import { scanJson } from './scan-json.ts'

/** The largest body that an endpoint reads, unless it has a limit of its own. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024
/** A longer body is read in one turn of the event loop, and used in the next one. */
const LARGE = 256 * 1024

/**
 * Reads the JSON object in the body of a request.
 *
 * @param limit in bytes; 5 MiB by default.
 * @throws {ServiceError} `payload_too_large` over the limit or over 100,000 values; `invalid_request` for another
 *   content type, malformed JSON, text that is not UTF-8, more than 32 levels, an object of more than 10,000 fields, a
 *   `__proto__` key, or anything but an object; `validation_error` for numbers that a double cannot hold, and for
 *   U+0000.
 */
export async function readJson(ctx: Context, limit = MAX_BODY_BYTES): Promise<JsonObject> {
  const body = await readOptionalJson(ctx, limit)
  if (body === null) throw new ServiceError('invalid_request', 'The request needs a JSON object as its body.')
  return body
}

/** Like `readJson`, but null for a request without a body. */
export async function readOptionalJson(ctx: Context, limit = MAX_BODY_BYTES): Promise<JsonObject | null> {
  if (!hasBody(ctx)) return null
  const encoding = ctx.get('content-encoding')
  if (encoding !== '' && encoding !== 'identity') {
    throw new ServiceError(
      'invalid_request',
      'Content-Encoding is not supported; send the body uncompressed.',
    )
  }
  const bytes = await readBytes(ctx, limit)
  if (bytes.byteLength === 0) return null
  if (ctx.is('application/json') === false) {
    throw new ServiceError('invalid_request', 'Content-Type must be application/json.')
  }
  const { charge = async () => {}, pace } = ctx.state as ApiState
  await charge(costOfBytes(bytes.byteLength))
  await pace?.(bytes.byteLength)
  const { values, suspects } = scanJson(bytes)
  await charge(costOfValues(values))
  const body = await parseJsonObject(bytes, suspects)
  if (bytes.byteLength > LARGE) await setImmediate()
  return body
}

/** Reports whether the request announces a body. */
export function hasBody(ctx: Context): boolean {
  const announced = ctx.request.length
  return announced === undefined ? ctx.get('transfer-encoding') !== '' : announced > 0
}

/**
 * Reads the raw body; later calls return the same bytes.
 *
 * @throws {ServiceError} `payload_too_large`, `invalid_request` when the body ended early, or `service_unavailable`.
 */
export async function readBytes(ctx: Context, limit = MAX_BODY_BYTES): Promise<Buffer> {
  const read: Promise<Buffer> = ctx.state['bytes'] ?? readOnce(ctx, limit)
  ctx.state['bytes'] = read
  return read
}

async function readOnce(ctx: Context, limit: number): Promise<Buffer> {
  const { held } = ctx.state as ApiState
  const length = ctx.request.length ?? null
  try {
    const body = await readBody(ctx.req, { limit, length, onGrow: held.receiving })
    if (body === 'too large')
      throw new ServiceError('payload_too_large', `The request body is larger than ${shownBytes(limit)}.`)
    if (body === 'too fragmented')
      throw new ServiceError('invalid_request', 'The request body arrives in too many small chunks.')
    if (body === 'ended early') throw new ServiceError('invalid_request', 'The request body ended early.')
    held.received(body.length)
    return body
  } catch (error) {
    // The unread rest of the body would be parsed as the next request.
    if (!ctx.req.complete) ctx.set('Connection', 'close')
    throw error
  }
}

function shownBytes(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 1024} KiB` : `${bytes / 2 ** 20} MiB`
}

/**
 * @param suspects offsets of numbers that a double may not hold.
 * @throws {ServiceError} as `readJson`.
 */
async function parseJsonObject(bytes: Uint8Array, suspects: readonly number[]): Promise<JsonObject> {
  const text = decode(bytes)
  const value = parse(text)
  if (!isJsonObject(value))
    throw new ServiceError('invalid_request', 'The request body must be a JSON object.')
  // Hostile content needs an escape or the key itself, so most bodies skip the traversal.
  if (text.includes('\\u') || text.includes('__proto__')) refuseHostile(value)
  if (text.includes('\\u0000')) refuseNul(value)
  const { first, total } = await changedNumbers(bytes, suspects)
  if (total > 0) throw fieldFailure('validation_error', first, { total })
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ServiceError('invalid_request', 'The request body is not valid UTF-8.', { cause })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ServiceError('invalid_request', 'The request body is not valid JSON.', { cause })
  }
}

function refuseHostile(value: JsonValue): void {
  if (typeof value === 'string') refuseLoneSurrogate(value)
  else if (Array.isArray(value)) value.forEach(refuseHostile)
  else if (isJsonObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (key === '__proto__') throw new ServiceError('invalid_request', 'The key __proto__ is not allowed.')
      refuseLoneSurrogate(key)
      refuseHostile(inner)
    }
  }
}

/** In JSON, U+0000 is always written as an escape. */
function refuseNul(value: JsonValue): void {
  const fields = fieldsWithNul(value)
  if (fields.length === 0) return
  throw fieldFailure('validation_error', fields.slice(0, MAX_REPORTED).map(nulError), {
    total: fields.length,
  })
}

function refuseLoneSurrogate(text: string): void {
  if (!text.isWellFormed()) {
    throw new ServiceError(
      'invalid_request',
      'The request body contains a lone surrogate, which is not a valid character.',
    )
  }
}
