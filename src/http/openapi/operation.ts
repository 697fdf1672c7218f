import type { z } from 'zod'
import type { Permission } from '../../domain/caller.ts'
import type { ErrorName } from '../../domain/errors.ts'

/** One method of one path, described by the schemas that validate its requests. */
export interface Operation {
  readonly id: string
  readonly method: Method
  /** The path in the form of OpenAPI: `/pages/{id}`. */
  readonly path: string
  readonly tag: string
  /** A heading, without a full stop. */
  readonly summary: string
  /** Markdown; only facts that the summary, the fields and the errors do not contain. */
  readonly description?: string
  /** Schema of the path parameters. */
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: RequestBody
  readonly answers: readonly Answer[]
  /** Errors that do not follow from the rest; see `errorsOf` in `responses.ts`. */
  readonly errors?: readonly ErrorName[]
  /** The permission that a key needs at least; null for none. By default `read` for a GET, else `write`. */
  readonly permission?: Permission | null
  /** The method of the client, such as `pages.create`; null for none. Operations of the current surface name it. */
  readonly client?: string | null
  /** Access of agents, and their confirmation before a call. By default they confirm a deletion and nothing else. */
  readonly agents?: 'none' | 'confirm' | 'confirm status'
  /** `key` by default. */
  readonly access?: 'key' | 'key or token' | 'open'
  /** True: supports `If-Match`. */
  readonly guarded?: boolean
}

export function permissionOf({ permission, method }: Operation): Permission | null {
  return permission === undefined ? (method === 'get' ? 'read' : 'write') : permission
}

export const METHODS = ['get', 'post', 'put', 'delete'] as const
export type Method = (typeof METHODS)[number]

/** JSON, or a file. */
export type RequestBody = JsonBody | FileBody

interface JsonBody {
  readonly schema: z.ZodType
  readonly required: boolean
  readonly example?: object
}

interface FileBody {
  /** Schemas by media type. */
  readonly files: Readonly<Record<string, z.ZodType>>
  readonly required: boolean
}

export interface Answer {
  readonly status: number
  /** A sentence about the content, and about the condition when there are several answers. */
  readonly description: string
  /** Schemas by media type; empty: no body. */
  readonly content: Readonly<Record<string, z.ZodType>>
}

export function json(status: number, description: string, schema: z.ZodType): Answer {
  return { status, description, content: { 'application/json': schema } }
}
