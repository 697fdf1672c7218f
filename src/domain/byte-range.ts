/** First and last byte, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Parses the single range of a `Range` header, limited to the end of the object.
 *
 * @returns null when the whole object must be sent: no header, several ranges, another unit, or a malformed range.
 */
export function readRange(header: string, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header.trim()) ?? []
  if (first === '' && last === '') return null
  const range =
    first === ''
      ? { start: Math.max(size - Number(last), 0), end: size - 1 }
      : { start: Number(first), end: Math.min(last === '' ? size - 1 : Number(last), size - 1) }
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  return range.start < size ? range : 'unsatisfiable'
}
