/** As UTF-8. ASCII, as most pages are, is copied as it lies in memory, in less than half the time. */
export function textBytes(text: string): Buffer {
  return Buffer.from(text, Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8')
}
