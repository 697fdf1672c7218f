/* Messages between `node-sqlite.ts` and its thread. */

export interface ThreadOptions {
  readonly file: string
  readonly mode: 'create' | 'existing'
}

export type Command =
  | { readonly kind: 'exec'; readonly sql: string }
  | { readonly kind: 'prepare'; readonly statement: number; readonly sql: string }
  | { readonly kind: 'all' | 'run'; readonly statement: number; readonly values: readonly unknown[] }
  | { readonly kind: 'finalize'; readonly statement: number }
  | { readonly kind: 'copy'; readonly to: string }
  | { readonly kind: 'close' }

/** Replies carry the id of their request. The thread's first message, about opening the file, has the id 0. */
export interface Request {
  readonly id: number
  readonly command: Command
}

export interface Reply {
  readonly id: number
  readonly error: ThreadError | null
  readonly rows?: readonly unknown[]
  readonly lastID?: number
  readonly changes?: number
}

export interface ThreadError {
  readonly message: string
  /** SQLite's result code, with extended ones reduced to their primary one; null if the error is not SQLite's. */
  readonly errno: number | null
}
