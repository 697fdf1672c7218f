import type { Element, ElementContent } from 'hast'
import { isTag } from './element.ts'
import type { EnhanceContext } from './enhance-context.ts'
import { mapSourceSet } from './media.ts'
import { player, playerKind } from './player.ts'

/** `![A bridge|640x480](bridge.jpg)`: the size reserves space, so that the layout does not shift on load. */
const SIZE = /^\s*(\d{1,4})(?:\s*[x×]\s*(\d{1,4}))?\s*$/

/**
 * Sets lazy loading and size. A video or sound becomes a player, or a link in a text of one line. An image without an
 * allowed URL is replaced by its alternative text.
 */
export function enhanceImage(image: Element, context: EnhanceContext): readonly ElementContent[] {
  const { options, droppedUrls } = context
  mapSourceSet(image, context)
  const { src, alt: written = '', ...rest } = image.properties
  const { alt, width, height } = readSize(String(written))
  const mapped = typeof src === 'string' ? options.href(src, 'image') : null
  if (mapped === null) {
    if (typeof src === 'string') droppedUrls.push(src)
    return alt === '' ? [] : [{ type: 'text', value: String(alt) }]
  }
  const size = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
  const kind = playerKind(image, mapped)
  if (kind !== null) {
    return [player(image, { kind, src: mapped, written: String(src), name: String(alt), size }, context)]
  }
  image.properties = { src: mapped, alt, ...size, ...rest, loading: 'lazy', decoding: 'async' }
  return [image]
}

/**
 * Turns a paragraph that holds a single titled image, video or sound, or a link around an image, into a figure with the
 * title as its caption. Removes paragraphs left empty by dropped content.
 */
export function enhanceParagraph(paragraph: Element): readonly ElementContent[] {
  const [only, ...others] = paragraph.children
  if (only === undefined) return []
  const image = others.length === 0 ? imageIn(only) : null
  if (image === null || typeof image.properties['title'] !== 'string') return [paragraph]

  const { title, ...properties } = image.properties
  image.properties = properties
  const caption: Element = {
    type: 'element',
    tagName: 'figcaption',
    properties: {},
    children: [{ type: 'text', value: title }],
  }
  return [{ type: 'element', tagName: 'figure', properties: paragraph.properties, children: [only, caption] }]
}

const SHOWN: ReadonlySet<string> = new Set(['img', 'video', 'audio'])

function imageIn(node: ElementContent): Element | null {
  if (node.type !== 'element') return null
  if (SHOWN.has(node.tagName) || isEmbed(node)) return node
  if (node.tagName === 'picture') return imageOf(node)
  const [only, ...others] = node.children
  return node.tagName === 'a' && only !== undefined && others.length === 0 ? imageIn(only) : null
}

function isEmbed({ tagName, properties: { className } }: Element): boolean {
  return tagName === 'a' && Array.isArray(className) && className.includes('embed')
}

function imageOf({ children }: Element): Element | null {
  return children.find((child) => isTag(child, 'img')) ?? null
}

function readSize(written: string): {
  readonly alt: string
  readonly width?: string
  readonly height?: string
} {
  const bar = written.lastIndexOf('|')
  const [match, width, height] = (bar !== -1 && SIZE.exec(written.slice(bar + 1))) || []
  if (match === undefined || width === undefined) return { alt: written }
  return { alt: written.slice(0, bar).trimEnd(), width, ...(height !== undefined && { height }) }
}
