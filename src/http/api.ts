import type { Caller } from '../domain/caller.ts'
import type { ServiceError } from '../domain/errors.ts'

/** What the middleware in front of the routes has found out. */
export interface ApiState {
  requestId: string
  /** Whose key the request carries, or what is wrong with it; set once the request was counted. */
  asker?: Caller | ServiceError
  caller: Caller
  /** Of the one record the answer is about; lists have none. */
  version?: number
  /** The answer holds a secret and must not be kept. */
  secret?: boolean
}

/** A path parameter; routes only name those their pattern has. */
export function param(params: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = params[name]
  if (value === undefined) throw new RangeError(`The route has no parameter ${name}.`)
  return value
}

/** Read from the request line alone: whatever `Host` says, it cannot spoil the query. */
export function queryOf({ querystring }: { querystring: string }): URLSearchParams {
  return new URLSearchParams(querystring)
}

/** The `meta` of a list on the current surface. */
export function listMeta({ limit, offset }: { limit: number; offset: number }, shown: number, total: number) {
  return { total, limit, offset, has_more: offset + shown < total }
}
