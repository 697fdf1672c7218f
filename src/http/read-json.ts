import type { Context } from 'koa'
import { ServiceError } from '../domain/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import type { ApiState } from './api.ts'
import { readBody } from './read-body.ts'

const MAX_BYTES = 5 * 1024 * 1024
const MAX_DEPTH = 32

/**
 * Reads the JSON object in the body of a request.
 *
 * @throws {ServiceError} `payload_too_large` over 5 MiB; `invalid_request` for another content type, malformed
 *   JSON, text that is not UTF-8, more than 32 levels, a `__proto__` key, or anything but an object.
 */
export async function readJson(ctx: Context): Promise<JsonObject> {
  const body = await readOptionalJson(ctx)
  if (body === null) throw new ServiceError('invalid_request', 'The request needs a JSON object as its body.')
  return body
}

/** Like `readJson`, but null for a request without a body. */
export async function readOptionalJson(ctx: Context): Promise<JsonObject | null> {
  if (!hasBody(ctx)) return null
  const encoding = ctx.get('content-encoding')
  if (encoding !== '' && encoding !== 'identity') {
    throw new ServiceError(
      'invalid_request',
      'Content-Encoding is not supported; send the body uncompressed.',
    )
  }
  const bytes = await readBytes(ctx)
  if (bytes.byteLength === 0) return null
  if (ctx.is('application/json') === false) {
    throw new ServiceError('invalid_request', 'Content-Type must be application/json.')
  }
  return parseJsonObject(bytes)
}

/** Whether the request announces a body. */
export function hasBody(ctx: Context): boolean {
  const announced = ctx.request.length
  return announced === undefined ? ctx.get('transfer-encoding') !== '' : announced > 0
}

/**
 * Reads the raw body; later calls return the same bytes.
 *
 * @throws {ServiceError} `payload_too_large`, `invalid_request` when the body ended early, or `service_unavailable`.
 */
export async function readBytes(ctx: Context): Promise<Buffer> {
  const read: Promise<Buffer> = ctx.state['bytes'] ?? readOnce(ctx)
  ctx.state['bytes'] = read
  return read
}

async function readOnce(ctx: Context): Promise<Buffer> {
  const { held } = ctx.state as ApiState
  const length = ctx.request.length ?? null
  try {
    const body = await readBody(ctx.req, { limit: MAX_BYTES, length, onGrow: held.receiving })
    if (body === 'too large')
      throw new ServiceError('payload_too_large', 'The request body is larger than 5 MiB.')
    if (body === 'ended early') throw new ServiceError('invalid_request', 'The request body ended early.')
    held.received(body.length)
    return body
  } catch (error) {
    // The unread rest of the body would be parsed as the next request.
    if (!ctx.req.complete) ctx.set('Connection', 'close')
    throw error
  }
}

/** @throws {ServiceError} `invalid_request`. */
function parseJsonObject(bytes: Uint8Array): JsonObject {
  const text = decode(bytes)
  if (nestingDepth(text) > MAX_DEPTH) {
    throw new ServiceError('invalid_request', `The request body is nested deeper than ${MAX_DEPTH} levels.`)
  }
  const value = parse(text)
  if (!isJsonObject(value))
    throw new ServiceError('invalid_request', 'The request body must be a JSON object.')
  // Hostile content needs an escape or the key itself, so most bodies skip the traversal.
  if (text.includes('\\u') || text.includes('__proto__')) refuseHostile(value)
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

/** Nesting depth, measured in the text because deep JSON can overflow the stack of a parser. */
function nestingDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i)
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) deepest = Math.max(deepest, ++depth)
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return deepest
}

/** Index of the closing quote of the string that begins at `start`; the text's length when there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

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

function refuseLoneSurrogate(text: string): void {
  if (/\p{Surrogate}/u.test(text)) {
    throw new ServiceError(
      'invalid_request',
      'The request body contains a lone surrogate, which is not a valid character.',
    )
  }
}
