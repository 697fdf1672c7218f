import { type ErrorName, messageOf, ServiceError } from '../domain/errors.ts'
import type { LivePage } from '../domain/live-page.ts'
import type { Settings } from '../domain/settings.ts'

/** What a renderer's child process is asked: one method of the port, with its arguments. */
export interface RenderRequest {
  readonly call: RenderCall
  readonly args: readonly unknown[]
}

/** The calls whose cost a tenant decides. */
export type RenderCall = 'renderPage' | 'preview' | 'feedEntry' | 'cssFault'

/** What a thread beside this one is asked of a page. */
export interface ThreadRequest {
  readonly call: ThreadCall
  readonly live: Omit<LivePage, 'settings'>
  /** Null where they are those of the page before: all pages of a folder have the same, which may be long. */
  readonly settings: Settings | null
}

export type ThreadCall = 'renderPage' | 'feedEntry'

export type RenderReply =
  /** Its first words: the digest of each theme it loaded, by name. */
  | { readonly ready: ReadonlyMap<string, string> }
  | { readonly value: unknown }
  /** A `ServiceError`: the page's own fault. */
  | { readonly refused: { readonly name: ErrorName; readonly message: string } }
  /** Anything else that was thrown: a bug, with its stack. */
  | { readonly broken: string }

/** What is answered: what the work came to, or why it did not. */
export async function replyOf(work: () => Promise<unknown>): Promise<RenderReply> {
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
export function outcomeOf(reply: RenderReply): unknown {
  if ('value' in reply) return reply.value
  if ('refused' in reply) throw new ServiceError(reply.refused.name, reply.refused.message)
  throw new Error('broken' in reply ? `A renderer failed: ${reply.broken}` : 'A renderer began anew.')
}
