import { rm } from 'node:fs/promises'

/**
 * Removes a temporary file. One that cannot be removed is left to a sweep: the result of its use is stored all the
 * same.
 */
export async function removeTemporary(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {})
}
