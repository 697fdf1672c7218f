import type { Element, ElementContent } from 'hast'
import { type JsonValue, parsedJson } from '../../domain/json.ts'
import { listOf, objectOf, textOf } from '../config/config-values.ts'
import { attribute, element, hasClass, isElement, isVisible, lineOf } from './elements.ts'
import type { Rewriter } from './rewrite.ts'

/*
 * Blocks of the editor of Substack. Many have no elements in an export: their content is JSON in the attribute
 * `data-attrs`. Source: exports of publications, since the format has no description.
 */

/** Sentences that are set apart from the text. */
export const pullQuotes: Rewriter = (node, scope, { rewriteAll }) =>
  hasClass(node, 'pullquote') ? [element('blockquote', {}, rewriteAll(node.children, scope))] : null

/** Posts, messages of networks, galleries and formulas whose content is in an attribute. */
export const attributeBlocks: Rewriter = (node, scope, { options: { addressOf }, report }) => {
  const written = attribute(node, 'dataAttrs')
  if (written === '' || !isElement(node, 'div') || isVisible(node)) return null
  const values = objectOf(parsedJson(written) ?? undefined)
  const pictures = picturesOf(values['gallery'], addressOf)
  if (pictures.length > 0) return pictures
  const formula = textOf(values['persistentExpression'])
  if (formula !== undefined && !scope.isInCell && !/[\n$]/.test(formula))
    return [element('q-formula', { tex: formula })]
  const [address] = ['canonical_url', 'url', 'base_url'].flatMap((name) => textOf(values[name]) ?? [])
  const href = address === undefined ? null : addressOf(address, 'link')
  if (href === null) {
    report('QN-NOT-CONVERTED', `A block \`${nameOf(node)}\` is left out: its content is not in the export.`)
    return []
  }
  const message = textOf(values['full_text'])
  const label = ['title', 'name', 'username'].flatMap((name) => textOf(values[name]) ?? [])[0] ?? href
  const link = paragraph(element('a', { href }, [plain(label)]))
  return message === undefined ? [link] : [element('blockquote', {}, [paragraph(plain(message)), link])]
}

function picturesOf(
  gallery: JsonValue | undefined,
  addressOf: (address: string, kind: 'file') => string | null,
): readonly ElementContent[] {
  const { images, alt, caption } = objectOf(gallery)
  const shown = listOf(images).flatMap(({ src }) => {
    const address = addressOf(textOf(src) ?? '', 'file')
    return address === null ? [] : [paragraph(element('img', { src: address, alt: textOf(alt) ?? '' }))]
  })
  const text = textOf(caption)
  const isCaptioned = text !== undefined && shown.length > 0
  return isCaptioned ? [...shown, paragraph(element('em', {}, [plain(text)]))] : shown
}

/** The class of a block, e.g. `poll-embed`. */
function nameOf(node: Element): string {
  return attribute(node, 'className').split(' ')[0] || 'div'
}

function paragraph(child: ElementContent): Element {
  return element('p', {}, [child])
}

function plain(text: string): ElementContent {
  return { type: 'text', value: lineOf({ type: 'text', value: text }) }
}
