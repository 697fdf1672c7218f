import { isJsonObject, type JsonObject, parsedJson } from '../../domain/json.ts'
import { listOf, objectOf, textOf } from '../config/config-values.ts'
import { escapeHtml } from '../html/escape-html.ts'
import { cardHtml } from './card-html.ts'

/** Deeper nodes become their text: no editor nests as far. */
const MAX_DEPTH = 60
/** Tags by the bits of a format. */
const FORMATS = [
  [1, 'strong'],
  [2, 'em'],
  [4, 's'],
  [8, 'u'],
  [16, 'code'],
  [32, 'sub'],
  [64, 'sup'],
  [128, 'mark'],
] as const

export interface RenderedCards {
  readonly html: string
  /** Names of cards that are not known. */
  readonly unknown: readonly string[]
}

/** The HTML of a text in the format of Ghost since version 5. Source: https://lexical.dev/docs/concepts/nodes. */
export function lexicalHtml(document: JsonObject): RenderedCards {
  const unknown: string[] = []
  return { html: inside(objectOf(document['root']), 0), unknown }

  function inside(node: JsonObject, depth: number): string {
    return listOf(node['children'])
      .map((child) =>
        depth > MAX_DEPTH ? escapeHtml(textOf(child['text']) ?? '') : nodeHtml(child, depth + 1),
      )
      .join('')
  }

  function nodeHtml(node: JsonObject, depth: number): string {
    const type = String(node['type'] ?? '').replace(/^extended-/, '')
    if (type === 'text' || type === 'tk')
      return formatted(escapeHtml(String(node['text'] ?? '')), Number(node['format'] ?? 0))
    if (type === 'linebreak') return '<br>'
    if (type === 'tab') return ' '
    const element = elementOf(type, node)
    if (element !== null) return `<${element}>${inside(node, depth)}</${element.split(' ')[0]}>`
    const card = cardHtml(type, node)
    if (card !== null) return card
    if (!Array.isArray(node['children']) || !isKnown(type)) unknown.push(type)
    return inside(node, depth)
  }
}

function isKnown(type: string): boolean {
  return type === 'root' || type === 'at-link-search' || type === 'zwnj'
}

function elementOf(type: string, node: JsonObject): string | null {
  if (type === 'paragraph') return 'p'
  if (type === 'heading') return /^h[1-6]$/.test(String(node['tag'])) ? String(node['tag']) : 'h2'
  if (type === 'quote' || type === 'aside') return 'blockquote'
  if (type === 'list')
    return node['listType'] === 'number' ? `ol start="${Number(node['start'] ?? 1)}"` : 'ul'
  if (type === 'listitem') return 'li'
  if (type === 'link' || type === 'autolink' || type === 'at-link')
    return `a href="${escapeHtml(textOf(node['url']) ?? '')}"`
  return null
}

function formatted(text: string, format: number): string {
  return FORMATS.reduce(
    (inner, [bit, tag]) => ((format & bit) === 0 ? inner : `<${tag}>${inner}</${tag}>`),
    text,
  )
}

/** A text of the editor as an object. Null when it is no JSON. */
export function editorDocument(text: string): JsonObject | null {
  const value = parsedJson(text)
  return isJsonObject(value) ? value : null
}
