import type { Caller } from '../domain/caller.ts'
import type { ServiceError } from '../domain/errors.ts'
import type { RequestBytes } from './request-bytes.ts'

/** State that the middleware sets for the routes. */
export interface ApiState {
  requestId: string
  /** The address that rate limits count; set when the request is counted. */
  clientAddress: string
  /** The caller of the request, or the error of its key; set when the request is counted. */
  identity?: Caller | ServiceError
  caller: Caller
  /** Counts the request as this many more against its limits; set when the request is counted. */
  charge?: (more: number) => Promise<void>
  /** Counts the memory that the request holds. */
  held: RequestBytes
  /** Waits for the turn of a step that holds the main thread for so many bytes; set for routes that need a key. */
  pace?: (bytes: number) => Promise<void>
  /** Version of the record in the answer; absent for lists. */
  version?: number
  /** Reads the record of a conditional request as a GET would answer it; absent where `If-Match` has no effect. */
  current?: () => Promise<Representation>
  /** Bytes in memory of an object whose stream is the answer. */
  bufferedBytes?: number
  /** The cursor in a list, which differs between equal lists. */
  next?: NextCursor
  /** True: the answer contains a secret and must not be stored. */
  secret?: boolean
}

/** The cursor in a list, and the day on which its walk began. */
export interface NextCursor {
  readonly cursor: string
  readonly day: string
}

/** A record as a GET answers it. */
export interface Representation {
  readonly version: number
  readonly body: object
}

/** A path parameter. @throws {RangeError} when the route's pattern does not have it. */
export function param(params: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = params[name]
  if (value === undefined) throw new RangeError(`The route has no parameter ${name}.`)
  return value
}

/** The query, read from the request line only, so that a malformed `Host` cannot break it. */
export function queryOf({ querystring }: { querystring: string }): URLSearchParams {
  return new URLSearchParams(querystring)
}

/** The `meta` of a list on the current surface. */
export function listMeta({ limit, offset }: { limit: number; offset: number }, shown: number, total: number) {
  return { total, limit, offset, has_more: offset + shown < total }
}
