/** Recognises violations of a unique index, of SQLite and of PostgreSQL. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.message.includes('UNIQUE constraint failed') || ('code' in error && error.code === '23505')
}

/** Whether the error is a violation of a unique index on this column. */
export function violates(error: unknown, column: string): boolean {
  return isUniqueViolation(error) && error instanceof Error && error.message.includes(column)
}
