import type { Readable } from 'node:stream'
import type { ObjectHeaders } from '../domain/artifact.ts'

/**
 * Where published objects live. `test/contract/storage-contract.ts` is the executable form of
 * these promises; every adapter runs it.
 *
 * Keys use forward slashes and never start with one. A key that `isSafeKey` does not accept, or a
 * prefix no such key starts with, is refused with a RangeError by every method, before anything is
 * touched. Other errors are passed through as the adapter raised them; a `StorageError` says whether
 * the same call may succeed later.
 * A call whose signal is aborted before it begins does nothing and rejects with the signal's reason.
 * One that is aborted while it runs, or that failed in any way, may have been done or not; where
 * there is a network it rejects soon, and a write that was on its way may still arrive.
 * An object's headers are those of `objectHeaders(key)`.
 *
 * Do not count on both `a` and `a/b`: a folder holds one of them and refuses the other.
 */
export interface Storage {
  /** Create or replace one object. Readers see the old or the new body, never a part of one; durable when it resolves. */
  put(object: StoredObject, options?: CallOptions): Promise<void>
  /** The whole body, or null if there is no object. */
  get(key: string, options?: CallOptions): Promise<Uint8Array | null>
  /**
   * An object to be streamed, or null if there is none. What is read stays one version, even while it
   * is replaced. The signal ends the opening, not the reading.
   */
  open(key: string, options?: CallOptions): Promise<OpenObject | null>
  /** Remove objects. Keys without one are ignored; durable when it resolves. */
  delete(keys: readonly string[], options?: CallOptions): Promise<void>
  /** Every key that starts with `prefix` (empty: all), sorted by UTF-16 code unit. */
  list(prefix: string, options?: CallOptions): Promise<string[]>
  /** Resolves when the store can be read and written; rejects with a reason an operator understands. */
  check(options?: CallOptions): Promise<void>
}

/** A store whose objects are files of this machine. */
export interface FolderStorage extends Storage {
  /**
   * As `put`, of a body that lies in a file already, which is then gone: it is moved where that will do.
   */
  moveInto(key: string, file: string): Promise<void>
  /**
   * As `moveInto` of each file of a folder, in which they lie as their keys say. Where nothing lies in the place of
   * a folder in it, that one is moved with all that it holds.
   *
   * @param keys of all files in the folder.
   */
  moveAllInto(keys: readonly string[], folder: string): Promise<void>
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
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

/** A store that did not do what it was asked; the message is one line for an operator. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  /** True when the same call may succeed later: the store was busy, broken or out of reach. */
  readonly transient: boolean

  constructor(message: string, options: { readonly transient: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause })
    this.transient = options.transient
  }
}
