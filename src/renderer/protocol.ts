import { deserialize, serialize } from 'node:v8'
import { type Measured, type Reply, unwrapReply as unwrap } from '../platform/reply.ts'
import type { Part } from './message-framing.ts'

/** A call to a child process: a method of the renderer port with its arguments. */
export interface RenderRequest {
  readonly call: RenderCall
  readonly args: readonly unknown[]
}

/** Calls whose cost depends on a tenant's content. */
export type RenderCall =
  | 'renderPage'
  | 'preview'
  | 'feedEntry'
  | 'cssIssue'
  | 'document'
  | 'includedPaths'
  | 'wholeText'
  | 'shownTexts'
  | 'readDocument'

export type RenderReply<Value = unknown> =
  /** The first message: the name and digest of each theme that was loaded. */
  { readonly ready: readonly (readonly [string, string])[] } | (Reply<Value> & Partial<Measured>)

/**
 * Turns a reply back into the result.
 *
 * @throws {ServiceError} if the page was rejected, or an Error with the stack of a bug.
 */
export function unwrapReply<Value>(reply: RenderReply<Value>): Value {
  if ('ready' in reply) throw new Error('A renderer started again unexpectedly.')
  return unwrap(reply, 'renderer')
}

/** The file descriptor for requests and replies in a child process. */
export const CHANNEL = 3

/** The result of a call. */
export interface RenderResult {
  /** Everything but the files, as plain JSON. */
  readonly data: unknown
  readonly files: readonly RenderedFile[]
}

/** A file whose other fields are plain JSON. */
interface RenderedFile {
  readonly key: string
  readonly body: Uint8Array
}

export function encodeRequest(request: RenderRequest): readonly Part[] {
  return [serialize(request)]
}

export function decodeRequest([request]: readonly Uint8Array[]): RenderRequest {
  return deserialize(request as Uint8Array)
}

/** Uses JSON for everything but the bodies: parsing it takes a third of the time of V8's serialization format. */
export function encodeReply(reply: RenderReply<RenderResult>): readonly Part[] {
  if (!('value' in reply)) return [JSON.stringify(reply)]
  const { processorMs } = reply
  const { data, files } = reply.value
  const value = { data, files: files.map(({ body, ...rest }) => rest) } satisfies Record<
    keyof RenderResult,
    unknown
  >
  return [JSON.stringify({ value, processorMs }), ...files.map(({ body }) => body)]
}

export function decodeReply([text, ...bodies]: readonly Buffer[]): RenderReply<RenderResult> {
  const reply = JSON.parse(String(text)) as RenderReply<RenderResult>
  if (!('value' in reply)) return reply
  const { data, files } = reply.value
  return {
    ...reply,
    value: { data, files: files.map((file, index) => ({ ...file, body: bodies[index] as Buffer })) },
  }
}
