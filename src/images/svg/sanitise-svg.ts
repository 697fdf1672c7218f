import type { ImageFacts } from '../../domain/image.ts'
import { badImage } from '../image-error.ts'
import { createReferences } from './svg-references.ts'
import { ELEMENTS, isSafeAttribute, isSafeStyle, UNWRAPPED } from './svg-schema.ts'
import { svgSize } from './svg-size.ts'
import { type XmlToken, xmlTokens } from './xml-tokens.ts'

/** Larger drawings take seconds to draw. In bytes. */
const MAX_SVG_BYTES = 5_000_000
const MAX_DEPTH = 256
/** Tags and attributes. Maps of countries have some ten thousand; each takes a browser as long as it takes here. */
const MAX_PARTS = 200_000
const NAMESPACE = 'http://www.w3.org/2000/svg'

export interface SafeSvg {
  readonly svg: string
  readonly size: Pick<ImageFacts, 'width' | 'height'>
}

type StartTag = Extract<XmlToken, { kind: 'start' }>

interface OpenElement {
  readonly name: string
  /** The name under which it is written; null for one that is left out. */
  readonly written: string | null
  /** Its id, or the id of the nearest ancestor with one; empty for none. */
  readonly part: string
  /** True if its contents are left out too. */
  readonly isDropped: boolean
}

/**
 * Writes an SVG again with the elements and attributes of an allow list only: without scripts, event handlers, links,
 * other documents, references to other files, entities, comments and metadata. The result is well-formed XML.
 *
 * Reads the file once and keeps the open elements only, so that time and memory grow with its size alone.
 *
 * @throws {ServiceError} `validation_error` if it is not well formed, too large or too deep.
 */
export function sanitiseSvg(source: string): SafeSvg {
  if (Buffer.byteLength(source) > MAX_SVG_BYTES)
    throw badImage(`The SVG has more than ${MAX_SVG_BYTES / 1e6} MB. Simplify it, or export it as PNG.`)
  const parts: string[] = []
  const open: OpenElement[] = []
  const references = createReferences()
  let size: SafeSvg['size'] | null = null
  let style: string[] | null = null
  let count = 0

  for (const token of xmlTokens(source.replace(/^\ufeff/, ''))) {
    if (token.kind === 'text') addText(token.text)
    else if (token.kind === 'end') close(token.name)
    else start(token)
  }
  if (open.length > 0 || size === null)
    throw badImage('The SVG ends before its last element does. Export it again.')
  references.assertBounded()
  return { svg: `${parts.join('')}\n`, size }

  function start(token: StartTag): void {
    count += 1 + token.attributes.size
    if (count > MAX_PARTS)
      throw badImage(
        `The SVG has more than ${MAX_PARTS} elements and attributes. Simplify it, or export it as PNG.`,
      )
    if (open.length === MAX_DEPTH) throw badImage('The SVG is nested too deeply. Simplify it.')
    const name = token.name.replace(/^svg:/, '')
    const isRoot = size === null
    if (isRoot && name !== 'svg') throw badImage('The file is no SVG: its first element is not "svg".')
    if (!isRoot && open.length === 0) throw badImage('The SVG has elements behind its end. Export it again.')
    const isDropped = isInside() || !(ELEMENTS.has(name) || UNWRAPPED.has(name))
    const written = isDropped || UNWRAPPED.has(name) ? null : name
    const attributes =
      written === null ? new Map<string, string>() : safeAttributes(written, token.attributes)
    if (isRoot) size = svgSize(token.attributes)
    const around = open.at(-1)?.part ?? ''
    references.add(around, attributes)
    if (written === 'style') style = []
    else if (written !== null) parts.push(startTag(written, attributes, { isRoot, isEmpty: token.isEmpty }))
    if (token.isEmpty) {
      if (written === 'style') style = null
      return
    }
    open.push({ name: token.name, written, part: attributes.get('id') || around, isDropped })
  }

  function close(name: string): void {
    const element = open.pop()
    if (element === undefined || element.name !== name)
      throw badImage(
        `The SVG is not well-formed XML: </${name.slice(0, 40)}> closes nothing. Export it again.`,
      )
    if (element.written === 'style') addStyle()
    else if (element.written !== null) parts.push(`</${element.written}>`)
  }

  function addText(text: string): void {
    if (open.length === 0) {
      if (text.trim() !== '') throw badImage('The SVG has text outside its elements. Export it again.')
    } else if (style !== null) style.push(text)
    else if (!isInside()) parts.push(escaped(text))
  }

  function addStyle(): void {
    const css = (style ?? []).join('')
    style = null
    if (isSafeStyle(css)) parts.push(`<style>${escaped(css)}</style>`)
  }

  /** Reports whether an element around this place is left out, or is a style sheet, which has no elements. */
  function isInside(): boolean {
    return style !== null || (open.at(-1)?.isDropped ?? false)
  }
}

function safeAttributes(
  element: string,
  attributes: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const safe = new Map<string, string>()
  for (const [name, value] of attributes) {
    const written = name === 'xlink:href' ? 'href' : name
    if (!safe.has(written) && isSafeAttribute(element, written, value)) safe.set(written, value)
  }
  return safe
}

function startTag(
  name: string,
  attributes: ReadonlyMap<string, string>,
  { isRoot, isEmpty }: { readonly isRoot: boolean; readonly isEmpty: boolean },
): string {
  const written = [...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')
  return `<${name}${isRoot ? ` xmlns="${NAMESPACE}"` : ''}${written}${isEmpty ? '/' : ''}>`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '\n',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? character)
}
