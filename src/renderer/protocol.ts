import { deserialize, serialize } from 'node:v8'
import { type ErrorName, messageOf, ServiceError } from '../domain/errors.ts'
import type { Part } from './message-framing.ts'

/** What a renderer's child process is asked: one method of the port, with its arguments. */
export interface RenderRequest {
  readonly call: RenderCall
  readonly args: readonly unknown[]
}

/** The calls whose cost a tenant decides. */
export type RenderCall = 'renderPage' | 'preview' | 'feedEntry' | 'cssIssue'

export type RenderReply<Value = unknown> =
  /** Its first words: the name of each theme it loaded, with its digest. */
  | { readonly ready: readonly (readonly [string, string])[] }
  | { readonly value: Value }
  /** A `ServiceError`: the page's own fault. */
  | { readonly refused: { readonly name: ErrorName; readonly message: string } }
  /** Anything else that was thrown: a bug, with its stack. */
  | { readonly broken: string }

/** What is answered: what the work came to, or why it did not. */
export async function toReply<Value>(work: () => Promise<Value>): Promise<RenderReply<Value>> {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof ServiceError) return { refused: { name: error.name, message: error.message } }
    return { broken: error instanceof Error && error.stack ? error.stack : messageOf(error) }
  }
}

/**
 * @returns what the work came to.
 * @throws {ServiceError} what it refused, or an Error with the stack of what broke.
 */
export function unwrapReply<Value>(reply: RenderReply<Value>): Value {
  if ('value' in reply) return reply.value
  if ('refused' in reply) throw new ServiceError(reply.refused.name, reply.refused.message)
  throw new Error('broken' in reply ? `A renderer failed: ${reply.broken}` : 'A renderer began anew.')
}

/** The file descriptor on which a child process is asked, and answers. */
export const CHANNEL = 3

/** What a child process made. */
export interface RenderResult {
  /** Plain JSON. */
  readonly said: unknown
  readonly files: readonly MadeFile[]
}

/** Plain JSON but for its body. */
interface MadeFile {
  readonly key: string
  readonly body: Uint8Array
}

export function encodeRequest(request: RenderRequest): readonly Part[] {
  return [serialize(request)]
}

export function decodeRequest([request]: readonly Uint8Array[]): RenderRequest {
  return deserialize(request as Uint8Array)
}

/** What is not bytes as JSON, which is read in a third of the time that V8's own format takes. */
export function encodeReply(reply: RenderReply<RenderResult>): readonly Part[] {
  if (!('value' in reply)) return [JSON.stringify(reply)]
  const { said, files } = reply.value
  const value = { said, files: files.map(({ body, ...rest }) => rest) }
  return [JSON.stringify({ value }), ...files.map(({ body }) => body)]
}

export function decodeReply([text, ...bodies]: readonly Buffer[]): RenderReply<RenderResult> {
  const reply = JSON.parse(String(text)) as RenderReply<RenderResult>
  if (!('value' in reply)) return reply
  const { said, files } = reply.value
  return { value: { said, files: files.map((file, index) => ({ ...file, body: bodies[index] as Buffer })) } }
}
