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
import { messageOf } from '../domain/errors.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import { plainYaml } from './plain-yaml.ts'

/** A YAML or JSON text, read, that still knows where everything was written. */
export interface YamlSource {
  /** Null for a text without content. */
  readonly value: JsonValue
  /** Where the value at `path` was written, or the nearest thing around it that was. */
  placeOf(path: Path): TextPlace
}

/** In a file, both from 1. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

export interface ParseIssue extends TextPlace {
  readonly message: string
}

export type Path = readonly PropertyKey[]

const MAX_BYTES = 1024 * 1024
const MAX_LEVELS = 32
/** Levels the text may seem to have, brackets in prose included: the parser can end the process on deep text. */
const MAX_BRACKETS = 64
const DEEP_INDENT = /^[ \t?:-]{129}/m
/** More than this many is an attempt to make little text a large value. */
const MAX_ALIASES = 50

/**
 * Reads YAML 1.2, of which JSON is a part. Values are JSON: dates stay strings.
 * Never throws: a text that cannot be read is a fault, bounded before it is parsed.
 *
 * @param firstLine the number of the text's first line in its file.
 */
export function readYaml(text: string, firstLine: number): YamlSource | ParseIssue {
  const unbounded = boundsFault(text)
  if (unbounded !== null) return { line: firstLine, column: 1, message: unbounded }

  const plain = plainYaml(text)
  return plain === null ? parsed(text, firstLine) : { value: plain, placeOf: placesIn(plain, firstLine) }
}

/** Each name stands at the beginning of a line. */
function placesIn(plain: JsonObject, firstLine: number): YamlSource['placeOf'] {
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
  const placeAt = (offset: number): TextPlace => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1) + firstLine - 1, column: Math.max(col, 1) }
  }

  const placed = ({ offset, message }: Slip): ParseIssue => ({ ...placeAt(offset), message })

  const [error] = document.errors
  if (error !== undefined) return placed(slipOf(error, document, text))
  try {
    const value = document.toJS({ maxAliasCount: MAX_ALIASES })
    return toSource(value, (path) => placeAt(offsetOf(document.contents, path)))
  } catch (error) {
    return placed(unresolvedIn(document) ?? { offset: 0, message: messageOf(error) })
  }
}

interface Slip {
  readonly offset: number
  readonly message: string
}

/** The most common slips are told in the words of who makes them, where they were made. */
function slipOf(error: YAMLParseError, document: Document, text: string): Slip {
  const { code, pos } = error
  const [at] = pos
  if (code === 'DUPLICATE_KEY')
    return { offset: at, message: `The name ${nameAt(text, at)} stands here once more; it may stand once.` }
  if (code === 'MISSING_CHAR' || code === 'UNEXPECTED_TOKEN') {
    const before = lastBefore(document, text, at)
    if (before !== null) return before
  }
  return { offset: at, message: plainMessage(error) }
}

/** A text in quotes, or what begins with a star, that what is at fault follows at once: it ends too early, or never. */
function lastBefore(document: Document, text: string, at: number): Slip | null {
  let found: Slip | null = null
  visit(document, (_, node) => {
    if (!(isScalar(node) || isAlias(node)) || !node.range) return
    const [start, end] = node.range
    if (end > at || text.slice(end, at).trim() !== '') return
    const sign = text.charAt(start)
    if (isAlias(node)) found = { offset: start, message: STARRED }
    else if (sign === '"' || sign === "'")
      found = { offset: start, message: quoteFault(sign, text.slice(start, end)) }
  })
  return found
}

function quoteFault(quote: string, written: string): string {
  return written.length > 1 && written.endsWith(quote)
    ? `A text that begins with ${quote} ends with the next ${quote}: nothing may follow that.`
    : `A text that begins with ${quote} must end with ${quote}.`
}

/** What begins with a star is the name of another value in YAML, and mostly meant as text. */
const STARRED = 'A value that begins with * must be put in quotes.'

function unresolvedIn(document: Document): Slip | null {
  const anchors = new Set<string>()
  let found: Slip | null = null
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

/** In quotes. */
function nameAt(text: string, at: number): string {
  const [line = ''] = text.slice(at, at + 100).split(/[:\n]/)
  return JSON.stringify(line.trim().replace(/^(["'])(.*)\1$/, '$2'))
}

function plainMessage({ code, message }: YAMLParseError): string {
  if (code === 'BLOCK_AS_IMPLICIT_KEY' && message.startsWith('Nested mappings'))
    return 'A value that has ": " in it must be put in quotes.'
  const [, sign] = /^Plain value cannot start with .*character (\S)$/.exec(message) ?? []
  if (sign !== undefined) return `A value that begins with ${sign} must be put in quotes.`
  const [, end] = /^Flow (?:sequence|map) .*\bend with a ([\]}])$/.exec(message) ?? []
  if (end === undefined) return message
  const [start, kind] = end === ']' ? ['[', 'a list'] : ['{', 'names and values']
  return `A value that begins with ${start} is ${kind} and must end with ${end}; a text that does is put in quotes.`
}

export function isParseIssue(reading: YamlSource | ParseIssue): reading is ParseIssue {
  return 'message' in reading
}

function boundsFault(text: string): string | null {
  if (Buffer.byteLength(text) > MAX_BYTES) return `The YAML is larger than ${MAX_BYTES} bytes.`
  return DEEP_INDENT.test(text) || openBrackets(text) > MAX_BRACKETS ? 'The YAML is nested too deeply.' : null
}

/** The most brackets open at once, those in quotes and comments counted too. */
function openBrackets(text: string): number {
  let open = 0
  let most = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = bracket === '[' || bracket === '{' ? open + 1 : Math.max(0, open - 1)
    most = Math.max(most, open)
  }
  return most
}

function toSource(value: unknown, placeOf: YamlSource['placeOf']): YamlSource | ParseIssue {
  const fault = jsonFault(value, [])
  if (fault !== null) return { ...placeOf(fault.path), message: fault.message }
  return { value: (value ?? null) as JsonValue, placeOf }
}

/** The first place at which this is not a plain JSON value, or null when it is one. */
function jsonFault(value: unknown, path: Path): { path: Path; message: string } | null {
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean')
    return null
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : { path, message: 'This is not a number JSON has.' }
  if (typeof value !== 'object' || ArrayBuffer.isView(value))
    return { path, message: 'This is not a value JSON has.' }
  if (path.length >= MAX_LEVELS)
    return { path, message: `The value is nested more than ${MAX_LEVELS} levels deep.` }
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') return { path, message: 'The name __proto__ is not allowed.' }
    const fault = jsonFault(inner, [...path, Array.isArray(value) ? Number(key) : key])
    if (fault !== null) return fault
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
