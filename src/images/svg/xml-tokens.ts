import { badImage } from '../image-error.ts'

/** A part of an XML document. Comments, processing instructions and the document type are left out. */
export type XmlToken =
  | {
      readonly kind: 'start'
      readonly name: string
      readonly attributes: ReadonlyMap<string, string>
      /** True if the tag closes itself; no `end` follows then. */
      readonly isEmpty: boolean
    }
  | { readonly kind: 'end'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }

const NAME = '[\\p{L}_][\\p{L}\\p{M}\\p{N}_.:-]*'
const START = new RegExp(`<(${NAME})`, 'uy')
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'uy')
const START_END = /\s*(\/?)>/y
const END = new RegExp(`</(${NAME})\\s*>`, 'uy')

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** Characters that XML 1.0 does not have, and other control characters. */
const NOT_XML = /[\p{Cs}\ufffe\uffff]|(?![\t\n\r])\p{Cc}/gu
/** Characters of a document type: drawing programs write some hundred. */
const MAX_DOCUMENT_TYPE = 65_536

/**
 * Reads XML in one pass. Only the five entities of XML and numbers are resolved: declarations of others are ignored. An
 * attribute with another entity is left out, and in text the entity is removed.
 *
 * @throws {ServiceError} `validation_error` if the text is not well formed. Browsers reject it as well.
 */
export function* xmlTokens(xml: string): Generator<XmlToken> {
  for (let at = 0; at < xml.length; ) {
    if (xml[at] !== '<') {
      const end = indexFrom(xml, '<', at)
      yield { kind: 'text', text: decoded(xml.slice(at, end)).text }
      at = end
    } else if (xml.startsWith('<!--', at)) at = after(xml, '-->', at + 4)
    else if (xml.startsWith('<![CDATA[', at)) {
      const end = after(xml, ']]>', at)
      yield { kind: 'text', text: xml.slice(at + 9, end - 3).replaceAll(NOT_XML, '') }
      at = end
    } else if (xml.startsWith('<?', at)) at = after(xml, '?>', at)
    else if (xml.startsWith('<!', at)) at = afterDocumentType(xml, at)
    else if (xml.startsWith('</', at)) {
      const [whole, name = ''] = match(END, xml, at) ?? notWellFormed(xml, at)
      yield { kind: 'end', name }
      at += whole.length
    } else {
      const start = startTag(xml, at)
      yield start.token
      at = start.end
    }
  }
}

function startTag(xml: string, from: number): { readonly token: XmlToken; readonly end: number } {
  const [opened, name = ''] = match(START, xml, from) ?? notWellFormed(xml, from)
  const attributes = new Map<string, string>()
  let at = from + opened.length
  for (let found = match(ATTRIBUTE, xml, at); found !== null; found = match(ATTRIBUTE, xml, at)) {
    const [whole, key = '', double, single] = found
    const { text, isWhole } = decoded(double ?? single ?? '')
    if (attributes.has(key)) notWellFormed(xml, at)
    if (isWhole) attributes.set(key, text)
    at += whole.length
  }
  const [closed, slash] = match(START_END, xml, at) ?? notWellFormed(xml, at)
  return { token: { kind: 'start', name, attributes, isEmpty: slash === '/' }, end: at + closed.length }
}

/** @returns the text, and whether every entity in it is known. */
function decoded(raw: string): { readonly text: string; readonly isWhole: boolean } {
  let isWhole = true
  const text = raw.replaceAll(
    /&(#x[\da-f]{1,6}|#\d{1,7}|[^;&\s]{0,64});?|&/gi,
    (_, reference: string | undefined) => {
      const character = reference === undefined ? undefined : resolved(reference)
      isWhole &&= character !== undefined
      return character ?? ''
    },
  )
  return { text: text.replaceAll(NOT_XML, ''), isWhole }
}

function resolved(reference: string): string | undefined {
  if (!reference.startsWith('#')) return Object.hasOwn(ENTITIES, reference) ? ENTITIES[reference] : undefined
  const isHex = /^#x/i.test(reference)
  const code = Number.parseInt(reference.slice(isHex ? 2 : 1), isHex ? 16 : 10)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

/** The document type may have declarations in brackets, whose strings and comments may have any character. */
function afterDocumentType(xml: string, from: number): number {
  const text = xml.slice(from, from + MAX_DOCUMENT_TYPE)
  let isInside = false
  for (const { 0: part, index } of text.matchAll(/"[^"]*"|'[^']*'|<!--.*?-->|<\?.*?\?>|[[\]>]/gs)) {
    if (part === '[') isInside = true
    else if (part === ']') isInside = false
    else if (part === '>' && !isInside) return from + index + 1
  }
  return notWellFormed(xml, from)
}

function match(pattern: RegExp, xml: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(xml)
}

function indexFrom(xml: string, text: string, from: number): number {
  const found = xml.indexOf(text, from)
  return found === -1 ? xml.length : found
}

function after(xml: string, text: string, from: number): number {
  const found = xml.indexOf(text, from)
  return found === -1 ? notWellFormed(xml, from) : found + text.length
}

function notWellFormed(xml: string, at: number): never {
  const line = xml.slice(0, at).split('\n').length
  throw badImage(
    `The SVG is not well-formed XML at line ${line}, so browsers would not show it. Export it again.`,
  )
}
