import { hkdfSync, randomBytes } from 'node:crypto'
import { openBytes, sealBytes } from './seal.ts'

const BYTES = 32

/**
 * The root of all keys: everything that Quoin seals or signs uses a key derived from it. Previous master keys stay
 * usable until everything they sealed is re-encrypted.
 */
export interface MasterKey {
  /** Identifies the newest key, which seals. Reveals nothing about it. */
  readonly id: string
  /** Ids of all keys: it opens everything that master keys with these ids sealed. */
  readonly ids: readonly string[]
  /** Derives a key of 32 bytes. The same purpose gives the same key. */
  derive(purpose: string): Uint8Array
  /**
   * Seals a key for the database.
   *
   * @param context what the key is for. `unwrap` needs the same context.
   */
  wrap(key: Uint8Array, context: string): Wrapped
  /** @throws {RangeError} if no known master key sealed it for this context. */
  unwrap(wrapped: Wrapped, context: string): Uint8Array
  /** The keys as `parseMasterKey` reads them, newest first. A method, so that no log can print them by accident. */
  reveal(): string
}

export interface Wrapped {
  readonly masterKeyId: string
  /** Base64. */
  readonly sealed: string
}

/**
 * @param text the newest key, then previous ones, separated by commas or white space.
 * @throws {RangeError} unless each is 32 bytes in base64.
 */
export function parseMasterKey(text: string): MasterKey {
  const [newest, ...previous] = text
    .trim()
    .split(/[\s,]+/)
    .map(readKey)
  return createMasterKey([newest ?? readKey(''), ...previous])
}

/** A random master key in base64. */
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
      'must be 32 random bytes in base64 (44 characters), e.g. from: openssl rand -base64 32. Previous keys follow, separated by commas',
    )
  }
  const id = Buffer.from(derived(bytes, 'name')).toString('hex').slice(0, 16)
  return { id, bytes, wrapping: derived(bytes, 'wrapping') }
}

function createMasterKey([newest, ...previous]: readonly [OneKey, ...OneKey[]]): MasterKey {
  const byId = new Map([...previous, newest].map((key) => [key.id, key]))
  return {
    id: newest.id,
    ids: [...byId.keys()],
    derive: (purpose) => derived(newest.bytes, purpose),

    wrap(key, context) {
      const sealed = sealBytes(key, newest.wrapping, Buffer.from(context))
      return { masterKeyId: newest.id, sealed: Buffer.from(sealed).toString('base64') }
    },

    unwrap({ masterKeyId, sealed }, context) {
      const key = byId.get(masterKeyId)
      if (key === undefined)
        throw new RangeError(
          `The secret was sealed with the master key ${masterKeyId}, which is missing from QUOIN_MASTER_KEY.`,
        )
      return openBytes(Buffer.from(sealed, 'base64'), key.wrapping, Buffer.from(context))
    },

    reveal: () => [newest, ...previous].map(({ bytes }) => Buffer.from(bytes).toString('base64')).join('\n'),
  }
}

function derived(bytes: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', bytes, '', `quoin ${purpose}`, BYTES))
}
