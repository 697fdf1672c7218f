import type { Element, ElementContent } from 'hast'
import type { EnhanceContext } from './enhance-context.ts'

/** `![A bridge|640x480](bridge.jpg)`: how large it is, so that nothing moves when it comes. */
const SIZED = /^(.*?)\s*\|\s*(\d{1,4})(?:\s*[x×]\s*(\d{1,4}))?\s*$/s

/** Images load when they are near; one that is dropped leaves its text. */
export function enhanceImage(
  image: Element,
  { options, droppedUrls }: EnhanceContext,
): readonly ElementContent[] {
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
 * A paragraph that holds nothing but an image with a title, or a link around one, is a figure with that
 * title as its caption. One that held only what is not allowed goes.
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
  const [only, ...others] = node.children
  return node.tagName === 'a' && only !== undefined && others.length === 0 ? imageIn(only) : null
}
