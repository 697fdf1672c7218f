import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'qn_live_'
const FORM = /^qn_live_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/** A new API key: `qn_live_`, 32 random base62 characters (190 bits), 6 of checksum. */
export function newApiKey(): string {
  const random = Array.from({ length: 32 }, () => BASE62[randomInt(62)]).join('')
  return PREFIX + random + checksum(random)
}

/** True when the text has a key's form and its checksum fits; a typing slip is seen without a look-up. */
export function isApiKeyForm(text: string): boolean {
  const [, random, sum] = FORM.exec(text) ?? []
  return random !== undefined && checksum(random) === sum
}

/** What is stored of a key, hex. A key is random enough that a plain SHA-256 cannot be guessed back. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** CRC-32 in base62, so that it is one word with the rest. */
function checksum(random: string): string {
  let rest = crc32(random)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
