import type { Element, ElementContent } from 'hast'
import { columns, fitsContainer, insideContainer } from './containers.ts'
import { attribute, element, first, hasClass, isElement, isVisible, outermost } from './elements.ts'
import { captionBlock, captionOf, pictureBlocks, picturesIn, without } from './pictures.ts'
import type { Rewriter, Rewriting, Scope } from './rewrite.ts'

/** Pictures in a row of a gallery. */
const ROW = 3

/** Pictures, tables, code and quotations with captions. */
export const figures: Rewriter = (node, scope, rewriting) => {
  if (!isElement(node, 'figure') && !hasClass(node, 'wp-caption')) return null
  const caption = captionOf(node)
  const content = caption === null ? node : without(node, new Set([caption]))
  const shown = rewriting.rewriteAll(caption?.children ?? [], scope).flatMap(withoutBlocks)
  const pictures = picturesIn(content)
  const [only] = pictures
  if (scope.isInCell) return [...rewriting.rewriteAll(content.children, scope), ...spaced(shown)]
  if (only !== undefined && pictures.length === 1 && !hasOtherContent(content))
    return pictureBlocks(only, shown, scope.isInList)
  const blocks = rewriting.rewriteAll(content.children, scope)
  return shown.some(isVisible) ? [...blocks, captionBlock(shown)] : blocks
}

/** Galleries of WordPress, of its older versions, and of Ghost: rows of pictures. */
export const galleries: Rewriter = (node, scope, rewriting) => {
  const isGallery =
    hasClass(
      node,
      'wp-block-gallery',
      'kg-gallery-card',
      'blocks-gallery-grid',
      'tiled-gallery',
      'wp-block-jetpack-tiled-gallery',
    ) ||
    (hasClass(node, 'gallery') && isElement(node, 'div'))
  if (!isGallery || scope.isInCell) return null
  const caption = ownCaption(node)
  const content = caption === null ? node : without(node, new Set([caption]))
  const items = galleryItems(content, scope, rewriting)
  if (items.length === 0) return null
  const inner = rewriting.rewriteAll(caption?.children ?? [], scope).flatMap(withoutBlocks)
  const rows = fitsContainer(scope) ? rowsOf(items) : items.flat()
  return inner.some(isVisible) ? [...rows, captionBlock(inner)] : rows
}

/** The caption of a gallery as a whole: one that is in no picture of it. */
function ownCaption(gallery: Element): Element | null {
  const [found = null] = outermost(
    gallery,
    (each) => isElement(each, 'figcaption') || isElement(each, 'figure', 'li', 'dl'),
  ).filter((each) => isElement(each, 'figcaption'))
  return found
}

function galleryItems(
  gallery: Element,
  scope: Scope,
  rewriting: Rewriting,
): readonly (readonly ElementContent[])[] {
  const parts = outermost(
    gallery,
    (each) => isElement(each, 'figure', 'li', 'dl', 'img', 'a') || hasClass(each, 'gallery-item'),
  )
  return parts.flatMap((part) => {
    const holder = isElement(part, 'img', 'a')
      ? element('figure', {}, [part])
      : (first(part, 'figure') ?? part)
    const caption = captionOf(holder)
    const shown = rewriting.rewriteAll(caption?.children ?? [], insideContainer(scope)).flatMap(withoutBlocks)
    return picturesIn(caption === null ? holder : without(holder, new Set([caption]))).map((each, index) =>
      pictureBlocks(each, index === 0 ? shown : [], scope.isInList),
    )
  })
}

function rowsOf(items: readonly (readonly ElementContent[])[]): readonly ElementContent[] {
  const rows: (readonly (readonly ElementContent[])[])[] = []
  for (let at = 0; at < items.length; at += ROW) rows.push(items.slice(at, at + ROW))
  return rows.flatMap((row) => (row.length === 1 ? row.flat() : columns(row)))
}

/** Reports whether a figure has more than its picture, such as a player or text. */
function hasOtherContent(node: Element): boolean {
  const isOther = (each: ElementContent): boolean =>
    each.type === 'text'
      ? /[^\s\u00a0]/.test(each.value)
      : isElement(each, 'iframe', 'video', 'audio', 'table', 'pre', 'blockquote') ||
        (isElement(each) && each.children.some(isOther))
  return node.children.some(isOther)
}

/** The text of blocks, each followed by a blank: a caption is one line. */
function withoutBlocks(node: ElementContent): readonly ElementContent[] {
  if (!isElement(node, 'p', 'div')) return [node]
  return [...node.children.flatMap(withoutBlocks), { type: 'text', value: ' ' }]
}

function spaced(nodes: readonly ElementContent[]): readonly ElementContent[] {
  return nodes.length === 0 ? [] : [{ type: 'text', value: ' ' }, ...nodes]
}

/** A link around blocks, such as a card: the first line of text is the link. Pictures with links stay as they are. */
export const linkedPictures: Rewriter = (node) => {
  if (!isElement(node, 'a') || attribute(node, 'href') === '') return null
  const pictures = picturesIn(node)
  const [only] = pictures
  if (only === undefined || pictures.length > 1 || hasOtherContent(node)) return null
  const [shown] = pictureBlocks({ image: only.image, link: node }, [], false)
  return isElement(shown) ? shown.children : null
}
