import type { InvalidField } from './invalid-field.ts'

/** In characters. Long enough against guesses at the permitted rate of sign-ins. */
export const MIN_PASSWORD_LENGTH = 12
/** In bytes. More than a person types. */
export const MAX_PASSWORD_BYTES = 200
/** Fewer make `aaaaaaaaaaaa` or `abababababab`. */
const MIN_DISTINCT = 5

/**
 * Returns the error of a new password; null when it may be used.
 *
 * @param path the field of the request.
 * @param email the address of its user.
 */
export function passwordError(password: string, path: string, email: string): InvalidField | null {
  const characters = [...password]
  if (characters.length < MIN_PASSWORD_LENGTH)
    return { path, message: `must have at least ${MIN_PASSWORD_LENGTH} characters.`, code: 'wrong_length' }
  if (new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES)
    return {
      path,
      message: `must have at most ${MAX_PASSWORD_BYTES} bytes in UTF-8.`,
      code: 'wrong_length',
    }
  if (password.trim().toLowerCase() === email.toLowerCase())
    return { path, message: 'must not be the e-mail address.', code: 'not_allowed' }
  if (new Set(characters).size < MIN_DISTINCT)
    return {
      path,
      message: `must have at least ${MIN_DISTINCT} different characters.`,
      code: 'not_allowed',
    }
  return null
}
