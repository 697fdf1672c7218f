import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLParseError,
} from 'yaml'
import type { ParseIssue } from '../domain/diagnostic.ts'
import { messageOf } from '../domain/errors.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import { isNestedTooDeeply } from '../page-text/yaml-nesting.ts'
import { plainYaml } from './plain-yaml.ts'

/** A parsed YAML or JSON text that knows the position of each value. */
export interface YamlSource {
  /** The parsed value. Null for an empty text. */
  readonly value: JsonValue
  /** Position of the value at `path`, or of the nearest value around it that exists. */
  placeOf(path: Path): TextPosition
  /** The text of a number or a boolean as it is written, such as `1.10`. Null for other values. */
  writtenAt(path: Path): string | null
}

/** A file without any YAML. */
export const NO_YAML: YamlSource = {
  value: {},
  placeOf: () => ({ line: 1, column: 1 }),
  writtenAt: () => null,
}

/** A position in a file. Both numbers count from 1. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

export type Path = readonly PropertyKey[]

const MAX_BYTES = 1024 * 1024
const MAX_LEVELS = 32
/** Limits alias expansion ("billion laughs"). */
const MAX_ALIASES = 50

/**
 * Parses YAML 1.2, which includes JSON. Values are plain JSON: dates stay strings.
 * Never throws: a text that cannot be parsed yields an issue. Size and depth are limited before parsing.
 *
 * @param firstLine line number of the text's first line in its file.
 */
export function readYaml(text: string, firstLine: number): YamlSource | ParseIssue {
  const excess = limitReason(text)
  if (excess !== null) return { line: firstLine, column: 1, message: excess }

  const plain = plainYaml(text)
  if (plain === null) return parsed(text, firstLine)
  // All values are texts.
  return { value: plain, placeOf: positionsIn(plain, firstLine), writtenAt: () => null }
}

/** In a text that `plainYaml` parses, each name begins a line. */
function positionsIn(plain: JsonObject, firstLine: number): YamlSource['placeOf'] {
  let lines: ReadonlyMap<string, number> | null = null
  return ([name]) => {
    lines ??= new Map(Object.keys(plain).map((name, index) => [name, index]))
    return { line: firstLine + (lines.get(String(name)) ?? 0), column: 1 }
  }
}

function parsed(text: string, firstLine: number): YamlSource | ParseIssue {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    prettyErrors: false,
    logLevel: 'error',
    lineCounter: lines,
  })
  const positionAt = (offset: number): TextPosition => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1) + firstLine - 1, column: Math.max(col, 1) }
  }

  const located = ({ offset, message }: Mistake): ParseIssue => ({ ...positionAt(offset), message })

  const [error] = document.errors
  if (error !== undefined) return located(mistakeOf(error, document, text))
  try {
    const value = document.toJS({ maxAliasCount: MAX_ALIASES })
    return toSource(value, {
      placeOf: (path) => positionAt(offsetOf(document.contents, path)),
      writtenAt: (path) => writtenAt(document, path),
    })
  } catch (error) {
    return located(unresolvedAliasIn(document) ?? { offset: 0, message: messageOf(error) })
  }
}

interface Mistake {
  readonly offset: number
  readonly message: string
}

/** Explains common mistakes at the place where the author made them, which is often before the parser stops. */
function mistakeOf(error: YAMLParseError, document: Document, text: string): Mistake {
  const { code, pos } = error
  const [at] = pos
  if (code === 'DUPLICATE_KEY')
    return { offset: at, message: `The name ${nameAt(text, at)} is used twice. Names must be unique.` }
  if (code === 'MISSING_CHAR' || code === 'UNEXPECTED_TOKEN') {
    const cause = misquotedBefore(document, text, at)
    if (cause !== null) return cause
  }
  return { offset: at, message: plainMessage(error) }
}

/** Finds quoted text, or an alias, directly before the syntax error: its quotes end too early, or never. */
function misquotedBefore(document: Document, text: string, at: number): Mistake | null {
  let found: Mistake | null = null
  visit(document, (_, node) => {
    if (!(isScalar(node) || isAlias(node)) || !node.range) return
    const [start, end] = node.range
    if (end > at || text.slice(end, at).trim() !== '') return
    const sign = text.charAt(start)
    if (isAlias(node)) found = { offset: start, message: STARRED }
    else if (sign === '"' || sign === "'")
      found = { offset: start, message: quoteReason(sign, text.slice(start, end)) }
  })
  return found
}

function quoteReason(quote: string, written: string): string {
  return written.length > 1 && written.endsWith(quote)
    ? `Text that begins with ${quote} ends at the next ${quote}. Nothing may follow it on the line.`
    : `Text that begins with ${quote} must end with ${quote}.`
}

/** In YAML, `*name` is an alias of another value. Authors usually mean text. */
const STARRED = 'Put a value that begins with * in quotes.'

/** Finds an alias without a matching anchor. */
function unresolvedAliasIn(document: Document): Mistake | null {
  const anchors = new Set<string>()
  let found: Mistake | null = null
  visit(document, (_, node) => {
    if (isAlias(node) && !anchors.has(node.source)) {
      found = { offset: node.range?.[0] ?? 0, message: STARRED }
      return visit.BREAK
    }
    if (isNode(node) && !isAlias(node) && node.anchor !== undefined) anchors.add(node.anchor)
    return undefined
  })
  return found
}

/** The mapping key at an offset, quoted for a message. */
function nameAt(text: string, at: number): string {
  const [line = ''] = text.slice(at, at + 100).split(/[:\n]/)
  return JSON.stringify(line.trim().replace(/^(["'])(.*)\1$/, '$2'))
}

function plainMessage({ code, message }: YAMLParseError): string {
  if (code === 'BLOCK_AS_IMPLICIT_KEY' && message.startsWith('Nested mappings'))
    return 'Put a value that contains ": " in quotes.'
  const [, sign] = /^Plain value cannot start with .*character (\S)$/.exec(message) ?? []
  if (sign !== undefined) return `Put a value that begins with ${sign} in quotes.`
  const [, end] = /^Flow (?:sequence|map) .*\bend with a ([\]}])$/.exec(message) ?? []
  if (end === undefined) return message
  const [start, kind] = end === ']' ? ['[', 'a list'] : ['{', 'names and values']
  return `A value that begins with ${start} is ${kind} and must end with ${end}. Put text that begins with ${start} in quotes.`
}

export function isParseIssue(reading: YamlSource | ParseIssue): reading is ParseIssue {
  return 'message' in reading
}

function limitReason(text: string): string | null {
  if (Buffer.byteLength(text) > MAX_BYTES) return `The YAML is larger than ${MAX_BYTES} bytes.`
  return isNestedTooDeeply(text) ? 'The YAML is nested too deeply.' : null
}

function toSource(value: unknown, source: Omit<YamlSource, 'value'>): YamlSource | ParseIssue {
  const issue = jsonIssue(value, [])
  if (issue !== null) return { ...source.placeOf(issue.path), message: issue.message }
  return { value: (value ?? null) as JsonValue, ...source }
}

function writtenAt(document: Document, path: Path): string | null {
  let node: unknown = document.contents
  for (const step of path) {
    node = isAlias(node) ? node.resolve(document) : node
    node = childAt(node, step)?.node
  }
  const scalar = isAlias(node) ? node.resolve(document) : node
  if (!isScalar(scalar) || !['number', 'boolean'].includes(typeof scalar.value)) return null
  return scalar.source ?? null
}

/** Finds the first value that JSON cannot represent; null if there is none. */
function jsonIssue(value: unknown, path: Path): { path: Path; message: string } | null {
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean')
    return null
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : { path, message: 'JSON cannot represent this number.' }
  if (typeof value !== 'object' || ArrayBuffer.isView(value))
    return { path, message: 'JSON cannot represent this value.' }
  if (path.length >= MAX_LEVELS)
    return { path, message: `The value is nested more than ${MAX_LEVELS} levels deep.` }
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') return { path, message: 'The name __proto__ is not allowed.' }
    const issue = jsonIssue(inner, [...path, Array.isArray(value) ? Number(key) : key])
    if (issue !== null) return issue
  }
  return null
}

function offsetOf(contents: Node | null, path: Path): number {
  let node: unknown = contents
  let offset = contents?.range?.[0] ?? 0
  for (const step of path) {
    const found = childAt(node, step)
    if (found === null) break
    node = found.node
    offset = found.offset
  }
  return offset
}

function childAt(node: unknown, step: PropertyKey): { node: unknown; offset: number } | null {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
    return pair !== undefined && isScalar(pair.key) && pair.key.range
      ? { node: pair.value, offset: pair.key.range[0] }
      : null
  }
  const item = isSeq(node) ? node.items[Number(step)] : undefined
  const placed = isMap(item) || isSeq(item) || isScalar(item) || isAlias(item)
  return placed && item.range ? { node: item, offset: item.range[0] } : null
}
