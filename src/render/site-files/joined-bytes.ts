/** Lines of an index, and what stands around them. */
export interface Joined {
  readonly start?: string
  readonly lines: readonly string[]
  /** Any two of them. */
  readonly between?: string
  readonly end?: string
}

/**
 * In UTF-8. Lines of all pages are never one text in memory besides, which would take several times as long to be had.
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
