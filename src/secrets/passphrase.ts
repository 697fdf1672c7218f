import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { openBytes, sealBytes } from './seal.ts'

const SALT_BYTES = 16
const KEY_BYTES = 32
/** A guess takes about half a second and 128 MiB. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const
const MAX_MEMORY_BYTES = 256 * 1024 * 1024

const deriveKey = promisify<string, Uint8Array, number, object, Uint8Array>(scrypt)

/** A text that a passphrase opens: scrypt derives the key, AES-256-GCM seals. */
export interface PassphraseSealed {
  readonly kdf: 'scrypt'
  /** 16 random bytes in base64. */
  readonly salt: string
  /** Base64. */
  readonly sealed: string
}

/** @param context what the text is for. Opening needs the same. */
export async function sealWithPassphrase(
  text: string,
  passphrase: string,
  context: string,
): Promise<PassphraseSealed> {
  const salt = randomBytes(SALT_BYTES)
  const sealed = sealBytes(Buffer.from(text), await keyOf(passphrase, salt), Buffer.from(context))
  return { kdf: 'scrypt', salt: salt.toString('base64'), sealed: Buffer.from(sealed).toString('base64') }
}

/** @throws {RangeError} if the passphrase or the context is wrong, or the data was changed. */
export async function openWithPassphrase(
  { salt, sealed }: PassphraseSealed,
  passphrase: string,
  context: string,
): Promise<string> {
  const key = await keyOf(passphrase, Buffer.from(salt, 'base64'))
  return Buffer.from(openBytes(Buffer.from(sealed, 'base64'), key, Buffer.from(context))).toString()
}

/** The same passphrase typed with another keyboard may be another sequence of code points. */
function keyOf(passphrase: string, salt: Uint8Array): Promise<Uint8Array> {
  return deriveKey(passphrase.normalize('NFKC'), salt, KEY_BYTES, { ...COST, maxmem: MAX_MEMORY_BYTES })
}
