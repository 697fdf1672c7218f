import type { Readable } from 'node:stream'
import type { ObjectHeaders } from '../domain/artifact.ts'

/**
 * Stores published objects. `test/contract/storage-contract.ts` is the executable form of these promises; every
 * adapter runs it.
 *
 * Keys use forward slashes and never start with one. Every method refuses an unsafe key (`isSafeKey`) or prefix
 * with a RangeError before it changes anything. Other errors pass through unchanged; a `StorageError` says whether
 * the same call may succeed later.
 * A call whose signal is already aborted does nothing and rejects with the signal's reason. A call that fails or is
 * aborted while it runs may or may not have taken effect. Over a network it rejects soon, and a write that was already
 * sent may still arrive.
 * An object's headers are those of `objectHeaders(key)`, unless another program changed them.
 *
 * Do not store both `a` and `a/b`: a folder refuses the second one.
 */
export interface Storage {
  /** Creates or replaces one object. Readers see the old or the new body, never a part. Durable when it resolves. */
  put(object: StoredObject, options?: CallOptions): Promise<void>
  /** The whole body, or null if there is no object. */
  get(key: string, options?: CallOptions): Promise<Uint8Array | null>
  /**
   * Opens an object for streaming; null if there is none. The stream stays one version while the object is
   * replaced. The signal aborts the opening, not the reading.
   */
  open(key: string, options?: CallOptions): Promise<OpenObject | null>
  /** The stored headers of an object, which another program may have changed; null if there is none. */
  headers(key: string, options?: CallOptions): Promise<ObjectHeaders | null>
  /** Removes objects. Ignores keys without one. Durable when it resolves. */
  delete(keys: readonly string[], options?: CallOptions): Promise<void>
  /** Every key that starts with `prefix` (empty: all), sorted by UTF-16 code unit. */
  list(prefix: string, options?: CallOptions): Promise<string[]>
  /** Resolves if the store can be read and written. Rejects with a message for the operator. */
  check(options?: CallOptions): Promise<void>
}

/** A store whose objects are files on this machine. */
export interface FolderStorage extends Storage {
  /** Stores an existing file as an object. Moves it if possible, else copies it and removes the original. */
  moveInto(key: string, file: string): Promise<void>
  /**
   * Stores all files of a folder, whose paths in it are their keys. Moves whole subfolders whose path is still free.
   *
   * @param keys of all files in the folder.
   */
  moveAllInto(keys: readonly string[], folder: string): Promise<void>
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /**
   * Called when an attempt of a write or delete ended without an answer that tells whether it was done. It may still
   * arrive, also after a later attempt that succeeded, and after writes of others.
   */
  readonly onGivenUp?: (() => void) | undefined
}

export interface StoredObject {
  readonly key: string
  readonly body: Uint8Array | StreamedBody
}

/**
 * A body read while it is stored, so that it is never in memory as a whole. A stream of other bytes than it says is a
 * `StorageError`, and nothing is stored.
 */
export interface StreamedBody {
  /** In bytes. */
  readonly size: number
  /** SHA-256, hex. */
  readonly digest: string
  /** Opens the body at its beginning. Called once for each attempt to store it. */
  open(): Readable
}

export function bodySize(body: StoredObject['body']): number {
  return 'open' in body ? body.size : body.byteLength
}

/** Call either `stream` or `close`, once. Both release the file or connection. */
export interface OpenObject {
  /** In bytes. */
  readonly size: number
  /** A strong entity tag, quoted. Different bodies have different tags. */
  readonly etag: string
  readonly headers: ObjectHeaders
  /** Bytes of the body that are in memory until the object is closed or its stream has ended. */
  readonly bufferedBytes: number
  /** The bytes from `start` to `end` inclusive, or the whole body without a range. */
  stream(range?: { readonly start: number; readonly end: number }): Readable
  close(): Promise<void>
}

/** An operation of a store failed. The message is one line for the operator. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  /** True if the same call may succeed later: the store was busy, broken or unreachable. */
  readonly transient: boolean

  constructor(message: string, options: { readonly transient: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause })
    this.transient = options.transient
  }
}
