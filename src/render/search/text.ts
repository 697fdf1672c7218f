/** Text as its UTF-16 code units, which are read many times as fast as those of a string. */
export type Text = Uint16Array

/** Arguments that a function is given at once. */
const MOST_AT_ONCE = 8_192

export function textOf(written: string): Text {
  const text = new Uint16Array(written.length)
  for (let at = 0; at < written.length; at += 1) text[at] = written.charCodeAt(at)
  return text
}

export function writtenOf(text: Text): string {
  let written = ''
  for (let at = 0; at < text.length; at += MOST_AT_ONCE)
    written += Reflect.apply(String.fromCharCode, null, text.subarray(at, at + MOST_AT_ONCE))
  return written
}
