import { hkdfSync, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'

const BYTES = 32

/** Whatever Quoin seals or signs, it does with keys derived from this one. */
export interface MasterKey {
  /** A key of 32 bytes for one purpose; the same purpose gives the same key. */
  derive(purpose: string): Uint8Array
}

/** @throws {RangeError} unless the text is 32 bytes in base64. */
export function parseMasterKey(text: string): MasterKey {
  const bytes = Buffer.from(text.trim(), 'base64')
  if (bytes.byteLength !== BYTES || bytes.toString('base64') !== text.trim()) {
    throw new RangeError(
      'must be 32 random bytes in base64 (44 characters), e.g. from: openssl rand -base64 32',
    )
  }
  return { derive: (purpose) => new Uint8Array(hkdfSync('sha256', bytes, '', `quoin ${purpose}`, BYTES)) }
}

/**
 * The key an embedded installation keeps in its data folder, made on the first run; nobody but its
 * user may read the file.
 *
 * @throws {RangeError} when the file holds something else.
 */
export async function keepMasterKey(file: string): Promise<MasterKey> {
  try {
    const made = randomBytes(BYTES).toString('base64')
    await writeFile(file, `${made}\n`, { mode: 0o600, flag: 'wx' })
    return parseMasterKey(made)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return parseMasterKey(await readFile(file, 'utf8'))
  }
}
