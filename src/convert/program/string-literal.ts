/** A character by its number, or by itself. */
const ESCAPE = /\\(?:u\{([0-9a-f]{1,6})\}|[ux]((?<=u)[0-9a-f]{4}|(?<=x)[0-9a-f]{2})|([\s\S]))/iy
const MAX_CODE_POINT = 0x10ffff
const ESCAPED: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
}

/** The text between the quotes that begin at an offset. Null for a template with values, and for a string that never ends. */
export function readStringLiteral(
  text: string,
  at: number,
): { readonly value: string; readonly end: number } | null {
  const quote = text[at] ?? ''
  let value = ''
  for (let index = at + 1; index < text.length; index++) {
    const character = text[index] ?? ''
    if (character === quote) return { value, end: index + 1 }
    if (quote === '`' ? character === '$' && text[index + 1] === '{' : character === '\n') return null
    if (character === '\\') {
      ESCAPE.lastIndex = index
      const [written = '', long, short, single = ''] = ESCAPE.exec(text) ?? []
      const code = Number.parseInt(long ?? short ?? '', 16)
      if (written === '' || code > MAX_CODE_POINT || /[0-9xu]/.test(single)) return null
      value += single === '' ? String.fromCodePoint(code) : (ESCAPED[single] ?? single)
      index += written.length - 1
    } else value += character
  }
  return null
}
