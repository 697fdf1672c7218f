/** Lines of an index file with the text around them. */
export interface JoinedText {
  readonly start?: string
  readonly lines: readonly string[]
  /** Separator. */
  readonly separator?: string
  readonly end?: string
}

/**
 * Encodes the lines as UTF-8. Joining the lines of all pages into one string first would multiply the memory
 * used.
 */
export function joinBytes({ start = '', lines, separator = '', end = '' }: JoinedText): Buffer {
  const gaps = Math.max(0, lines.length - 1) * Buffer.byteLength(separator)
  const around = Buffer.byteLength(start) + Buffer.byteLength(end)
  const bytes = Buffer.alloc(lines.reduce((size, line) => size + Buffer.byteLength(line), gaps + around))
  let at = bytes.write(start)
  for (const [place, line] of lines.entries()) {
    if (place > 0) at += bytes.write(separator, at)
    at += bytes.write(line, at)
  }
  bytes.write(end, at)
  return bytes
}
