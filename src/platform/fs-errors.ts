/** Error codes for a file that does not exist, or cannot exist under this name. */
export const NOT_FOUND = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'] as const

/** The value, or `fallback` if the promise rejects with one of these error codes. */
export async function fallbackOn<T, U>(
  codes: readonly string[],
  value: Promise<T>,
  fallback: U,
): Promise<T | U> {
  try {
    return await value
  } catch (error) {
    if (hasCode(error, codes)) return fallback
    throw error
  }
}

/** Returns the result of `work`, or `fallback` if it throws one of these error codes. */
export function fallbackOnSync<T, U>(codes: readonly string[], work: () => T, fallback: U): T | U {
  try {
    return work()
  } catch (error) {
    if (hasCode(error, codes)) return fallback
    throw error
  }
}

/** The value, or null if the operating system refuses it. */
export async function nullOnSystemError<T>(value: Promise<T>): Promise<T | null> {
  try {
    return await value
  } catch (error) {
    if (isSystemError(error)) return null
    throw error
  }
}

export function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Reports whether the operating system refused something, such as a file operation. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
