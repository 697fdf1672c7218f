import { basename } from 'node:path'
import { SaxesParser } from 'saxes'
import { ServiceError } from '../../domain/errors.ts'
import { chunksOf } from '../exports/read-chunks.ts'

/** An element of an export: a field of the site, an author, a term, or an item with its fields. */
export interface WxrElement {
  /** With its prefix, e.g. `wp:post_id`. */
  readonly name: string
  /** From 1. */
  readonly line: number
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
  readonly children: readonly WxrElement[]
}

interface OpenElement extends WxrElement {
  text: string
  readonly children: WxrElement[]
}

/** Characters of one item, with its comments. */
const MAX_ITEM = 128 * 1024 * 1024
const MAX_DEPTH = 16
/** Errors that do not change what is read: characters and entities that XML does not have stay as they are. */
const TOLERATED = /disallowed character|undefined entity|character reference/

/**
 * Reads the elements of the channel of an export, one at a time. Types of documents, and with them entities of their
 * own, are refused.
 *
 * @throws {ServiceError} `validation_error` for a file that is no XML, or not whole.
 */
export function* wxrElements(path: string): Generator<WxrElement> {
  const found: WxrElement[] = []
  const open: OpenElement[] = []
  let size = 0
  const refuse = (reason: string, line = parser.line) => {
    throw new ServiceError('validation_error', `${basename(path)}:${line} cannot be read: ${reason}.`)
  }
  const parser = new SaxesParser({ xmlns: false, position: true })
  parser.on('doctype', () => refuse('it has a document type, which exports never have'))
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > MAX_DEPTH) refuse('its elements are nested too deeply')
    open.push({
      name,
      line: parser.line,
      attributes: attributes as Record<string, string>,
      text: '',
      children: [],
    })
  })
  const addText = (text: string) => {
    const last = open.at(-1)
    if (last === undefined || open.length < 3) return
    size += text.length
    if (size > MAX_ITEM) refuse(`an item has more than ${MAX_ITEM / 1024 / 1024} MiB`)
    last.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const closed = open.pop()
    if (closed === undefined) return
    // The root and the channel hold everything else.
    if (open.length === 2) {
      found.push(closed)
      size = 0
    } else if (open.length > 2) open.at(-1)?.children.push(closed)
  })
  parser.on('error', (error) => {
    if (!TOLERATED.test(error.message)) refuse(reasonOf(error.message))
  })
  const decoder = new TextDecoder()
  for (const chunk of chunksOf(path)) {
    parser.write(decoder.decode(chunk, { stream: true }))
    yield* found.splice(0)
  }
  parser.close()
  yield* found.splice(0)
}

function reasonOf(message: string): string {
  if (/unclosed tag|must contain a root|unexpected end/i.test(message))
    return 'it ends in the middle. Export the site again, in parts if it is large'
  return `it is not valid XML: ${message.replace(/^\S*:\d+:\d+: /, '').replace(/\.$/, '')}`
}

/** The text of the first child with a name. Empty when there is none. */
export function childText({ children }: WxrElement, name: string): string {
  return children.find((child) => child.name === name)?.text ?? ''
}

/** Fields of plugins and of WordPress itself, by their keys. */
export function metaOf({ children }: WxrElement): ReadonlyMap<string, string> {
  return new Map(
    children
      .filter(({ name }) => name === 'wp:postmeta')
      .map((meta) => [childText(meta, 'wp:meta_key'), childText(meta, 'wp:meta_value')]),
  )
}
