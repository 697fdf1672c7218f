import type { JsonObject, JsonValue } from '../domain/json.ts'

/** What a program's object says without being run. */
export interface ObjectLiteral {
  /** The fields that are plain literals, those of objects within it too. */
  readonly fields: JsonObject
  /** Names of the fields that are not, e.g. `themeConfig.search`. */
  readonly skipped: readonly string[]
}

/** Deeper ones are passed over. */
const MAX_DEPTH = 32
const NAME = /[A-Za-z_$][\w$]*/y
const NUMBER = /-?\d+(?:\.\d+)?(?![\w.])/y
const BLANK = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const WORDS: Readonly<Record<string, JsonValue>> = { true: true, false: false, null: null }

/** @param at where the brace of the object stands. */
export function readObjectLiteral(text: string, at: number): ObjectLiteral {
  const skipped: string[] = []
  let place = at
  const value = read('', 0)
  return { fields: isObject(value) ? value : {}, skipped }

  /** Undefined for what is not plain; then the place may be anywhere in it. */
  function read(path: string, depth: number): JsonValue | undefined {
    blank()
    const first = text[place] ?? ''
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
    place++
    for (;;) {
      blank()
      if (place >= text.length || text[place] === '}') break
      const start = place
      const key = /['"]/.test(text[place] ?? '') ? string() : (take(NAME) ?? take(NUMBER))
      blank()
      const name = path === '' ? key : `${path}.${key}`
      const value = typeof key === 'string' && text[place] === ':' ? valueAfter(name ?? '', depth) : undefined
      if (value === undefined || typeof key !== 'string') {
        pass(start)
        // Nothing of the language: one letter further, so that this ends.
        if (place === start) place++
        skipped.push(typeof key === 'string' ? (name ?? key) : text.slice(start, place).trim().slice(0, 40))
      } else if (key !== '__proto__') fields[key] = value
      if (text[place] === ',') place++
    }
    if (place >= text.length) skipped.push('whatever else follows')
    place++
    return fields
  }

  function valueAfter(name: string, depth: number): JsonValue | undefined {
    place++
    const value = read(name, depth + 1)
    return ended() ? value : undefined
  }

  /** A list with something in it that is not plain is none as a whole. */
  function list(depth: number): JsonValue[] | undefined {
    const items: JsonValue[] = []
    const known = skipped.length
    place++
    for (;;) {
      blank()
      if (text[place] === ']') break
      const value = place < text.length ? read('', depth + 1) : undefined
      if (value === undefined || !ended() || skipped.length > known) {
        skipped.length = known
        return undefined
      }
      items.push(value)
      if (text[place] === ',') place++
    }
    place++
    return items
  }

  function string(): string | undefined {
    const quote = text[place] ?? ''
    let value = ''
    for (let index = place + 1; index < text.length; index++) {
      const letter = text[index] ?? ''
      if (letter === quote) {
        place = index + 1
        return value
      }
      if (quote === '`' ? letter === '$' && text[index + 1] === '{' : letter === '\n') return undefined
      if (letter === '\\') {
        const next = text[++index] ?? ''
        if (/[xu0-9]/.test(next)) return undefined
        value += next === 'n' ? '\n' : next === 't' ? '\t' : next
      } else value += letter
    }
    return undefined
  }

  /** Whether what was read is a whole value. */
  function ended(): boolean {
    blank()
    return /[,}\]]/.test(text[place] ?? '')
  }

  /** To the end of a field that begins at `start`, whatever stands in it. */
  function pass(start: number): void {
    let open = 0
    for (place = start; place < text.length; place++) {
      const letter = text[place] ?? ''
      if (/['"`]/.test(letter)) passString(letter)
      else if (/[{[(]/.test(letter)) open++
      else if (/[}\])]/.test(letter) && open-- === 0) return
      else if (letter === ',' && open === 0) return
      else if (letter === '/') passComment()
    }
  }

  /** To its last letter; one that never ends is none. */
  function passComment(): void {
    const start = place
    blank()
    if (place > start) place--
  }

  function passString(quote: string): void {
    for (place++; place < text.length && text[place] !== quote; place++) if (text[place] === '\\') place++
  }

  function blank(): void {
    take(BLANK)
  }

  function take(pattern: RegExp): string | null {
    pattern.lastIndex = place
    const found = pattern.exec(text)?.[0] ?? null
    if (found !== null) place += found.length
    return found
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
