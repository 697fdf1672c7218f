/** Lines of an index file with the text around them. */
export interface JoinedText {
  readonly start?: string
  readonly lines: readonly string[]
  /** Separator. */
  readonly separator?: string
  readonly end?: string
}

/** Lines encoded per call. A call costs more than a line. */
const LINES_AT_ONCE = 500

/**
 * Encodes the lines as UTF-8. Joining the lines of all pages into one string first would multiply the memory
 * used.
 */
export function joinBytes({ start = '', lines, separator = '', end = '' }: JoinedText): Buffer {
  const parts = [Buffer.from(start)]
  for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
    const text = lines.slice(at, at + LINES_AT_ONCE).join(separator)
    parts.push(Buffer.from(at === 0 ? text : separator + text))
  }
  parts.push(Buffer.from(end))
  return Buffer.concat(parts)
}
