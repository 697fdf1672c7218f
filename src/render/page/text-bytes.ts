/** Encodes text as UTF-8. ASCII text, as most pages are, is copied as Latin-1 in less than half the time. */
export function textBytes(text: string): Buffer {
  return Buffer.from(text, Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8')
}
