import type { ErrorName } from '../../domain/errors.ts'
import type { InvalidField } from '../../domain/invalid-field.ts'

/** The specified error body. Its `statusCode` is the HTTP status. */
export interface ErrorBody {
  readonly statusCode: number
  readonly name: ErrorName
  readonly message: string
  readonly retry_after?: number
  readonly limit?: number
  readonly window?: string
}

/** An invalid field as the API shows it. */
export interface FieldErrorBody {
  readonly field: string
  readonly code: string
  readonly message: string
}

export function presentFields(fields: readonly InvalidField[]): readonly FieldErrorBody[] {
  return fields.map(({ path, code = 'invalid', message }) => ({ field: path, code, message }))
}
