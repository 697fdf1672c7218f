/** A token of a style sheet: a comment, a string, a word, or any other single character. */
export interface CssToken {
  readonly kind: 'comment' | 'string' | 'url' | 'word' | 'function' | 'mark'
  /**
   * Content of a string or unquoted URL; name of a word, at-rule (with its `@`) or function in lower case.
   * Escapes are resolved. For other kinds the source text.
   */
  readonly value: string
  /** Offset of its first character in UTF-16 code units. */
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

/** Tokenises a style sheet according to CSS Syntax without validating it. Takes linear time. */
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

/** The unquoted content of `url(`; null when a quote follows. */
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
