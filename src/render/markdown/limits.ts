import type { Nodes as HastNodes } from 'hast'
import type { Nodes as MdastNodes } from 'mdast'
import { ServiceError } from '../../domain/errors.ts'
import { descend } from './descend.ts'

/**
 * Everything after the parser walks trees by recursion, so a tree is measured before it is walked,
 * and a line before it is parsed: parsers take quadratic time over markers nested in one line.
 */
const MAX_MARKERS_PER_LINE = 256
const MAX_DEPTH = 256
/** Raw HTML brings levels of its own, and tables and footnotes a few more. */
const MAX_ELEMENT_DEPTH = 512

const MARKERS = new RegExp(
  String.raw`^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){${MAX_MARKERS_PER_LINE + 1}}`,
  'm',
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
  if (MARKERS.test(source)) throw tooComplex('a line opens more than 256 quotes and lists')
  if (copiedByReferences(source) > MAX_COPIED)
    throw tooComplex('a long paragraph holds too many character references')
}

/** How much text, in UTF-16 code units, stands before the references, each counted from the last empty line. */
function copiedByReferences(source: string): number {
  let paragraph = 0
  let copied = 0
  for (const { 0: mark, index } of source.matchAll(REFERENCE_OR_EMPTY_LINE)) {
    if (mark.startsWith('&')) copied += index - paragraph
    else paragraph = index
  }
  return copied
}

/**
 * Measures a parsed page, without recursion.
 *
 * @returns whether it holds raw HTML.
 * @throws {ServiceError} `validation_error` if it is nested too deeply, or if its references and
 *   tables (which repeat what was written once) make it grow beyond `limit`.
 */
export function assertRenderable(root: MdastNodes, limit: number): { readonly hasHtml: boolean } {
  const definitionSizes = new Map<string, number>()
  const referenceCounts = new Map<string, number>()
  let cells = 0
  let hasHtml = false

  for (const { node, depth } of descend(root)) {
    if (depth > MAX_DEPTH) throw tooComplex(TOO_DEEP)
    if (node.type === 'html') hasHtml = true
    if (node.type === 'table') cells += (node.align?.length ?? 0) * node.children.length
    if (node.type === 'definition' && !definitionSizes.has(node.identifier)) {
      definitionSizes.set(node.identifier, node.url.length + (node.title?.length ?? 0))
    }
    if (node.type === 'linkReference' || node.type === 'imageReference') {
      referenceCounts.set(node.identifier, (referenceCounts.get(node.identifier) ?? 0) + 1)
    }
  }

  let size = cells * EMPTY_CELL
  for (const [identifier, count] of referenceCounts) size += count * (definitionSizes.get(identifier) ?? 0)
  if (size > limit) throw tooComplex('its references and tables expand too far')
  return { hasHtml }
}

/**
 * Measures the HTML of a page before it is printed, without recursion.
 *
 * @throws {ServiceError} `validation_error` if it is nested too deeply or longer than `limit`.
 */
export function assertPrintable(root: HastNodes, limit: number): void {
  let size = 0
  for (const { node, depth } of descend(root)) {
    if (depth > MAX_ELEMENT_DEPTH) throw tooComplex(TOO_DEEP)
    size += node.type === 'element' ? elementSize(node.tagName, node.properties) : textSize(node)
    if (size > limit) throw tooComplex(TOO_LONG)
  }
}

/** At least what the tags take. */
function elementSize(tagName: string, properties: Readonly<Record<string, unknown>>): number {
  let size = tagName.length
  for (const value of Object.values(properties)) if (typeof value === 'string') size += value.length
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
