import type { ErrorName } from '../domain/errors.ts'

/** What a renderer's child process is asked: one method of the port, with its arguments. */
export interface RenderRequest {
  readonly call: RenderCall
  readonly args: readonly unknown[]
}

/** The calls whose cost a tenant decides. */
export type RenderCall = 'renderPage' | 'preview' | 'feedEntry' | 'cssFault'

export type RenderReply =
  /** Its first words: the digest of each theme it loaded, by name. */
  | { readonly ready: ReadonlyMap<string, string> }
  | { readonly value: unknown }
  /** A `ServiceError`: the page's own fault. */
  | { readonly refused: { readonly name: ErrorName; readonly message: string } }
  /** Anything else that was thrown: a bug, with its stack. */
  | { readonly broken: string }
