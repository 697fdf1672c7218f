import type { Element, ElementContent } from 'hast'
import { attribute, element, hasClass, isElement, isVisible, lineOf, outermost } from './elements.ts'

/** The part of a name that editors add to smaller copies, e.g. `-1024x768` of WordPress. */
const RESIZED = /-(\d{2,5})x(\d{2,5})(?=\.[a-z]{3,4}$)/i
/** The size in an address through which Substack sends a picture. */
const FETCHED = /(\/image\/fetch\/)[^/]+\/(?=https)/
const PICTURE_FILE = /\.(?:png|jpe?g|gif|webp|avif)$/i

/** The address of a picture: that of the file, where a script loads it later. */
export function sourceOf(image: Element): string {
  const stated = attribute(image, 'src').trim()
  if (stated !== '' && !stated.startsWith('data:')) return stated
  const later = ['dataSrc', 'dataLazySrc', 'dataOrigFile'].map((name) => attribute(image, name).trim())
  return later.find((address) => address !== '') ?? stated
}

/** The address of a picture without the size that an editor added to the name. */
export function fullAddress(address: string): string {
  return pathOf(address)
    .replace(RESIZED, '')
    .replace(FETCHED, '$1')
    .replace(/\/content\/images\/size\/w\d+(?:h\d+)?(?:\/format\/\w+)?\//, '/content/images/')
}

/** Reports whether a link around a picture leads to the same picture, larger: pages show that by themselves. */
export function leadsToItself(link: Element, image: Element): boolean {
  const target = attribute(link, 'href').trim()
  return PICTURE_FILE.test(pathOf(target)) && fullAddress(target) === fullAddress(sourceOf(image))
}

function pathOf(address: string): string {
  return address.replace(/[?#].*$/s, '')
}

/** The picture of a link that shows it larger, at its full address. Other links stay. */
function picture(image: Element, link: Element | null, caption: string): ElementContent {
  const own = link !== null && leadsToItself(link, image) ? attribute(link, 'href').trim() : sourceOf(image)
  const stated = lineOf({ type: 'text', value: attribute(image, 'title') })
  const title = caption === '' && stated !== attribute(image, 'alt').trim() ? stated : caption
  const shown = element('img', {
    ...image.properties,
    src: own,
    title: title === '' ? null : title,
  })
  return link === null || leadsToItself(link, image) || attribute(link, 'href') === ''
    ? shown
    : element('a', { href: attribute(link, 'href') }, [shown])
}

/**
 * The blocks of a picture: alone in a paragraph, so that its title becomes its caption.
 *
 * @param isInList where a picture may be in no paragraph, and have no caption.
 */
export function pictureBlocks(
  { image, link }: LinkedPicture,
  caption: readonly ElementContent[],
  isInList: boolean,
): readonly ElementContent[] {
  const captionText = lineOf(element('p', {}, caption))
  const isPlain = !isInList && !caption.some((node) => hasLinks(node))
  const shown = element('p', {}, [picture(image, link, isPlain ? captionText : '')])
  return isPlain || !caption.some(isVisible) ? [shown] : [shown, captionBlock(caption)]
}

/** A caption that no title can hold, below what it is about. */
export function captionBlock(caption: readonly ElementContent[]): ElementContent {
  return element('p', {}, [element('em', {}, caption)])
}

function hasLinks(node: ElementContent): boolean {
  return (
    isElement(node) && (isElement(node, 'a', 'img', 'code') || node.children.some((child) => hasLinks(child)))
  )
}

export interface LinkedPicture {
  readonly image: Element
  readonly link: Element | null
}

/** The pictures below a node, with the links around them. */
export function picturesIn(node: Element): readonly LinkedPicture[] {
  return outermost(node, (each) => isElement(each, 'img', 'a')).flatMap((each): readonly LinkedPicture[] =>
    each.tagName === 'img'
      ? [{ image: each, link: null }]
      : outermost(each, (inner) => isElement(inner, 'img')).map((image) => ({ image, link: each })),
  )
}

/** The parts of a caption, of any of the forms that editors write. */
export function captionOf(figure: Element): Element | null {
  const isCaption = (each: Element) =>
    isElement(each, 'figcaption') ||
    hasClass(each, 'wp-caption-text', 'gallery-caption', 'wp-element-caption', 'blocks-gallery-caption')
  const own = figure.children.find((child) => isElement(child) && isCaption(child))
  if (isElement(own)) return own
  const [inner = null] = outermost(figure, (each) => isCaption(each) || isElement(each, 'figure'))
  return inner !== null && isCaption(inner) ? inner : null
}

/** A copy of an element without some of the elements in it. */
export function without(node: Element, removed: ReadonlySet<Element>): Element {
  return {
    ...node,
    children: node.children.flatMap((child): ElementContent[] =>
      !isElement(child) ? [child] : removed.has(child) ? [] : [without(child, removed)],
    ),
  }
}
