import type { Nodes as HastNodes } from 'hast'
import type { Definition, Nodes as MdastNodes } from 'mdast'
import { ServiceError } from '../../domain/errors.ts'

/**
 * Everything after the parser walks trees by recursion, so a tree is measured before it is walked,
 * and a line before it is parsed: parsers take quadratic time over markers nested in one line.
 */
const MAX_MARKERS_PER_LINE = 256
const MAX_DEPTH = 256
/** Raw HTML brings levels of its own, and tables and footnotes a few more. */
const MAX_ELEMENT_DEPTH = 512

/** At the start of a line. */
const MARKERS = new RegExp(
  String.raw`(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){${MAX_MARKERS_PER_LINE + 1}}`,
  'y',
)
/** The native parser copies all of a paragraph's text up to each reference; megabytes of them end the process. */
const MAX_COPIED = 64 * 1024 * 1024
const REFERENCE_OR_EMPTY_LINE = /&(?:#x?[\da-f]{1,7}|[a-z][a-z\d]{1,31});|(?:\r\n?|\n)[ \t]*(?=[\r\n])/gi
const TOO_DEEP = 'it is nested too deeply'
const TOO_LONG = 'its HTML grows too long'
const ENGINE_LIMIT = /^(?:Maximum call stack size exceeded|Invalid string length)/
const EMPTY_CELL = '<td></td>'.length

/** The most HTML, in UTF-16 code units, that a source may become. */
export function outputLimit(source: string): number {
  return 20 * source.length + 1_048_576
}

/**
 * @throws {ServiceError} `validation_error` if a line opens too many quotes and lists at once, or if a
 *   paragraph holds too many character references for its length.
 */
export function assertParsable(source: string): void {
  if (hasCrowdedLine(source)) throw tooComplex('a line opens more than 256 quotes and lists')
  if (copiedByReferences(source) > MAX_COPIED)
    throw tooComplex('a long paragraph holds too many character references')
}

/** Most lines are too short for it. */
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

/** How much text, in UTF-16 code units, stands before the references, each counted from the last empty line. */
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

/** What a parsed page holds, as far as rendering asks. */
export interface MdastMeasurements {
  readonly hasHtml: boolean
  /** Of several for one identifier the first; by their identifiers in capitals. */
  readonly definitions: ReadonlyMap<string, Definition>
}

/**
 * Measures a parsed page, going no deeper than it allows.
 *
 * @throws {ServiceError} `validation_error` if it is nested too deeply, or if its references and
 *   tables (which repeat what was written once) make it grow beyond `limit`.
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
  /** How often each identifier is referred to. */
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
 * Measures the HTML of a page before it is printed, going no deeper than it allows.
 *
 * @throws {ServiceError} `validation_error` if it is nested too deeply or longer than `limit`.
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

/** At least what the tags take. */
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

/** @throws {ServiceError} `validation_error` if the HTML is longer than `limit`. */
export function assertOutput(html: string, limit: number): void {
  if (html.length > limit) throw tooComplex(TOO_LONG)
}

/**
 * What `work` returns. Parsers recurse over what nothing has measured yet; where that ends at a limit
 * of the engine, it means what the measures above would have said.
 *
 * @throws {ServiceError} `validation_error` when the stack or the longest string was not enough.
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
