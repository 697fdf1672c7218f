import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { readStringLiteral } from './string-literal.ts'

/** An object literal of a program that is not run. */
export interface ObjectLiteral {
  /** The fields whose values are literals, also in nested objects. */
  readonly fields: JsonObject
  /** Names of the other fields, e.g. `themeConfig.search`. */
  readonly skipped: readonly string[]
}

export interface LiteralReading {
  /** Undefined when it is not a literal. */
  readonly value: JsonValue | undefined
  readonly skipped: readonly string[]
  /** The offset after the literal. */
  readonly end: number
}

/** The offset of the value of each constant of a program, by name. */
export type Constants = ReadonlyMap<string, number>

const NO_CONSTANTS: Constants = new Map()
/** Deeper values are skipped. */
const MAX_DEPTH = 32
/** Constants may name each other: without a bound, a small program would stand for more values than fit in memory. */
const MAX_VALUES = 100_000
const NAME = /[A-Za-z_$][\w$]*/y
const NUMBER = /-?\d+(?:\.\d+)?(?![\w.])/y
const BLANK = /(?:\s|\/\/[^\n]*(?![^\n])|\/\*(?:(?!\*\/)[\s\S])*\*\/)*/y
/** A function whose value is its only argument, the name of a file. */
const FILE_CALL =
  /(?:(?:require(?:\.resolve)?|useBaseUrl)\(|path\.(?:resolve|join)\((?:\s*__dirname\s*,)?)\s*(?=['"])/y
const AFTER_FILE_CALL = /\s*,?\s*\)(?:\.default)?/y
/** A function that returns its argument, for its type alone. */
const DEFINE = /^define[A-Z]\w*$/
const NO_ARGUMENTS = /\(\s*\)/y
/** `as const` or a type after a value. */
const TYPE_NOTE = /(?:as|satisfies)\s+[\w.$]+(?:<[^<>]*>)?(?:\[\])*/y
const WORDS: Readonly<Record<string, JsonValue>> = { true: true, false: false, null: null }

/** @param at the offset of the object's opening brace. */
export function readObjectLiteral(text: string, at: number, constants?: Constants): ObjectLiteral {
  const { value, skipped } = readLiteral(text, at, constants)
  return { fields: isJsonObject(value) ? value : {}, skipped }
}

/** @param at the offset of the value. */
export function readLiteral(text: string, at: number, constants: Constants = NO_CONSTANTS): LiteralReading {
  const skipped: string[] = []
  const open = new Set<string>()
  let count = 0
  let position = at
  const value = read('', 0)
  return { value, skipped, end: position }

  /** Reads one value. Undefined when it is not a literal; the position may then be anywhere inside of it. */
  function read(path: string, depth: number): JsonValue | undefined {
    skipBlanks()
    if (++count > MAX_VALUES) return undefined
    const first = text[position] ?? ''
    if (first === '{' && depth < MAX_DEPTH) return object(path, depth)
    if (first === '[' && depth < MAX_DEPTH) return list(path, depth)
    if (first === '(' && depth < MAX_DEPTH) return grouped(path, depth)
    if (/['"`]/.test(first)) return string()
    const number = take(NUMBER)
    if (number !== null) return Number(number)
    if (take(FILE_CALL) !== null) {
      const file = string()
      return take(AFTER_FILE_CALL) === null ? undefined : file
    }
    const word = take(NAME)
    if (word === null) return undefined
    if (Object.hasOwn(WORDS, word)) return WORDS[word]
    if (text[position] === '(' && DEFINE.test(word)) return grouped(path, depth)
    if (text[position] === '(' && take(NO_ARGUMENTS) === null) return undefined
    return constant(word, depth)
  }

  /** A value in parentheses, as after a comment that names its type. */
  function grouped(path: string, depth: number): JsonValue | undefined {
    position++
    const value = read(path, depth + 1)
    skipBlanks()
    if (text[position] !== ')') return undefined
    position++
    return value
  }

  function constant(name: string, depth: number): JsonValue | undefined {
    const start = constants.get(name)
    if (start === undefined || open.has(name) || depth >= MAX_DEPTH) return undefined
    const [back, known] = [position, skipped.length]
    open.add(name)
    position = start
    const found = read('', depth + 1)
    const isWhole = skipped.length === known
    open.delete(name)
    position = back
    skipped.length = known
    return isWhole || Array.isArray(found) || isJsonObject(found) ? found : undefined
  }

  function object(path: string, depth: number): JsonObject {
    const fields: Record<string, JsonValue> = {}
    position++
    for (;;) {
      skipBlanks()
      if (position >= text.length || text[position] === '}') break
      const start = position
      if (spread(depth, (found) => isJsonObject(found) && Object.assign(fields, found))) continue
      const key = /['"]/.test(text[position] ?? '') ? string() : (take(NAME) ?? take(NUMBER))
      skipBlanks()
      const name = path === '' ? key : `${path}.${key}`
      const value = typeof key === 'string' ? fieldValue(key, name ?? '', depth) : undefined
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

  /** The value after a key, or that of the constant with its name. */
  function fieldValue(key: string, name: string, depth: number): JsonValue | undefined {
    if (text[position] !== ':') return /[,}]/.test(text[position] ?? '') ? constant(key, depth) : undefined
    position++
    const value = read(name, depth + 1)
    return isEnd() ? value : undefined
  }

  /** Items that are not literals are skipped. Undefined when none is one. */
  function list(path: string, depth: number): JsonValue[] | undefined {
    const items: JsonValue[] = []
    const known = skipped.length
    position++
    for (let index = 0; ; index++) {
      skipBlanks()
      if (position >= text.length || text[position] === ']') break
      const start = position
      if (spread(depth, (found) => Array.isArray(found) && items.push(...found))) continue
      const name = `${path}[${index}]`
      const value = read(name, depth + 1)
      if (value !== undefined && isEnd()) items.push(value)
      else {
        skipField(start)
        if (position === start) position++
        skipped.push(name)
      }
      if (text[position] === ',') position++
    }
    position++
    if (items.length > 0 || skipped.length === known) return items
    skipped.length = known
    return undefined
  }

  /** Reads `...name` if it is next. A known value is taken, an unknown one skipped. Returns whether it was next. */
  function spread(depth: number, take: (value: JsonValue | undefined) => unknown): boolean {
    if (!text.startsWith('...', position)) return false
    const start = position
    position += 3
    const value = read('', depth + 1)
    if (value === undefined || !isEnd()) {
      skipField(start)
      skipped.push(text.slice(start, position).trim().slice(0, 40))
    } else take(value)
    if (text[position] === ',') position++
    return true
  }

  function string(): string | undefined {
    const found = readStringLiteral(text, position)
    if (found === null) return undefined
    position = found.end
    return found.value
  }

  /** Skips blanks and the note of a type. Whether the value ends there. */
  function isEnd(): boolean {
    skipBlanks()
    if (take(TYPE_NOTE) !== null) skipBlanks()
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
