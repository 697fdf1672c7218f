import { isPicture, isVideo, type MediaImage, type MediaSource } from '../../domain/media.ts'
import { withoutReferences } from '../../page-text/character-references.ts'
import type { Links } from '../links/links.ts'
import { type Attributes, attributesOf, startTag } from './picture-markup.ts'

const VIDEO = /<video((?:\s+[^\s=<>"'/]+(?:="[^"]*")?)*)\s*>/g
const SOURCE = /<source((?:\s+[^\s=<>"'/]+(?:="[^"]*")?)*)\s*\/?>/
/** Maximum distance from the tag of a video to the end of its sources. In characters. */
const MAX_SOURCES = 4_000
/** Width of a poster: a video is as wide as a column of text, on screens with two pixels for one. */
const POSTER_WIDTH = 1_280

/**
 * Gives the videos of a document their size, or the size of their poster, so that nothing moves when they load, and
 * posters no larger than shown. Reads finished markup, as `withPictures` does.
 */
export function withVideos(html: string, media: MediaSource | undefined, links: Links): string {
  if (media === undefined || !html.includes('<video')) return html
  const files = new Map(Object.values(media).map((file) => [links.file(file.key), file]))
  const fileAt = (url: string | null | undefined) => files.get(withoutReferences(url ?? ''))
  return html.replaceAll(VIDEO, (tag, written: string, at: number) => {
    const attributes = attributesOf(written)
    const video = fileAt(attributes.get('src') ?? firstSource(html, at + tag.length))
    const image = fileAt(attributes.get('poster'))
    const poster = image !== undefined && isPicture(image) ? image : null
    const size = video !== undefined && isVideo(video) ? video : poster
    if (size === null && poster === null) return tag
    const sized =
      size === null || attributes.has('width') || attributes.has('height')
        ? attributes
        : new Map([...attributes, ['width', `${size.width}`], ['height', `${size.height}`]])
    return startTag('video', poster === null ? sized : withPoster(sized, poster, links))
  })
}

/** The first file between the tags of a video without a file of its own. */
function firstSource(html: string, start: number): string | null {
  const [inner = ''] = html.slice(start, start + MAX_SOURCES).split('</video>', 1)
  const [, written = ''] = SOURCE.exec(inner) ?? []
  return attributesOf(written).get('src') ?? null
}

/** Uses the smallest variant that covers the shown width, in a format that all browsers know. */
function withPoster(attributes: Attributes, { variants }: MediaImage, links: Links): Attributes {
  const variant = variants.find(({ format, width }) => format === 'webp' && width >= POSTER_WIDTH)
  return variant === undefined
    ? attributes
    : new Map(attributes).set('poster', escaped(links.file(variant.key)))
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
