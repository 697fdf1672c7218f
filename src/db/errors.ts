/** The one place that knows how each database says that a unique index refused a write. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.message.includes('UNIQUE constraint failed') || ('code' in error && error.code === '23505')
}

/** True when a unique violation is about this column. */
export function violates(error: unknown, column: string): boolean {
  return isUniqueViolation(error) && error instanceof Error && error.message.includes(column)
}
