import type { Element, ElementContent } from 'hast'
import type { Polishing } from './polishing.ts'

/** Images load when they are near; one that is dropped leaves its text. */
export function polishImage(image: Element, { options, droppedUrls }: Polishing): readonly ElementContent[] {
  const { src, alt = '', ...rest } = image.properties
  const mapped = typeof src === 'string' ? options.href(src, 'image') : null
  if (mapped === null) {
    if (typeof src === 'string') droppedUrls.push(src)
    return [{ type: 'text', value: String(alt) }]
  }
  image.properties = { src: mapped, alt, ...rest, loading: 'lazy', decoding: 'async' }
  return [image]
}
