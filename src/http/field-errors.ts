import type { InvalidField } from '../domain/section.ts'

/** Limit of reported errors: hostile input can cause thousands. */
export const MAX_REPORTED = 100
const MAX_PATH = 200

/**
 * One message for errors of several fields, each with its path.
 *
 * @param first the first `MAX_REPORTED` errors.
 * @param total number of all errors.
 */
export function fieldErrors(first: readonly InvalidField[], total: number): string {
  const sentences = first.map(({ path, message }) =>
    path === '' ? message : `${path.slice(0, MAX_PATH)}: ${message}`,
  )
  const others = total - sentences.length
  return [...sentences, ...(others > 0 ? [`And ${others} more.`] : [])].join(' ')
}
