import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'

/** An object literal of a program that is not run. */
export interface ObjectLiteral {
  /** The fields whose values are literals, also in nested objects. */
  readonly fields: JsonObject
  /** Names of the other fields, e.g. `themeConfig.search`. */
  readonly skipped: readonly string[]
}

/** Deeper values are skipped. */
const MAX_DEPTH = 32
const NAME = /[A-Za-z_$][\w$]*/y
const NUMBER = /-?\d+(?:\.\d+)?(?![\w.])/y
const BLANK = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const WORDS: Readonly<Record<string, JsonValue>> = { true: true, false: false, null: null }

/** @param at the offset of the object's opening brace. */
export function readObjectLiteral(text: string, at: number): ObjectLiteral {
  const skipped: string[] = []
  let position = at
  const value = read('', 0)
  return { fields: isJsonObject(value) ? value : {}, skipped }

  /** Reads one value. Undefined when it is not a literal; the position may then be anywhere inside of it. */
  function read(path: string, depth: number): JsonValue | undefined {
    skipBlanks()
    const first = text[position] ?? ''
    if (first === '{' && depth < MAX_DEPTH) return object(path, depth)
    if (first === '[' && depth < MAX_DEPTH) return list(depth)
    if (/['"`]/.test(first)) return string()
    const number = take(NUMBER)
    if (number !== null) return Number(number)
    const word = take(NAME)
    return word !== null && Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
  }

  function object(path: string, depth: number): JsonObject {
    const fields: Record<string, JsonValue> = {}
    position++
    for (;;) {
      skipBlanks()
      if (position >= text.length || text[position] === '}') break
      const start = position
      const key = /['"]/.test(text[position] ?? '') ? string() : (take(NAME) ?? take(NUMBER))
      skipBlanks()
      const name = path === '' ? key : `${path}.${key}`
      const value =
        typeof key === 'string' && text[position] === ':' ? valueAfter(name ?? '', depth) : undefined
      if (value === undefined || typeof key !== 'string') {
        skipField(start)
        // Not JavaScript. Advance by one character, so that the loop ends.
        if (position === start) position++
        skipped.push(
          typeof key === 'string' ? (name ?? key) : text.slice(start, position).trim().slice(0, 40),
        )
      } else if (key !== '__proto__') fields[key] = value
      if (text[position] === ',') position++
    }
    if (position >= text.length) skipped.push('everything after an unfinished value')
    position++
    return fields
  }

  function valueAfter(name: string, depth: number): JsonValue | undefined {
    position++
    const value = read(name, depth + 1)
    return isEnd() ? value : undefined
  }

  /** Undefined when any item is not a literal. */
  function list(depth: number): JsonValue[] | undefined {
    const items: JsonValue[] = []
    const known = skipped.length
    position++
    for (;;) {
      skipBlanks()
      if (text[position] === ']') break
      const value = position < text.length ? read('', depth + 1) : undefined
      if (value === undefined || !isEnd() || skipped.length > known) {
        skipped.length = known
        return undefined
      }
      items.push(value)
      if (text[position] === ',') position++
    }
    position++
    return items
  }

  function string(): string | undefined {
    const quote = text[position] ?? ''
    let value = ''
    for (let index = position + 1; index < text.length; index++) {
      const character = text[index] ?? ''
      if (character === quote) {
        position = index + 1
        return value
      }
      if (quote === '`' ? character === '$' && text[index + 1] === '{' : character === '\n') return undefined
      if (character === '\\') {
        const next = text[++index] ?? ''
        if (/[xu0-9]/.test(next)) return undefined
        value += next === 'n' ? '\n' : next === 't' ? '\t' : next
      } else value += character
    }
    return undefined
  }

  /** Skips blanks. Whether the value ends there. */
  function isEnd(): boolean {
    skipBlanks()
    return /[,}\]]/.test(text[position] ?? '')
  }

  /** Moves to the end of the field that begins at `start`. */
  function skipField(start: number): void {
    let open = 0
    for (position = start; position < text.length; position++) {
      const character = text[position] ?? ''
      if (/['"`]/.test(character)) skipString(character)
      else if (/[{[(]/.test(character)) open++
      else if (/[}\])]/.test(character) && open-- === 0) return
      else if (character === ',' && open === 0) return
      else if (character === '/') skipComment()
    }
  }

  /** Moves to the last character of a comment. A comment that never ends is not one. */
  function skipComment(): void {
    const start = position
    skipBlanks()
    if (position > start) position--
  }

  function skipString(quote: string): void {
    for (position++; position < text.length && text[position] !== quote; position++)
      if (text[position] === '\\') position++
  }

  function skipBlanks(): void {
    take(BLANK)
  }

  function take(pattern: RegExp): string | null {
    pattern.lastIndex = position
    const found = pattern.exec(text)?.[0] ?? null
    if (found !== null) position += found.length
    return found
  }
}
