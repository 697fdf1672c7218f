import { setImmediate } from 'node:timers/promises'
import { MAX_REPORTED } from '../domain/field-errors.ts'
import type { InvalidField } from '../domain/invalid-field.ts'
import { fieldName } from '../domain/invalid-field.ts'
import { afterRun, afterText } from './scan-json.ts'

/** Digits that a fraction may have: a double is as exact as they are. */
const FRACTION_DIGITS = 17
const EXACT_DIGITS = 15
/** Numbers checked in one turn of the event loop: some 15 ms. */
const BATCH = 10_000

/**
 * Numbers that a double cannot hold: `1e400` would become null, and an id of 20 digits another id.
 *
 * @param bytes valid JSON.
 * @param suspects offsets of numbers in it, ascending.
 * @returns the first errors, as many as are reported, and the number of all.
 */
export async function changedNumbers(
  bytes: Uint8Array,
  suspects: readonly number[],
): Promise<{ readonly first: readonly InvalidField[]; readonly total: number }> {
  const changed: number[] = []
  for (const [index, start] of suspects.entries()) {
    if (index > 0 && index % BATCH === 0) await setImmediate()
    if (isChanged(textOf(bytes, start, afterRun(bytes, start)))) changed.push(start)
  }
  const first = pathsOf(bytes, changed.slice(0, MAX_REPORTED)).map((path) => ({
    path,
    message: 'is a number that cannot be stored exactly. Send it as a string.',
    code: 'out_of_range' as const,
  }))
  return { first, total: changed.length }
}

/** Reports whether reading the number and writing it again gives another value. */
function isChanged(text: string): boolean {
  const value = Number(text)
  if (!Number.isFinite(value)) return true
  if (value !== 0 && text.length <= EXACT_DIGITS) return false
  const given = significantDigits(text)
  if (given.length <= EXACT_DIGITS) return value === 0 && given !== ''
  if (given === significantDigits(String(value))) return false
  return Math.abs(value) > Number.MAX_SAFE_INTEGER || given.length > FRACTION_DIGITS
}

function significantDigits(number: string): string {
  const digits = number.replace(/e.*/i, '').replace(/[-.]/g, '').replace(/^0+/, '')
  // Not by a regular expression: it would try to match at each of many zeros.
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/** The paths of the values at these offsets. */
function pathsOf(bytes: Uint8Array, offsets: readonly number[]): readonly string[] {
  const paths: string[] = []
  /** Position of the current value in each open array, by index, and in each open object, by the offset of its name. */
  const steps: { readonly isList: boolean; at: number }[] = []
  for (let at = 0; paths.length < offsets.length && at < bytes.length; at++) {
    if (at === offsets[paths.length]) paths.push(pathOf(bytes, steps))
    const character = String.fromCharCode(bytes[at] as number)
    const step = steps.at(-1)
    if (character === '"') {
      // A text that is a value counts as the name until the next name.
      if (step?.isList === false) step.at = at
      at = afterText(bytes, at) - 1
    } else if (character === '{' || character === '[') steps.push({ isList: character === '[', at: 0 })
    else if (character === '}' || character === ']') steps.pop()
    else if (character === ',' && step?.isList) step.at++
  }
  return paths
}

function pathOf(bytes: Uint8Array, steps: readonly { isList: boolean; at: number }[]): string {
  return fieldName(
    steps.map(({ isList, at }) => (isList ? at : JSON.parse(textOf(bytes, at, afterText(bytes, at))))),
  )
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')
}
