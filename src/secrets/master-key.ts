import { hkdfSync, randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { hasCode } from '../platform/fs-errors.ts'
import { openBytes, sealBytes } from './seal.ts'

const BYTES = 32

/**
 * Whatever Quoin seals or signs, it does with keys derived from its master key. There may be former
 * ones besides, until everything they sealed was sealed anew.
 */
export interface MasterKey {
  /** Names the key that seals now, without telling anything of it. */
  readonly id: string
  /** A key of 32 bytes for one purpose; the same purpose gives the same key. */
  derive(purpose: string): Uint8Array
  /**
   * Seal a key of ours, to be kept in the database.
   *
   * @param context what the key is for; whoever opens it has to say the same.
   */
  wrap(key: Uint8Array, context: string): Wrapped
  /** @throws {RangeError} when no master key of ours sealed it, or not for this. */
  unwrap(wrapped: Wrapped, context: string): Uint8Array
}

export interface Wrapped {
  readonly masterKeyId: string
  /** Base64. */
  readonly sealed: string
}

/**
 * @param text the newest key, then former ones; separated by commas or lines.
 * @throws {RangeError} unless each is 32 bytes in base64.
 */
export function parseMasterKey(text: string): MasterKey {
  const [newest, ...former] = text
    .trim()
    .split(/[\s,]+/)
    .map(readKey)
  return createMasterKey([newest ?? readKey(''), ...former])
}

/**
 * The key an embedded installation keeps in its data folder, made on the first run; nobody but its
 * user may read the file.
 *
 * @throws {RangeError} when the file holds something else.
 */
export async function loadOrCreateMasterKey(file: string): Promise<MasterKey> {
  try {
    const made = newMasterKey()
    await writeFile(file, `${made}\n`, { mode: 0o600, flag: 'wx' })
    return parseMasterKey(made)
  } catch (error) {
    if (!hasCode(error, ['EEXIST'])) throw error
    return parseMasterKey(await readFile(file, 'utf8'))
  }
}

/** Put a new key in front of those a file holds. Servers use it from their next start on. */
export async function prependMasterKey(file: string): Promise<void> {
  await loadOrCreateMasterKey(file)
  const former = await readFile(file, 'utf8')
  const temporary = `${file}.new`
  await writeFile(temporary, `${newMasterKey()}\n${former.trim()}\n`, { mode: 0o600 })
  await rename(temporary, file)
}

/** In base64. */
export function newMasterKey(): string {
  return randomBytes(BYTES).toString('base64')
}

interface OneKey {
  readonly id: string
  readonly bytes: Uint8Array
  readonly wrapping: Uint8Array
}

function readKey(text: string): OneKey {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.byteLength !== BYTES || bytes.toString('base64') !== text) {
    throw new RangeError(
      'must be 32 random bytes in base64 (44 characters), e.g. from: openssl rand -base64 32; former keys follow after a comma',
    )
  }
  const id = Buffer.from(derived(bytes, 'name')).toString('hex').slice(0, 16)
  return { id, bytes, wrapping: derived(bytes, 'wrapping') }
}

function createMasterKey([newest, ...former]: readonly [OneKey, ...OneKey[]]): MasterKey {
  const byId = new Map([...former, newest].map((key) => [key.id, key]))
  return {
    id: newest.id,
    derive: (purpose) => derived(newest.bytes, purpose),

    wrap(key, context) {
      const sealed = sealBytes(key, newest.wrapping, Buffer.from(context))
      return { masterKeyId: newest.id, sealed: Buffer.from(sealed).toString('base64') }
    },

    unwrap({ masterKeyId, sealed }, context) {
      const key = byId.get(masterKeyId)
      if (key === undefined)
        throw new RangeError(
          `It was sealed with the master key ${masterKeyId}, which QUOIN_MASTER_KEY does not hold.`,
        )
      return openBytes(Buffer.from(sealed, 'base64'), key.wrapping, Buffer.from(context))
    },
  }
}

function derived(bytes: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', bytes, '', `quoin ${purpose}`, BYTES))
}
