import type { z } from 'zod'
import type { ErrorName } from '../../domain/errors.ts'

/** One method of one path, described by the very schemas that read its requests. */
export interface Operation {
  readonly id: string
  readonly method: Method
  /** As OpenAPI writes it: `/pages/{id}`. */
  readonly path: string
  readonly tag: string
  /** A heading, without a full stop. */
  readonly summary: string
  /** Markdown; what the summary, the fields and the errors do not say. */
  readonly description?: string
  /** Of the path's parts. */
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: RequestBody
  readonly answers: readonly Answer[]
  /** Those that do not follow from the rest; see `errorsOf` in `responses.ts`. */
  readonly errors?: readonly ErrorName[]
  /** `key` unless told otherwise. */
  readonly access?: 'key' | 'key or token' | 'open'
  /** True: a PUT that `If-Match` can guard. */
  readonly guarded?: boolean
}

export const METHODS = ['get', 'post', 'put', 'delete'] as const
export type Method = (typeof METHODS)[number]

export interface RequestBody {
  readonly schema: z.ZodType
  readonly required: boolean
  readonly example?: object
}

export interface Answer {
  readonly status: number
  /** When it is given, where there are several; what it holds. A sentence. */
  readonly description: string
  /** By media type; a string schema is a text. None: an empty body. */
  readonly content: Readonly<Record<string, z.ZodType>>
}

export function json(status: number, description: string, schema: z.ZodType): Answer {
  return { status, description, content: { 'application/json': schema } }
}
