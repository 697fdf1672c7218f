import { type ProjectId, prefixed, readId } from './ids.ts'

/** Prefix of all objects of a project; ends with a slash. */
export function projectPrefix(projectId: ProjectId): string {
  return `${prefixed('proj', projectId)}/`
}

/**
 * The storage key of an object of a project. The only function that creates storage keys.
 *
 * @throws {RangeError} if the key could leave the project's prefix, or is too long with it.
 */
export function storageKey(projectId: ProjectId, key: string): string {
  const full = projectPrefix(projectId) + key
  assertSafeKey(full)
  return full
}

/** The project that an object belongs to; null if the key is not one of a project. */
export function projectOfKey(key: string): ProjectId | null {
  const end = key.indexOf('/')
  return end === -1 ? null : readId('proj', key.slice(0, end))
}

/** @throws {RangeError} if the key is not a safe one. */
export function assertSafeKey(key: string): void {
  if (!isSafeKey(key)) throw new RangeError(`Unsafe storage key: ${JSON.stringify(key.slice(0, 200))}`)
}

/** @throws {RangeError} if no safe key starts with the prefix. Empty and `docs/` are valid. */
export function assertSafePrefix(prefix: string): void {
  if (!isSafeKey(prefix) && !isSafeKey(`${prefix}x`)) {
    throw new RangeError(`Unsafe storage prefix: ${JSON.stringify(prefix.slice(0, 200))}`)
  }
}

/**
 * False if a segment is empty, `.` or `..`, if a character is special to file systems or not valid in UTF-8, or if the
 * key is longer than the 1024 bytes that a bucket allows.
 */
export function isSafeKey(key: string): boolean {
  const safeSegments = key
    .split('/')
    .every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  return safeSegments && Buffer.byteLength(key) <= 1024 && !/[\\\p{Cc}\p{Surrogate}]/u.test(key)
}
