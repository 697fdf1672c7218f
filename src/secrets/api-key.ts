import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'qn_live_'
const FORM = /^qn_live_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/** A new API key: `qn_live_`, 32 random base62 characters (190 bits), 6 characters of checksum. */
export function newApiKey(): string {
  const random = Array.from({ length: 32 }, () => BASE62[randomInt(62)]).join('')
  return PREFIX + random + checksum(random)
}

/** Reports whether the text has the form of a key and its checksum is right. Detects typing errors without a query. */
export function isApiKeyForm(text: string): boolean {
  const [, random, sum] = FORM.exec(text) ?? []
  return random !== undefined && checksum(random) === sum
}

/** The stored form of a key, in hex. A key has enough random bits that plain SHA-256 cannot be reversed by guessing. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** CRC-32 in base62. */
function checksum(random: string): string {
  let rest = crc32(random)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
