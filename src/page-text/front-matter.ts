import { LRUCache } from 'lru-cache'
import { type Document, isScalar, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml'
import type { ParseIssue } from '../domain/diagnostic.ts'
import { messageOf } from '../domain/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { fieldsWithNul, NUL_MESSAGE, withoutNul } from '../domain/nul-characters.ts'
import { isNestedTooDeeply } from './yaml-nesting.ts'

export interface FrontMatter {
  /** Empty when there is none or it is invalid. */
  readonly frontMatter: JsonObject
  /** The text after the closing `---`; without front matter the whole text, except a byte order mark. */
  readonly body: string
  /** The reason why the front matter is ignored, with the line in the whole text; null if it is valid. */
  readonly error: Omit<ParseIssue, 'column'> | null
}

interface Parts {
  /** The lines between the two `---`; null when the text does not start with front matter. */
  readonly yaml: string | null
  readonly body: string
}

const OPENING = /^---[ \t]*(?:\r\n|\r|\n)/
/** `^` and `$` would also match at U+2028 and U+2029, which end no line in Markdown or YAML. */
const CLOSING = /(?<![^\r\n])---[ \t]*(?:\r\n|\r|\n|(?![\s\S]))/

const MAX_BYTES = 64 * 1024
/** Maximum nesting of the value, as for a page's `config`. */
const MAX_LEVELS = 32
/**
 * Characters that may begin or end a YAML token. The parser takes up to 20 µs for each, and it runs in the process that
 * answers requests.
 */
const MAX_MARKS = 2_500
const MARK = /[\n\r[\]{},&*!?]|:(?=\s)|-(?= )/g
/** Bytes of text whose front matter is cached: a request reads it several times, and so do requests that follow. */
const CACHED_LENGTH = 4_000_000
/** The length of a cache entry besides its text. */
const ENTRY_LENGTH = 1_000
/** More aliases suggest an attempt to expand a small text into a huge value. */
const MAX_ALIASES = 50

/**
 * Splits YAML front matter from a page's Markdown. Values are JSON: dates stay strings. Never throws. Invalid
 * front matter is reported and counts as empty.
 */
export function splitFrontMatter(markdown: string): FrontMatter {
  const { yaml, body } = split(markdown)
  if (yaml === null) return { frontMatter: {}, body, error: null }

  return { body, ...(cache.get(yaml) ?? readAndCache(copyOf(yaml))) }
}

/** A text of its own: the part of a longer text would keep all of it in memory. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

function readAndCache(yaml: string): Read {
  const read = readWithinLimits(yaml)
  cache.set(yaml, read)
  return read
}

type Read = Pick<FrontMatter, 'frontMatter' | 'error'>

const cache = new LRUCache<string, Read>({
  maxSize: CACHED_LENGTH,
  sizeCalculation: (_, yaml) => ENTRY_LENGTH + yaml.length,
})

function readWithinLimits(yaml: string): Read {
  const fault = limitError(yaml)
  if (fault !== null) return { frontMatter: {}, error: { line: 1, message: fault } }
  // Each error of the parser would record a stack trace.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return read(yaml)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The Markdown without its front matter, which is not parsed. */
export function bodyOf(markdown: string): string {
  return split(markdown).body
}

function split(markdown: string): Parts {
  const text = markdown.startsWith('\uFEFF') ? markdown.slice(1) : markdown
  const opening = OPENING.exec(text)
  if (opening === null) return { yaml: null, body: text }

  const rest = text.slice(opening[0].length)
  const closing = CLOSING.exec(rest)
  if (closing === null) return { yaml: null, body: text }
  return { yaml: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length) }
}

function limitError(yaml: string): string | null {
  if (Buffer.byteLength(yaml) > MAX_BYTES) return 'Front matter is larger than 64 KiB.'
  if ((yaml.match(MARK) ?? []).length > MAX_MARKS)
    return `Front matter has more than ${MAX_MARKS.toLocaleString('en')} line breaks, colons, brackets and commas.`
  return isNestedTooDeeply(yaml) ? 'Front matter is nested too deeply.' : null
}

function read(yaml: string): Read {
  const lineCounter = new LineCounter()
  const document = parseDocument(yaml, {
    version: '1.2',
    schema: 'core',
    // Otherwise `!!timestamp` and `!!binary` would create values that JSON cannot represent.
    resolveKnownTags: false,
    // The parser's check takes quadratic time; `repeatedKey` does not.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
    lineCounter,
  })
  // The opening `---` is line 1.
  const lineAt = (offset: number): number => lineCounter.linePos(offset).line + 1

  const [error] = document.errors
  if (error !== undefined) return invalid(lineAt(error.pos[0]), error.message)
  const repeated = repeatedKey(document)
  if (repeated !== null) return invalid(lineAt(repeated.offset), `The name ${repeated.name} occurs twice.`)

  const value = toJs(document)
  return typeof value === 'string' ? invalid(1, value) : { frontMatter: value, error: null }
}

/** The first key that occurs twice in a mapping. */
function repeatedKey(document: Document): { name: string; offset: number } | null {
  let repeated: { name: string; offset: number } | null = null
  visit(document, {
    Map(_, map: YAMLMap) {
      const seen = new Set<string>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        const name = String(key.value)
        if (seen.has(name)) {
          repeated = { name, offset: key.range?.[0] ?? 0 }
          return visit.BREAK
        }
        seen.add(name)
      }
      return undefined
    },
  })
  return repeated
}

/** The value, or an error message. */
function toJs(document: Document): JsonObject | string {
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {}
  } catch (error) {
    return messageOf(error)
  }
  if (!isJsonObject(value)) return 'Front matter must be a YAML mapping of names to values.'
  return valueError(value, MAX_LEVELS) ?? nulIn(value) ?? value
}

/** The error of a NUL character, from a YAML escape such as `\0`. Null without one. */
function nulIn(value: JsonObject): string | null {
  const [field] = fieldsWithNul(value)
  return field === undefined ? null : `The field ${withoutNul(field)} ${NUL_MESSAGE}`
}

function invalid(line: number, message: string): Read {
  return { frontMatter: {}, error: { line, message } }
}

/** The reason why the value is not plain JSON; null when it is. */
function valueError(value: JsonValue, levels: number): string | null {
  if (typeof value === 'number' && !Number.isFinite(value))
    return 'Front matter must not contain infinite numbers.'
  if (typeof value !== 'object' || value === null) return null
  if (levels === 0) return `Front matter is nested more than ${MAX_LEVELS} levels deep.`
  if (Object.hasOwn(value, '__proto__')) return 'Front matter must not use the name __proto__.'
  for (const inner of Object.values(value)) {
    const fault = valueError(inner, levels - 1)
    if (fault !== null) return fault
  }
  return null
}
