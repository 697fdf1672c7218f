import { rm } from 'node:fs/promises'

/** Removes a temporary file. One that cannot be removed is left to a sweep: what was made of it is stored all the same. */
export async function removeTemporary(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {})
}
