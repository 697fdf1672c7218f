/** Copied as is: strings, escapes, unquoted URLs. */
const VERBATIM = [
  /"(?:\\(?:[\s\S]|$)|[^"\\])*(?:"|$)/,
  /'(?:\\(?:[\s\S]|$)|[^'\\])*(?:'|$)/,
  /\\(?:[\da-f]{1,6}\s?|[\s\S])/,
  /url\((?!\s*["'])(?:\\(?:[\s\S]|$)|[^)\\])*(?:\)|$)/,
]
  .map(({ source }) => source)
  .join('|')
const COMMENTS = new RegExp(String.raw`(${VERBATIM})|/\*[\s\S]*?(?:\*/|$)`, 'gi')
const SPACES = new RegExp(String.raw`(${VERBATIM})|([\s;]+)|([{},])|(:)\s+`, 'gi')

/**
 * Removes comments and insignificant white space from a style sheet. Keeps strings, URLs, and the space
 * around `+`, `-`, `*` and before `:`, where it can be significant.
 */
export function compactCss(css: string): string {
  const bare = css.replace(COMMENTS, (_, kept?: string) => kept ?? ' ')
  let ended = 0
  let follows = ''
  return bare
    .replace(SPACES, (whole, kept?: string, gap?: string, mark?: string, colon?: string, at = 0) => {
      const before = at === ended ? follows : ''
      ended = at + whole.length
      follows = mark ?? ''
      if (gap !== undefined) return between(before, gap, bare[ended] ?? '')
      return kept ?? mark ?? colon ?? ''
    })
    .trim()
}

/** The remainder of white space and semicolons between two characters. */
function between(before: string, gap: string, after: string): string {
  if (gap.includes(';')) return after === '}' ? '' : ';'
  return before !== '' || /[{},]/.test(after) ? '' : ' '
}
