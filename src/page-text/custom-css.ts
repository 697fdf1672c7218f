import type { ParseIssue } from '../domain/diagnostic.ts'
import { type CssToken, cssTokens } from './css-tokens.ts'

/** Maximum nesting of blocks and brackets. Parsers recurse, and some double their time with each level. */
const MAX_DEPTH = 8
const MAX_ISSUES = 10

/** Properties through which old browsers run code. */
const CODE_PROPERTIES = new Set(['behavior', '-ms-behavior', '-moz-binding'])
/** Functions whose strings are URLs. */
const ADDRESSED = new Set(['url', 'src', 'image', 'image-set', '-webkit-image-set'])
const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' }

/**
 * Finds CSS that owners may not use, whether or not it is well-formed: imports, URLs other than `https`,
 * relative ones and `data:` images and fonts, code, and deep nesting.
 */
export function customCssIssues(css: string): readonly ParseIssue[] {
  const faults: ParseIssue[] = []
  /** Open brackets, with the function's name if one opened them. */
  const open: { readonly closer: string; readonly name: string }[] = []
  let before: CssToken | null = null

  for (const token of cssTokens(css)) {
    if (faults.length >= MAX_ISSUES) break
    const message = issueMessage(token, open.at(-1)?.name ?? '', before)
    if (message !== null) faults.push({ ...positionAt(css, token.at), message })

    const closer = token.kind === 'function' ? ')' : token.kind === 'mark' ? CLOSERS[token.value] : undefined
    if (closer !== undefined) open.push({ closer, name: token.kind === 'function' ? token.value : '' })
    if (token.kind === 'mark' && token.value === open.at(-1)?.closer) open.pop()
    if (open.length > MAX_DEPTH) {
      const tooDeep = `blocks and brackets may be nested ${MAX_DEPTH} deep.`
      return [...faults, { ...positionAt(css, token.at), message: tooDeep }]
    }
    if (token.kind !== 'comment' && token.value.trim() !== '') before = token
  }
  return faults
}

/** Position and message as one sentence. */
export function cssIssueText({ line, column, message }: ParseIssue): string {
  return `line ${line}, column ${column}: ${message}`
}

/**
 * @param inside the innermost enclosing function.
 * @param before the previous token, white space and comments aside.
 */
function issueMessage({ kind, value }: CssToken, inside: string, before: CssToken | null): string | null {
  const isAddress = kind === 'url' || (kind === 'string' && ADDRESSED.has(inside))
  if (isAddress && !isSafeAddress(value))
    return 'addresses must be https, relative, or images and fonts in data: URLs.'
  if (kind === 'word' && value === '@import') return '@import is not allowed; put the rules here.'
  if (kind === 'function' && value === 'expression') return 'expression() is not allowed.'
  const isProperty = before !== null && before.kind === 'mark' && /[{;}]/.test(before.value)
  return kind === 'word' && isProperty && CODE_PROPERTIES.has(value) ? `${value} is not allowed.` : null
}

function isSafeAddress(address: string): boolean {
  // Browsers ignore white space around a URL, and tabs and line breaks anywhere in it.
  const read = address.replace(/^[\0-\x20]+|[\t\n\r]/g, '')
  if (/^[\\/]{2}/.test(read)) return false
  return !/^[^/?#]*:/.test(read) || /^(https:|data:(image|font)\/)/i.test(read)
}

function positionAt(css: string, at: number): Pick<ParseIssue, 'line' | 'column'> {
  const before = css.slice(0, at).split(/\r\n|[\n\r\f]/)
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
