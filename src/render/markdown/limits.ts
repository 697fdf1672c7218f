import type { Nodes as HastNodes } from 'hast'
import type { Definition, Nodes as MdastNodes } from 'mdast'
import { ServiceError } from '../../domain/errors.ts'

/**
 * Lines are checked before parsing, because parsers take quadratic time over nested markers in one line.
 * Trees are checked before they are walked, because every later step recurses.
 */
const MAX_MARKERS_PER_LINE = 256
const MAX_DEPTH = 256
/** Raw HTML adds levels of its own; tables and footnotes add a few. */
const MAX_ELEMENT_DEPTH = 512

/** Matches at the start of a line. */
const MARKERS = new RegExp(
  String.raw`(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){${MAX_MARKERS_PER_LINE + 1}}`,
  'y',
)
/**
 * The native parser copies the paragraph's text up to each character reference; many megabytes of copies
 * would exhaust memory.
 */
const MAX_COPIED = 64 * 1024 * 1024
const REFERENCE_OR_EMPTY_LINE = /&(?:#x?[\da-f]{1,7}|[a-z][a-z\d]{1,31});|(?:\r\n?|\n)[ \t]*(?=[\r\n])/gi
const TOO_DEEP = 'it is nested too deeply'
const TOO_LONG = 'its HTML grows too long'
const ENGINE_LIMIT = /^(?:Maximum call stack size exceeded|Invalid string length)/
const EMPTY_CELL = '<td></td>'.length

/** Longest allowed HTML for a source, in UTF-16 code units. */
export function outputLimit(source: string): number {
  return 20 * source.length + 1_048_576
}

/**
 * @throws {ServiceError} `validation_error` when a line opens too many quotes and lists, or a paragraph has
 *   too many character references for its length.
 */
export function assertParsable(source: string): void {
  if (hasCrowdedLine(source)) throw tooComplex('a line opens more than 256 quotes and lists')
  if (copiedByReferences(source) > MAX_COPIED)
    throw tooComplex('a long paragraph holds too many character references')
}

/** The length check rules out almost every line. */
function hasCrowdedLine(source: string): boolean {
  const lines = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source
  for (let start = 0; start < lines.length; ) {
    const next = lines.indexOf('\n', start)
    const end = next === -1 ? lines.length : next
    MARKERS.lastIndex = start
    if (end - start > MAX_MARKERS_PER_LINE && MARKERS.test(lines)) return true
    start = end + 1
  }
  return false
}

/** Total length of the text before each reference, in UTF-16 code units, counted from the last empty line. */
function copiedByReferences(source: string): number {
  if (!source.includes('&')) return 0
  let paragraph = 0
  let copied = 0
  for (const { 0: mark, index } of source.matchAll(REFERENCE_OR_EMPTY_LINE)) {
    if (mark.startsWith('&')) copied += index - paragraph
    else paragraph = index
  }
  return copied
}

/** Result of `assertRenderable`. */
export interface MdastMeasurements {
  readonly hasHtml: boolean
  /** Link definitions by identifier in upper case. The first of several with one identifier counts. */
  readonly definitions: ReadonlyMap<string, Definition>
}

/**
 * Measures a parsed page, no deeper than the limit.
 *
 * @throws {ServiceError} `validation_error` when it is nested too deeply, or when its references and tables, which
 *   repeat text, could exceed `limit`.
 */
export function assertRenderable(root: MdastNodes, limit: number): MdastMeasurements {
  const found = { definitions: new Map(), references: new Map(), cells: 0, hasHtml: false }
  measure(root, 0, found)

  let size = found.cells * EMPTY_CELL
  for (const [identifier, count] of found.references)
    size += count * sizeOf(found.definitions.get(identifier))
  if (size > limit) throw tooComplex('its references and tables expand too far')
  return found
}

interface Counters {
  readonly definitions: Map<string, Definition>
  /** Number of references by identifier. */
  readonly references: Map<string, number>
  cells: number
  hasHtml: boolean
}

function measure(node: MdastNodes, depth: number, found: Counters): void {
  if (depth > MAX_DEPTH) throw tooComplex(TOO_DEEP)
  switch (node.type) {
    case 'html':
      found.hasHtml = true
      break
    case 'table':
      found.cells += (node.align?.length ?? 0) * node.children.length
      break
    case 'definition': {
      const name = node.identifier.toUpperCase()
      if (!found.definitions.has(name)) found.definitions.set(name, node)
      break
    }
    case 'linkReference':
    case 'imageReference': {
      const name = node.identifier.toUpperCase()
      found.references.set(name, (found.references.get(name) ?? 0) + 1)
      break
    }
  }
  if ('children' in node) for (const child of node.children) measure(child, depth + 1, found)
}

function sizeOf(definition: Definition | undefined): number {
  return definition === undefined ? 0 : definition.url.length + (definition.title?.length ?? 0)
}

/**
 * Measures the HTML tree of a page before it is printed, no deeper than the limit.
 *
 * @throws {ServiceError} `validation_error` when it is nested too deeply or is longer than `limit`.
 */
export function assertPrintable(root: HastNodes, limit: number): void {
  measureElements(root, 0, { left: limit })
}

function measureElements(node: HastNodes, depth: number, room: { left: number }): void {
  if (depth > MAX_ELEMENT_DEPTH) throw tooComplex(TOO_DEEP)
  room.left -= node.type === 'element' ? elementSize(node.tagName, node.properties) : textSize(node)
  if (room.left < 0) throw tooComplex(TOO_LONG)
  if ('children' in node) for (const child of node.children) measureElements(child, depth + 1, room)
}

/** A lower bound for the length of the tags. */
function elementSize(tagName: string, properties: Readonly<Record<string, unknown>>): number {
  let size = tagName.length
  for (const name in properties) {
    const value = properties[name]
    if (typeof value === 'string') size += value.length
  }
  return size
}

function textSize(node: HastNodes): number {
  return 'value' in node ? node.value.length : 0
}

/** @throws {ServiceError} `validation_error` when the HTML is longer than `limit`. */
export function assertOutput(html: string, limit: number): void {
  if (html.length > limit) throw tooComplex(TOO_LONG)
}

/**
 * Runs `work` and translates engine limits. Parsers recurse over text that nothing has measured yet, so a
 * full stack or an overlong string means the same as the checks above.
 *
 * @throws {ServiceError} `validation_error` when the stack or the maximum string length was exceeded.
 */
export function withinEngine<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof RangeError && ENGINE_LIMIT.test(error.message)
      ? tooComplex(TOO_DEEP, error)
      : error
  }
}

function tooComplex(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('validation_error', `Too complex to render: ${reason}.`, { cause })
}
