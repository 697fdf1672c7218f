import { isPicture, type MediaImage, type MediaSource } from '../../domain/media.ts'
import { withoutReferences } from '../../page-text/character-references.ts'
import type { Links } from '../links/links.ts'
import {
  type Attributes,
  attributesOf,
  imageTag,
  pictureMarkup,
  preloadLink,
  sourcesOf,
  withFacts,
} from './picture-markup.ts'
import { fixedWidth, shownWidth } from './picture-sizes.ts'

/** Width of a text column in the themes, for an image whose template states none. */
const DEFAULT_SIZES = 'min(43rem, 100vw - 2.5rem)'
/** Visitors do not wait for smaller images, such as logos and avatars. In CSS pixels. */
const SMALL = 200
/** The widest text of the themes, that of docs: 44rem. In CSS pixels. */
const TEXT_WIDTH = 704
/** Minimum ratio of an image's width to its shown width for the zoom. */
const MUCH_LARGER = 1.5

/** The tags of a `<picture>`, its source for dark mode from a template, and images, with their attributes. */
const TAGS = /<(\/?)picture\b[^>]*>|<(img|source data-dark)((?:\s+[^\s=<>"'/]+(?:="[^"]*")?)*)\s*\/?>/g
/** A link to the first image is inserted before the first style sheet. */
const STYLE_SHEET = '<link rel="stylesheet"'
/** Attributes that this step reads, and removes or moves. */
const MARKS = [' sizes="', ' data-zoom="', ' fetchpriority="']

/**
 * Gives the images of a document their size, so that nothing moves when they load, the colour to show until then, the
 * part to keep visible, and smaller files for smaller screens. Reads finished markup, with all attribute values quoted
 * and escaped, so that images of templates, sections and Markdown are treated alike.
 *
 * The first image of the document that is not small loads at once and before others. It is requested before style
 * sheets and scripts: Chromium, where a document states its policy, does not look for images while a script blocks the
 * parser.
 *
 * A template may say of others whether they load when they come into view, how wide they are shown (`sizes`, see
 * `theme/layout-widths.ts`), and that they link to the whole image (`data-zoom`).
 */
export function withPictures(html: string, media: MediaSource | undefined, links: Links): string {
  if (media === undefined && !MARKS.some((mark) => html.includes(mark))) return html
  const images = new Map(
    Object.values(media ?? {})
      .filter(isPicture)
      .map((image) => [links.file(image.key), image]),
  )
  const imageAt = (url: string | null | undefined) => images.get(withoutReferences(url ?? ''))
  let mayBeFirst = true
  let sources: 'none' | 'theirs' | 'dark' = 'none'
  let preload = ''

  const finished = html.replaceAll(
    TAGS,
    (tag, closing: string | undefined, name: string | undefined, written = '') => {
      if (name === undefined) {
        sources = closing === '' ? 'theirs' : 'none'
        return tag
      }
      const attributes = attributesOf(written)
      if (name !== 'img') {
        sources = 'dark'
        return darkSources(attributes, imageAt(attributes.get('srcset')), links)
      }
      const image = imageAt(attributes.get('src'))
      if (image === undefined && attributes.has('srcset')) return tag
      const isFirst = mayBeFirst && waitsFor(image, attributes)
      mayBeFirst &&= !isFirst
      const ordered = isFirst ? first(attributes) : notFirst(attributes)
      if (image === undefined) return imageTag(withoutMarks(ordered))
      if (attributes.has('srcset')) return knownPicture(image, ordered, { links, sources: 'theirs' })
      if (isFirst && sources === 'none')
        preload = preloadLink(image, attributes.get('src') ?? '', sizesOf(image, ordered), links)
      return knownPicture(image, ordered, { links, sources })
    },
  )
  const at = preload === '' ? -1 : finished.indexOf(STYLE_SHEET)
  return at === -1 ? finished : `${finished.slice(0, at)}${preload}\n${finished.slice(at)}`
}

/** Reports whether visitors may wait for the image. For an image of another site, only the template knows. */
function waitsFor(image: MediaImage | undefined, attributes: Attributes): boolean {
  const priority = attributes.get('fetchpriority')
  if (image === undefined) return priority === 'high'
  return priority === 'high' || !isSmall(image, attributes)
}

function isSmall(image: MediaImage, attributes: Attributes): boolean {
  const { sizes } = shownWidth(attributes.get('sizes') ?? '', image)
  const shown = fixedWidth(sizes) ?? statedWidth(attributes) ?? image.width
  return Math.min(image.width, shown) < SMALL
}

function statedWidth(attributes: Attributes): number | null {
  const written = attributes.get('width')
  return written && /^\d+$/.test(written) ? Number(written) : null
}

function first(attributes: Attributes): Attributes {
  return new Map([...without(attributes, 'loading')]).set('fetchpriority', 'high')
}

/** Removes the priority of an image after the first one. It is still seen at once, as its template expected. */
function notFirst(attributes: Attributes): Attributes {
  return attributes.get('fetchpriority') === 'high' ? without(attributes, 'fetchpriority') : attributes
}

function without(attributes: Attributes, ...names: readonly string[]): Attributes {
  return new Map([...attributes].filter(([name]) => !names.includes(name)))
}

function withoutMarks(attributes: Attributes): Attributes {
  return without(attributes, 'sizes', 'data-zoom', 'data-close')
}

/** The same image for dark mode, with its own variants. */
function darkSources(attributes: Attributes, image: MediaImage | undefined, links: Links): string {
  const { media = '' } = Object.fromEntries(attributes)
  const shared = ` data-dark media="${media}"`
  const whole = `<source${shared} srcset="${attributes.get('srcset')}">`
  if (image === undefined) return whole
  const { sizes } = shownWidth(attributes.get('sizes') ?? DEFAULT_SIZES, image)
  return sourcesOf(image, sizes, links, shared) + whole
}

function knownPicture(
  image: MediaImage,
  attributes: Attributes,
  { links, sources }: { readonly links: Links; readonly sources: 'none' | 'theirs' | 'dark' },
): string {
  // The colour of this image would show behind transparent parts of another one.
  const tag = imageTag(withFacts(image, withoutMarks(attributes), { hasColour: sources === 'none' }))
  if (sources === 'theirs') return tag
  const markup = pictureMarkup(tag, sourcesOf(image, sizesOf(image, attributes), links), sources === 'dark')
  return isWorthZooming(image, attributes) ? zoomLink(markup, attributes) : markup
}

/** Reports whether an image is much larger than a text shows it. */
function isWorthZooming({ width }: MediaImage, attributes: Attributes): boolean {
  if (!attributes.has('data-zoom')) return false
  const shown = Math.min(statedWidth(attributes) ?? width, TEXT_WIDTH)
  return shown >= SMALL && width >= shown * MUCH_LARGER
}

/**
 * Leads to the file; the script of the site shows it above the page. An image without a text gives no name to a link.
 */
function zoomLink(markup: string, attributes: Attributes): string {
  const name = attributes.get('alt') ? '' : ` aria-label="${attributes.get('data-zoom')}"`
  return `<a class="zoom" href="${attributes.get('src')}" data-close="${attributes.get('data-close')}"${name}>${markup}</a>`
}

/** `auto` is the width in the layout, for browsers that support it and images that load after the layout. */
function sizesOf(image: MediaImage, attributes: Attributes): string {
  const stated = statedWidth(attributes)
  const written = attributes.get('sizes')
  const ownWidth = stated === null || stated === image.width ? DEFAULT_SIZES : `min(${stated}px, 100vw)`
  const { sizes, isCut } = shownWidth(written ?? ownWidth, image)
  const isLate = attributes.get('loading') === 'lazy'
  return isLate && !isCut && fixedWidth(sizes) === null ? `auto, ${sizes}` : sizes
}
