import { isOfferedWhole, type VariantFormat } from '../../domain/image.ts'
import { isPicture, type MediaImage, type MediaSource, type MediaVariant } from '../../domain/media.ts'
import { withoutReferences } from '../../page-text/character-references.ts'
import type { Links } from '../links/links.ts'

/** Width of a text column in the themes, as `--measure` in `1-foundation.css`. */
const MEASURE = '43rem'
/** Smaller pictures, such as logos and avatars, are not what a visitor waits for. In CSS pixels. */
const SMALL = 200

/** The best formats first. */
const FORMATS: readonly VariantFormat[] = ['avif', 'webp']

/** The tags of a `<picture>`, and images with their attributes. */
const TAGS = /<(\/?)picture\b|<img((?:\s+[^\s=<>"'/]+(?:="[^"]*")?)*)\s*\/?>/g
const ATTRIBUTE = /([^\s=<>"'/]+)(?:="([^"]*)")?/g

/**
 * Gives the pictures of a document their size, so that nothing moves when they load, the colour to show until then, and
 * smaller files for smaller screens. Reads finished markup, in which all attribute values are quoted and escaped, so
 * that pictures of templates, sections and Markdown are treated alike.
 *
 * The first picture that is not small loads at once, the others when they come into view, unless a template has decided.
 */
export function withPictures(html: string, media: MediaSource | undefined, links: Links): string {
  if (media === undefined) return html
  const images = new Map(
    Object.values(media)
      .filter(isPicture)
      .map((image) => [links.file(image.key), image]),
  )
  let mayBeFirst = !html.includes(' fetchpriority="high"')
  let isInsidePicture = false
  return html.replaceAll(TAGS, (tag, closing: string | undefined, written: string | undefined) => {
    if (written === undefined) {
      isInsidePicture = closing === ''
      return tag
    }
    const attributes = attributesOf(written)
    const image = images.get(withoutReferences(attributes.get('src') ?? ''))
    if (image === undefined) return tag
    const isFirst = mayBeFirst && !isSmall(image, attributes)
    mayBeFirst &&= !isFirst
    return picture(image, withSize(image, isFirst ? first(attributes) : attributes), {
      links,
      // Sources of a picture that its author wrote are the author's.
      hasSources: attributes.has('srcset') || isInsidePicture,
    })
  })
}

type Attributes = ReadonlyMap<string, string | null>

function attributesOf(written: string): Attributes {
  return new Map([...written.matchAll(ATTRIBUTE)].map(([, name = '', value]) => [name, value ?? null]))
}

function isSmall({ width }: MediaImage, attributes: Attributes): boolean {
  return Math.min(width, cssWidth(attributes) ?? width) < SMALL
}

function cssWidth(attributes: Attributes): number | null {
  const written = attributes.get('width')
  return written && /^\d+$/.test(written) ? Number(written) : null
}

function first(attributes: Attributes): Attributes {
  const eager = new Map([...attributes].filter(([name]) => name !== 'loading'))
  return eager.set('fetchpriority', 'high')
}

/** A side that the author wrote stays; the other one follows from the proportions. */
function withSize(image: MediaImage, attributes: Attributes): Attributes {
  const [width, height] = [attributes.get('width'), attributes.get('height')]
  const ratio = image.height / image.width
  const sized = new Map(attributes)
  if (width === undefined && height === undefined)
    sized.set('width', `${image.width}`).set('height', `${image.height}`)
  else if (height === undefined && /^\d+$/.test(width ?? ''))
    sized.set('height', `${Math.round(Number(width) * ratio)}`)
  else if (width === undefined && /^\d+$/.test(height ?? ''))
    sized.set('width', `${Math.round(Number(height) / ratio)}`)
  return image.colour === null ? sized : sized.set('data-colour', image.colour)
}

function picture(
  image: MediaImage,
  attributes: Attributes,
  { links, hasSources }: { readonly links: Links; readonly hasSources: boolean },
): string {
  const tag = `<img${[...attributes].map(([name, value]) => ` ${name}${value === null ? '' : `="${value}"`}`).join('')}>`
  if (hasSources || image.variants.length === 0) return tag
  const sizes = sizesOf(image, attributes)
  const sources = FORMATS.map((format) => source(image, format, sizes, links)).join('')
  return `<picture>${sources}${tag}</picture>`
}

function source(image: MediaImage, format: VariantFormat, sizes: string, links: Links): string {
  const variants = image.variants.filter((variant) => variant.format === format)
  const largest = variants.at(-1)
  if (largest === undefined) return ''
  const candidates = [
    ...variants.map(({ key, width }) => ({ key, width })),
    ...originalBeside(image, largest),
  ]
  const set = candidates.map(({ key, width }) => `${srcsetUrl(links.file(key))} ${width}w`).join(', ')
  return `<source type="image/${format}" srcset="${escaped(set)}" sizes="${sizes}">`
}

/** The original is one of the candidates where it is sharper than the variants: a screen may need all of its pixels. */
function originalBeside(
  image: MediaImage,
  largest: MediaVariant,
): readonly Pick<MediaVariant, 'key' | 'width'>[] {
  return isOfferedWhole(image, largest.width) ? [{ key: image.key, width: image.width }] : []
}

/** `auto` is the width in the layout, for browsers that know it and pictures that load late enough to have one. */
function sizesOf(image: MediaImage, attributes: Attributes): string {
  const width = cssWidth(attributes)
  const isOwnWidth = width === null || width === image.width
  const lazy = attributes.get('loading') === 'lazy' ? 'auto, ' : ''
  return isOwnWidth
    ? `${lazy}(min-width: ${MEASURE}) ${MEASURE}, 100vw`
    : `${lazy}(min-width: ${width}px) ${width}px, 100vw`
}

/** A candidate ends at a blank or a comma. */
function srcsetUrl(url: string): string {
  return url.replaceAll(' ', '%20').replaceAll(',', '%2C')
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
