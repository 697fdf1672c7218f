import type { Element, ElementContent } from 'hast'
import { isTag } from './element.ts'
import type { EnhanceContext } from './enhance-context.ts'
import { mapSourceSet } from './media.ts'

/** `![A bridge|640x480](bridge.jpg)`: the size reserves space, so that the layout does not shift on load. */
const SIZED = /^(.*?)\s*\|\s*(\d{1,4})(?:\s*[x×]\s*(\d{1,4}))?\s*$/s

/** Sets lazy loading and size. An image without an allowed URL is replaced by its alternative text. */
export function enhanceImage(image: Element, context: EnhanceContext): readonly ElementContent[] {
  const { options, droppedUrls } = context
  mapSourceSet(image, context)
  const { src, alt: written = '', ...rest } = image.properties
  const [, name, width, height] = SIZED.exec(String(written)) ?? []
  const alt = name ?? written
  const mapped = typeof src === 'string' ? options.href(src, 'image') : null
  if (mapped === null) {
    if (typeof src === 'string') droppedUrls.push(src)
    return [{ type: 'text', value: String(alt) }]
  }
  const size = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
  image.properties = { src: mapped, alt, ...size, ...rest, loading: 'lazy', decoding: 'async' }
  return [image]
}

/**
 * Turns a paragraph that holds a single titled image, or a link around one, into a figure with the title as
 * its caption. Removes paragraphs that dropped content left empty.
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

function imageIn(node: ElementContent): Element | null {
  if (node.type !== 'element') return null
  if (node.tagName === 'img') return node
  if (node.tagName === 'picture') return imageOf(node)
  const [only, ...others] = node.children
  return node.tagName === 'a' && only !== undefined && others.length === 0 ? imageIn(only) : null
}

function imageOf({ children }: Element): Element | null {
  return children.find((child) => isTag(child, 'img')) ?? null
}
