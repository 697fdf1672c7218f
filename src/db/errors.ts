/** Recognises violations of a unique index, of SQLite and of PostgreSQL. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.message.includes('UNIQUE constraint failed') || ('code' in error && error.code === '23505')
}

/** Reports whether the error is a violation of a unique index on this column. */
export function violates(error: unknown, column: string): boolean {
  if (!isUniqueViolation(error) || !(error instanceof Error)) return false
  // The statement, with all its columns and values, comes first.
  const constraint = error.message.slice(error.message.toLowerCase().lastIndexOf('unique constraint'))
  return constraint.includes(column)
}
