import type { Readable } from 'node:stream'
import type { ObjectHeaders } from '../domain/artifact.ts'

/**
 * Where published objects live. `test/contract/storage-contract.ts` is the executable form of
 * these promises; every adapter runs it.
 *
 * Keys use forward slashes and never start with one. A key that `isSafeKey` does not accept, or a
 * prefix no such key starts with, is refused with a RangeError by every method, before anything is
 * touched. Other errors are passed through as the adapter raised them.
 * An object's headers are those of `objectHeaders(key)`.
 *
 * Do not count on both `a` and `a/b`: a folder holds one of them and refuses the other.
 */
export interface Storage {
  /** Create or replace one object. Readers see the old or the new body, never a part of one; durable when it resolves. */
  put(object: StoredObject): Promise<void>
  /** The whole body, or null if there is no object. */
  get(key: string): Promise<Uint8Array | null>
  /** An object to be streamed, or null if there is none. What is read stays one version, even while it is replaced. */
  open(key: string): Promise<OpenObject | null>
  /** Remove objects. Keys without one are ignored; durable when it resolves. */
  delete(keys: readonly string[]): Promise<void>
  /** Every key that starts with `prefix` (empty: all), sorted by UTF-16 code unit. */
  list(prefix: string): Promise<string[]>
  /** Resolves when the store can be read and written; rejects with a reason an operator understands. */
  check(): Promise<void>
}

export interface StoredObject {
  readonly key: string
  readonly body: Uint8Array
}

/** Call `stream` or `close`, once: either frees what is held open. */
export interface OpenObject {
  /** In bytes. */
  readonly size: number
  /** A strong entity tag, quoted; differs whenever the body does. */
  readonly etag: string
  readonly headers: ObjectHeaders
  /** The bytes from `start` to `end`, both included; the whole body without a range. */
  stream(range?: { readonly start: number; readonly end: number }): Readable
  close(): Promise<void>
}
