import type { Element, ElementContent } from 'hast'
import { isTag } from './element.ts'
import type { EnhanceContext } from './enhance-context.ts'

/** Maximum number of images in one `srcset`. */
const MAX_CANDIDATES = 20
/** `480w`, `1.5x`: how large an image of a `srcset` is. */
const DESCRIPTOR = String.raw`\d{1,5}(?:\.\d{1,3})?[wx]`
const IS_DESCRIPTOR = new RegExp(`^${DESCRIPTOR}$`)
/** URLs may contain commas, so only one before a space or after a descriptor ends an image. */
const SEPARATOR = new RegExp(String.raw`,(?=\s|$)|(?<=\s${DESCRIPTOR}),`)

/** Maps the URL of a property; deletes the property when the URL is not allowed. */
function mapUrl(
  { properties }: Element,
  name: 'src' | 'poster',
  { options, droppedUrls }: EnhanceContext,
): void {
  const written = properties[name]
  if (written === undefined) return
  const mapped = typeof written === 'string' ? options.href(written, 'image') : null
  if (mapped !== null) properties[name] = mapped
  else {
    if (typeof written === 'string') droppedUrls.push(written)
    delete properties[name]
  }
}

/** Maps each URL of a `srcset`. Images with a forbidden URL or size, and images beyond the limit, are left out. */
export function mapSourceSet({ properties }: Element, { options, droppedUrls }: EnhanceContext): void {
  const written = properties['srcSet']
  if (written === undefined) return
  const parts = String(written).split(SEPARATOR)
  const candidates = parts.map((part) => part.trim()).filter((part) => part !== '')
  const images = candidates.flatMap((candidate, index) => {
    const [url = '', size, ...others] = candidate.split(/\s+/)
    const mapped = index < MAX_CANDIDATES ? options.href(url, 'image') : null
    const fits = others.length === 0 && (size === undefined || IS_DESCRIPTOR.test(size))
    // A comma at an end of the URL would be read as the end of the image.
    if (mapped !== null && fits && !/^,|,$/.test(mapped)) return [size ? `${mapped} ${size}` : mapped]
    droppedUrls.push(url)
    return []
  })
  if (images.length === 0) delete properties['srcSet']
  else properties['srcSet'] = images.join(', ')
}

/** A `<source>` without an allowed URL is removed. */
export function enhanceSource(source: Element, context: EnhanceContext): readonly ElementContent[] {
  mapUrl(source, 'src', context)
  mapSourceSet(source, context)
  return hasUrl(source) ? [source] : []
}

export function enhanceTrack(track: Element, context: EnhanceContext): readonly ElementContent[] {
  mapUrl(track, 'src', context)
  return hasUrl(track) ? [track] : []
}

/** A `<picture>` shows its `<img>`; without one it is replaced by its text. */
export function enhancePicture(picture: Element): readonly ElementContent[] {
  const hasImage = picture.children.some((child) => isTag(child, 'img'))
  return hasImage ? [picture] : picture.children.filter((child) => !isTag(child, 'source'))
}

/**
 * Lets visitors start and stop a video. Only a silent one may play by itself; its controls stay, since moving content
 * must be stoppable (WCAG 2.2.2). Without an allowed URL its text is shown.
 */
export function enhanceVideo(video: Element, context: EnhanceContext): readonly ElementContent[] {
  mapUrl(video, 'poster', context)
  const { autoPlay, muted, ...others } = video.properties
  const isSilent = muted !== undefined && muted !== false
  const playsAlone = isSilent && autoPlay !== undefined && autoPlay !== false
  video.properties = {
    ...others,
    ...(isSilent && { muted: true }),
    controls: true,
    ...(playsAlone ? { autoPlay: true, playsInline: true } : { preload: 'metadata' }),
    ...(typeof others['preload'] === 'string' && { preload: others['preload'] }),
  }
  return playable(video, context)
}

export function enhanceAudio(audio: Element, context: EnhanceContext): readonly ElementContent[] {
  audio.properties = { preload: 'metadata', ...audio.properties, controls: true }
  return playable(audio, context)
}

function playable(media: Element, context: EnhanceContext): readonly ElementContent[] {
  mapUrl(media, 'src', context)
  const hasSource = media.children.some((child) => isTag(child, 'source'))
  if (media.properties['src'] !== undefined || hasSource) return [media]
  return media.children.filter((child) => !isTag(child, 'source', 'track'))
}

function hasUrl({ properties }: Element): boolean {
  return properties['src'] !== undefined || properties['srcSet'] !== undefined
}

/** Text beside the text. In the main part of a page it is no landmark of its own. */
export function enhanceAside(aside: Element): readonly ElementContent[] {
  aside.properties = { role: 'note', ...aside.properties }
  return [aside]
}
