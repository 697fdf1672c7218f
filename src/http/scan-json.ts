import { ServiceError } from '../domain/errors.ts'

/** Values of a body: objects, arrays, texts, numbers and literals. Reading and validating more would delay others. */
const MAX_VALUES = 100_000
/** Fields of one object. Validation reports each unknown one, which costs far more than reading it. */
const MAX_FIELDS = 10_000
const MAX_DEPTH = 32

/**
 * Checks the size of a JSON text before it is parsed, in one pass over its bytes. Any other text passes or fails like
 * the longest JSON that it begins with.
 *
 * @returns the number of values, and the offsets of numbers that a double may not hold exactly: see `changedNumbers`.
 * @throws {ServiceError} `payload_too_large` for too many values, `invalid_request` for too many fields or levels.
 */
export function scanJson(bytes: Uint8Array): {
  readonly values: number
  readonly suspects: readonly number[]
} {
  const suspects: number[] = []
  /** Fields so far of each open object. */
  const fields = new Uint32Array(MAX_DEPTH + 1)
  let values = 0
  let depth = 0
  let isWide = false
  for (let at = 0; at < bytes.length; ) {
    const kind = KINDS[bytes[at] as number]
    if (kind === TEXT) {
      at = afterText(bytes, at)
      values++
    } else if (kind === NUMBER) {
      const end = afterRun(bytes, at)
      if (isSuspect(bytes, at, end)) suspects.push(at)
      at = end
      values++
    } else {
      at++
      if (kind === OPEN) {
        if (++depth > MAX_DEPTH) throw tooDeep()
        fields[depth] = 0
        values++
      } else if (kind === CLOSE) depth = Math.max(0, depth - 1)
      else if (kind === COLON) {
        // The text before a colon was a name, not a value.
        values--
        fields[depth] = (fields[depth] as number) + 1
        isWide ||= (fields[depth] as number) > MAX_FIELDS
      }
    }
    if (values > MAX_VALUES) throw tooManyValues()
  }
  if (isWide) throw tooManyFields()
  return { values, suspects }
}

/** Index after the text that begins at `start`; the length of the bytes if it does not end. */
export function afterText(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at + 1
}

/** Index after the number or literal that begins at `start`. */
export function afterRun(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && KINDS[bytes[at] as number] === NUMBER) at++
  return at
}

/** A double holds every number of 15 digits, and other fractions of 17 digits as exactly as they are written. */
const EXACT_DIGITS = 15
const FRACTION_DIGITS = 17

function isSuspect(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start <= EXACT_DIGITS && !hasExponent(bytes, start, end)) return false
  const isFraction = bytes.subarray(start, end).includes(POINT)
  return end - start > (isFraction ? FRACTION_DIGITS : EXACT_DIGITS) || hasExponent(bytes, start, end)
}

/** Reports whether it is a number with an exponent. Literals have no digits before an `e`. */
function hasExponent(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) {
    if ((bytes[at] === LOWER_E || bytes[at] === UPPER_E) && isDigit(bytes[at - 1] as number)) return true
  }
  return false
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

function tooManyValues(): ServiceError {
  return new ServiceError(
    'payload_too_large',
    `The request body has more than ${MAX_VALUES.toLocaleString('en')} values. Send it in parts.`,
  )
}

function tooManyFields(): ServiceError {
  return new ServiceError(
    'invalid_request',
    `The request body has an object of more than ${MAX_FIELDS.toLocaleString('en')} fields.`,
  )
}

function tooDeep(): ServiceError {
  return new ServiceError('invalid_request', `The request body is nested deeper than ${MAX_DEPTH} levels.`)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const UPPER_E = 0x45
const LOWER_E = 0x65

const TEXT = 1
const OPEN = 2
const CLOSE = 3
const COLON = 4
const NUMBER = 5

/** The kind that a byte outside texts begins or continues; 0 for commas, white space and bytes foreign to JSON. */
const KINDS = new Uint8Array(256)
for (const [kind, characters] of [
  [TEXT, '"'],
  [OPEN, '{['],
  [CLOSE, '}]'],
  [COLON, ':'],
  // Numbers, `true`, `false` and `null`.
  [NUMBER, '-+.0123456789Eaeflnrstu'],
] as const) {
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind
}
