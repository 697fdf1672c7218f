/** A piece of a style sheet: a comment, a string, a word, or any other single character. */
export interface CssToken {
  readonly kind: 'comment' | 'string' | 'url' | 'word' | 'function' | 'mark'
  /**
   * Of a string or an unquoted address what it says, of a word, an at-rule (with its `@`) or a function
   * its name in lower case; escapes are resolved. Of anything else the characters themselves.
   */
  readonly value: string
  /** Where it begins, counted in UTF-16 units. */
  readonly at: number
}

const ESCAPE = /\\(?:[\da-f]{1,6}(?:\r\n|\s)?|[^\n\r\f\da-f])/.source
const TOKEN = new RegExp(
  [
    /(?<comment>\/\*[\s\S]*?(?:\*\/|$))/.source,
    /"(?<double>(?:[^"\\\n\r\f]|\\(?:\r\n|[\s\S])?)*)"?/.source,
    /'(?<single>(?:[^'\\\n\r\f]|\\(?:\r\n|[\s\S])?)*)'?/.source,
    `(?<word>@?(?:[-\\w\\u0080-\\u{10ffff}]|${ESCAPE})+)(?<opens>\\()?`,
    /(?<mark>[\s\S])/.source,
  ].join('|'),
  'giuy',
)
const UNQUOTED = /\s*(?!["'\s])((?:[^)\\]|\\[\s\S]?)*)\)?/y

/** Reads a style sheet as CSS Syntax says, without judging it; takes time in proportion to its length. */
export function* cssTokens(css: string): Generator<CssToken> {
  let at = 0
  while (at < css.length) {
    TOKEN.lastIndex = at
    const { 0: whole, groups = {} } = TOKEN.exec(css) as RegExpExecArray
    const token = tokenOf(whole, groups, at)
    const address =
      token.kind === 'function' && token.value === 'url' ? unquoted(css, at + whole.length) : null
    yield address === null ? token : { kind: 'url', value: address.value, at }
    at = address?.end ?? at + whole.length
  }
}

function tokenOf(whole: string, groups: Readonly<Record<string, string | undefined>>, at: number): CssToken {
  const { comment, double, single, word, opens } = groups
  if (comment !== undefined) return { kind: 'comment', value: whole, at }
  const text = double ?? single
  if (text !== undefined) return { kind: 'string', value: unescaped(text), at }
  if (word === undefined) return { kind: 'mark', value: whole, at }
  const value = unescaped(word).toLowerCase()
  return { kind: opens === undefined ? 'word' : 'function', value, at }
}

/** What stands in `url(` without quotes; null where a quote follows. */
function unquoted(css: string, from: number): { readonly value: string; readonly end: number } | null {
  UNQUOTED.lastIndex = from
  const found = UNQUOTED.exec(css)
  if (found === null) return null
  return { value: unescaped(found[1] ?? '').trim(), end: UNQUOTED.lastIndex }
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:([\da-f]{1,6})(?:\r\n|\s)?|(\r\n|[\n\r\f])|([\s\S])|$)/gi,
    (_, code?: string, newline?: string, other?: string) =>
      code === undefined
        ? newline === undefined
          ? (other ?? '')
          : ''
        : character(Number.parseInt(code, 16)),
  )
}

function character(code: number): string {
  const isNone = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
  return isNone ? '\ufffd' : String.fromCodePoint(code)
}
