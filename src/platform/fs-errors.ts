/** There is no file of that name, and cannot be one. */
export const MISSING = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'] as const

/** The value, or `instead` when the system failed with one of these error codes. */
export async function orOn<T, U>(codes: readonly string[], value: Promise<T>, instead: U): Promise<T | U> {
  try {
    return await value
  } catch (error) {
    if (hasCode(error, codes)) return instead
    throw error
  }
}

/** As `orOn`, of work that is done at once. */
export function orOnNow<T, U>(codes: readonly string[], work: () => T, instead: U): T | U {
  try {
    return work()
  } catch (error) {
    if (hasCode(error, codes)) return instead
    throw error
  }
}

export function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
