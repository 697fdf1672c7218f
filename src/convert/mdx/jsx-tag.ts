import type { JsonValue } from '../../domain/json.ts'
import { type Constants, readLiteral } from '../program/object-literal.ts'

/** A tag of JSX in Markdown. */
export interface JsxTag {
  /** Empty for a fragment. */
  readonly name: string
  readonly kind: 'open' | 'close' | 'self'
  /** Attributes whose values are literals. One without a value is true. */
  readonly attributes: Readonly<Record<string, JsonValue>>
  /** Names of the other attributes, with the text of their expressions. */
  readonly expressions: Readonly<Record<string, string>>
  /** The offset after the tag. */
  readonly end: number
}

/** Longer and deeper expressions are text: without a bound, every brace would search to the end of the page. */
const MAX_EXPRESSION = 50_000
const MAX_BRACES = 100
const MAX_COMMENT = 10_000
const START = /<(\/?)([A-Za-z][\w.-]*)?(?=[\s/>{])/y
const ATTRIBUTE = /\s*([A-Za-z_:@][\w:.@-]*)(\s*=\s*)?/y
const QUOTED = /"[^"]*"|'[^']*'/y
const END = /\s*(\/?)>/y
const BLANK = /\s*/y

/** Reads the tag at an offset. Null when the text there is not a tag. */
export function readJsxTag(text: string, at: number, constants: Constants): JsxTag | null {
  let position = at
  const start = take(START)
  if (start === null) return null
  const attributes: Record<string, JsonValue> = {}
  const expressions: Record<string, string> = {}
  for (;;) {
    const end = take(END)
    if (end !== null) {
      const kind = start[1] === '/' ? 'close' : end[1] === '/' ? 'self' : 'open'
      return { name: start[2] ?? '', kind, attributes, expressions, end: position }
    }
    take(BLANK)
    if (text[position] === '{') {
      const stop = expressionEnd(text, position)
      if (stop === null) return null
      position = stop
      continue
    }
    const attribute = take(ATTRIBUTE)
    if (attribute === null) return null
    const [, name = '', equals] = attribute
    if (equals === undefined) attributes[name] = true
    else if (text[position] === '{') {
      const stop = expressionEnd(text, position)
      if (stop === null) return null
      const value = expressionValue(text, position, stop, constants)
      if (value === undefined) expressions[name] = text.slice(position + 1, stop - 1).trim()
      else if (name !== '__proto__') attributes[name] = value
      position = stop
    } else {
      const quoted = take(QUOTED)
      if (quoted === null) return null
      if (name !== '__proto__') attributes[name] = quoted[0].slice(1, -1)
    }
  }

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = position
    const found = pattern.exec(text)
    if (found !== null) position += found[0].length
    return found
  }
}

/** The offset after the expression whose brace is at `at`. Null when it does not end. */
export function expressionEnd(text: string, at: number): number | null {
  const last = Math.min(text.length, at + MAX_EXPRESSION)
  let open = 0
  for (let index = at; index < last; index++) {
    const character = text[index] ?? ''
    if (character === '{') {
      if (++open > MAX_BRACES) return null
    } else if (character === '}' && --open === 0) return index + 1
    else if (/['"`]/.test(character) && isQuote(text, index)) {
      const close = stringEnd(text, index, last)
      if (close !== null) index = close
    } else if (character === '/' && text[index + 1] === '*') {
      const close = text.slice(index + 2, index + MAX_COMMENT).indexOf('*/')
      if (close === -1) return null
      index += close + 3
    }
  }
  return null
}

/** An apostrophe after a letter is no quotation mark: text between tags is in expressions too. */
function isQuote(text: string, at: number): boolean {
  return text[at] !== "'" || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')
}

function stringEnd(text: string, at: number, last: number): number | null {
  const quote = text[at]
  for (let index = at + 1; index < last; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === quote) return index
    else if (text[index] === '\n' && quote !== '`') return null
  }
  return null
}

/** The literal value of an expression between braces. Undefined when it is computed. */
export function expressionValue(
  text: string,
  at: number,
  end: number,
  constants: Constants,
): JsonValue | undefined {
  const { value, skipped, end: stop } = readLiteral(text, at + 1, constants)
  return skipped.length === 0 && /^\s*$/.test(text.slice(stop, end - 1)) ? value : undefined
}
