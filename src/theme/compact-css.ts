/** What stays as it is: strings, escapes, addresses without quotes. */
const KEPT = [
  /"(?:\\[\s\S]|[^"\\])*(?:"|$)/,
  /'(?:\\[\s\S]|[^'\\])*(?:'|$)/,
  /\\(?:[\da-f]{1,6}\s?|[\s\S])/,
  /url\((?!\s*["'])(?:\\[\s\S]|[^)\\])*\)/,
]
  .map(({ source }) => source)
  .join('|')
const COMMENTS = new RegExp(String.raw`(${KEPT})|/\*[\s\S]*?(?:\*/|$)`, 'gi')
const SPACES = new RegExp(String.raw`(${KEPT})|([\s;]+)|([{},])|(:)\s+`, 'gi')

/**
 * The same style sheet without comments and without white space that means nothing.
 * Strings and addresses stay as they are, and so does the space around `+`, `-`, `*` and before `:`.
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

/** What is left of white space and semicolons between two characters. */
function between(before: string, gap: string, after: string): string {
  if (gap.includes(';')) return after === '}' ? '' : ';'
  return before !== '' || /[{},]/.test(after) ? '' : ' '
}
