import { type CssToken, cssTokens } from './css-tokens.ts'

/** What is wrong with a style sheet, and where: lines and columns count from 1. */
export interface ParseIssue {
  readonly line: number
  readonly column: number
  /** Follows the place, e.g. `@import is not allowed.` */
  readonly message: string
}

/** Blocks and brackets in each other. Parsers recurse, and some take twice as long for each further level. */
const MAX_DEPTH = 8
const MAX_FAULTS = 10

/** Where old browsers would run code. */
const CODE_PROPERTIES = new Set(['behavior', '-ms-behavior', '-moz-binding'])
/** Functions whose strings are addresses. */
const ADDRESSED = new Set(['url', 'src', 'image', 'image-set', '-webkit-image-set'])
const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' }

/**
 * What an owner's CSS must not hold, whether or not it is well-formed: other style sheets, addresses but
 * of `https`, of the site itself or of images and fonts in `data:`, code, and deep nesting.
 */
export function customCssIssues(css: string): readonly ParseIssue[] {
  const faults: ParseIssue[] = []
  /** Openings that wait for their end; of a function its name. */
  const open: { readonly closer: string; readonly name: string }[] = []
  let before: CssToken | null = null

  for (const token of cssTokens(css)) {
    if (faults.length >= MAX_FAULTS) break
    const message = objection(token, open.at(-1)?.name ?? '', before)
    if (message !== null) faults.push({ ...placeOf(css, token.at), message })

    const closer = token.kind === 'function' ? ')' : token.kind === 'mark' ? CLOSERS[token.value] : undefined
    if (closer !== undefined) open.push({ closer, name: token.kind === 'function' ? token.value : '' })
    if (token.kind === 'mark' && token.value === open.at(-1)?.closer) open.pop()
    if (open.length > MAX_DEPTH) {
      const tooDeep = `blocks and brackets may be nested ${MAX_DEPTH} deep.`
      return [...faults, { ...placeOf(css, token.at), message: tooDeep }]
    }
    if (token.kind !== 'comment' && token.value.trim() !== '') before = token
  }
  return faults
}

/** The place and the message as one sentence. */
export function cssIssueText({ line, column, message }: ParseIssue): string {
  return `line ${line}, column ${column}: ${message}`
}

/**
 * @param inside the function the token stands in directly.
 * @param before the token before it that says anything.
 */
function objection({ kind, value }: CssToken, inside: string, before: CssToken | null): string | null {
  const isAddress = kind === 'url' || (kind === 'string' && ADDRESSED.has(inside))
  if (isAddress && !isSafeAddress(value))
    return 'addresses must be https, relative, or images and fonts in data: URLs.'
  if (kind === 'word' && value === '@import') return '@import is not allowed; put the rules here.'
  if (kind === 'function' && value === 'expression') return 'expression() is not allowed.'
  const isProperty = before !== null && before.kind === 'mark' && /[{;}]/.test(before.value)
  return kind === 'word' && isProperty && CODE_PROPERTIES.has(value) ? `${value} is not allowed.` : null
}

function isSafeAddress(address: string): boolean {
  // As browsers read it: without white space around it, tabs and line breaks anywhere.
  const read = address.replace(/^[\0-\x20]+|[\t\n\r]/g, '')
  if (/^[\\/]{2}/.test(read)) return false
  return !/^[^/?#]*:/.test(read) || /^(https:|data:(image|font)\/)/i.test(read)
}

function placeOf(css: string, at: number): Pick<ParseIssue, 'line' | 'column'> {
  const before = css.slice(0, at).split(/\r\n|[\n\r\f]/)
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
