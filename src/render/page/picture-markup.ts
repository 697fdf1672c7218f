import { isOfferedWhole, type VariantFormat } from '../../domain/image.ts'
import type { MediaImage, MediaVariant } from '../../domain/media.ts'
import type { Links } from '../links/links.ts'

/** The best formats first. */
const FORMATS: readonly VariantFormat[] = ['avif', 'webp']

const ATTRIBUTE = /([^\s=<>"'/]+)(?:="([^"]*)")?/g

/** Values by attribute name, as written; null for an attribute without a value. */
export type Attributes = ReadonlyMap<string, string | null>

export function attributesOf(written: string): Attributes {
  return new Map([...written.matchAll(ATTRIBUTE)].map(([, name = '', value]) => [name, value ?? null]))
}

export function imageTag(attributes: Attributes): string {
  return startTag('img', attributes)
}

export function startTag(tag: string, attributes: Attributes): string {
  return `<${tag}${[...attributes].map(([name, value]) => ` ${name}${value === null ? '' : `="${value}"`}`).join('')}>`
}

/**
 * Adds the size, colour and focus of an image. A side that the author wrote stays; the other one follows from the
 * proportions.
 */
export function withFacts(
  image: MediaImage,
  attributes: Attributes,
  { hasColour }: { readonly hasColour: boolean },
): Attributes {
  const [width, height] = [attributes.get('width'), attributes.get('height')]
  const ratio = image.height / image.width
  const sized = new Map(attributes)
  if (width === undefined && height === undefined)
    sized.set('width', `${image.width}`).set('height', `${image.height}`)
  else if (height === undefined && /^\d+$/.test(width ?? ''))
    sized.set('height', `${Math.round(Number(width) * ratio)}`)
  else if (width === undefined && /^\d+$/.test(height ?? ''))
    sized.set('width', `${Math.round(Number(height) / ratio)}`)
  if (hasColour && image.colour !== null) sized.set('data-colour', image.colour)
  const { x, y } = image.focus ?? MIDDLE
  if (tenths(x) !== 5) sized.set('data-x', `${tenths(x)}`)
  if (tenths(y) !== 5) sized.set('data-y', `${tenths(y)}`)
  return sized
}

const MIDDLE = { x: 0.5, y: 0.5 }

/** The style sheet has a rule for each tenth: the policy of pages allows no styles of single elements. */
function tenths(share: number): number {
  return Math.round(share * 10)
}

/** @param isInside the image is in a `<picture>` already. */
export function pictureMarkup(tag: string, sources: string, isInside: boolean): string {
  return isInside || sources === '' ? sources + tag : `<picture>${sources}${tag}</picture>`
}

/** @param attributes further ones, printed unchanged. */
export function sourcesOf(image: MediaImage, sizes: string, links: Links, attributes = ''): string {
  return sourceSets(image, links)
    .map(({ format, set }) => `<source${attributes} type="image/${format}" srcset="${set}" sizes="${sizes}">`)
    .join('')
}

/**
 * Requests an image before the body of the document is parsed. Browsers ignore unknown formats.
 *
 * @param src the address of the whole image, as written.
 */
export function preloadLink(image: MediaImage, src: string, sizes: string, links: Links): string {
  const [best] = sourceSets(image, links)
  const files =
    best === undefined
      ? `href="${src}"`
      : `type="image/${best.format}" imagesrcset="${best.set}" imagesizes="${sizes}"`
  return `<link rel="preload" as="image" ${files} fetchpriority="high">`
}

/** The files of each format, as values of `srcset`, the best format first. */
function sourceSets(
  image: MediaImage,
  links: Links,
): readonly { readonly format: VariantFormat; readonly set: string }[] {
  return FORMATS.flatMap((format) => {
    const variants = image.variants.filter((variant) => variant.format === format)
    const largest = variants.at(-1)
    if (largest === undefined) return []
    const candidates = [
      ...variants.map(({ key, width }) => ({ key, width })),
      ...originalBeside(image, largest),
    ]
    const set = candidates.map(({ key, width }) => `${srcsetUrl(links.file(key))} ${width}w`).join(', ')
    return [{ format, set: escaped(set) }]
  })
}

/** The original is one of the candidates where it is sharper than the variants: a screen may need all of its pixels. */
function originalBeside(
  image: MediaImage,
  largest: MediaVariant,
): readonly Pick<MediaVariant, 'key' | 'width'>[] {
  return isOfferedWhole(image, largest.width) ? [{ key: image.key, width: image.width }] : []
}

/** A candidate ends at a blank or a comma. */
function srcsetUrl(url: string): string {
  return url.replaceAll(' ', '%20').replaceAll(',', '%2C')
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
