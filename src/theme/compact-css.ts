const KEPT = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|url\([^"')]*\)/.source
const COMMENTS = new RegExp(`(${KEPT})|/\\*[\\s\\S]*?\\*/`, 'g')
const SPACES = new RegExp(`(${KEPT})|\\s*([{};,])\\s*|(:)\\s+|\\s+`, 'g')

/**
 * The same style sheet without comments and without white space that means nothing.
 * Strings and addresses stay as they are, and so does the space around `+`, `-`, `*` and before `:`.
 */
export function compactCss(css: string): string {
  return css
    .replace(COMMENTS, (_, kept?: string) => kept ?? ' ')
    .replace(SPACES, (_, kept?: string, mark?: string, colon?: string) => kept ?? mark ?? colon ?? ' ')
    .replaceAll(';}', '}')
    .trim()
}
