import { constants, readFileSync } from 'node:fs'
import { hasCode } from '../platform/fs-errors.ts'

/** As `readText`; undefined for a file that was removed after it was listed. */
export function textUnlessGone(file: string): string | null | undefined {
  try {
    return readText(file)
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return undefined
    throw error
  }
}

/**
 * Null for bytes that are not UTF-8. A file that was swapped for a symbolic link is refused.
 *
 * At once: to be told of when each of thousands of files is there takes ten times as long as to read it. And by
 * one call of Node, which opens it, reads it as text and closes it: by four, all those files take twice as long
 * until V8 has optimized what is around them.
 */
export function readText(file: string): string | null {
  const text = readFileSync(file, { encoding: 'utf8', flag: NOT_LINKED })
  const whole = text.includes(REPLACEMENT) ? decoded(readFileSync(file, { flag: NOT_LINKED })) : text
  return whole === null ? null : withPlainLineEnds(whole.startsWith(BYTE_ORDER_MARK) ? whole.slice(1) : whole)
}

// Node takes the system's numbers as well, and tells only of their names.
const NOT_LINKED = (constants.O_RDONLY | constants.O_NOFOLLOW) as unknown as string
/** What stands for bytes that are not UTF-8, or was written. */
const REPLACEMENT = '\uFFFD'
const BYTE_ORDER_MARK = '\uFEFF'
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decoded(bytes: Uint8Array): string | null {
  try {
    return UTF_8.decode(bytes)
  } catch {
    return null
  }
}

export function withPlainLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
