/** Lines of an index file with the text around them. */
export interface Joined {
  readonly start?: string
  readonly lines: readonly string[]
  /** Separator. */
  readonly between?: string
  readonly end?: string
}

/**
 * Encodes the lines as UTF-8. Joining the lines of all pages into one string first would multiply the memory
 * used.
 */
export function joinedBytes({ start = '', lines, between = '', end = '' }: Joined): Buffer {
  const gaps = Math.max(0, lines.length - 1) * Buffer.byteLength(between)
  const around = Buffer.byteLength(start) + Buffer.byteLength(end)
  const bytes = Buffer.alloc(lines.reduce((size, line) => size + Buffer.byteLength(line), gaps + around))
  let at = bytes.write(start)
  for (const [place, line] of lines.entries()) {
    if (place > 0) at += bytes.write(between, at)
    at += bytes.write(line, at)
  }
  bytes.write(end, at)
  return bytes
}
