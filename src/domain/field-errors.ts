import { type ErrorName, ServiceError } from './errors.ts'
import type { InvalidField } from './invalid-field.ts'

/** Limit of reported errors: hostile input can cause thousands. */
export const MAX_REPORTED = 100
const MAX_PATH = 200

/**
 * One error for all invalid fields. Its message names each with its path.
 *
 * @param first the first `MAX_REPORTED` errors.
 * @param total number of all errors.
 */
export function fieldFailure(
  name: ErrorName,
  first: readonly InvalidField[],
  { total = first.length, cause }: { readonly total?: number; readonly cause?: unknown } = {},
): ServiceError {
  const fields = first.map((field) => ({ ...field, path: field.path.slice(0, MAX_PATH) }))
  const sentences = fields.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  const others = total - sentences.length
  const message = [...sentences, ...(others > 0 ? [`And ${others} more.`] : [])].join(' ')
  return new ServiceError(name, message, { ...(cause !== undefined && { cause }), fields })
}
