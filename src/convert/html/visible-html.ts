import type { Element, ElementContent, Properties, Root, RootContent } from 'hast'
import { attribute, element, first, hasClass, isElement } from './elements.ts'

/** Elements whose content readers never see as text. */
const UNSEEN = new Set(
  'script style template noscript svg math head title meta link base object embed canvas map param source track col colgroup'.split(
    ' ',
  ),
)
/** Elements of these that a page needs inside of a player or a picture. */
const OF_MEDIA = new Set(['source', 'track'])
/** Parts of editors and players that readers use and do not read. */
const CONTROLS = [
  'kg-video-overlay',
  'kg-video-player-container',
  'kg-audio-player-container',
  'kg-audio-hide',
  'kg-file-card-icon',
  'kg-toggle-card-icon',
  'kg-bookmark-icon',
  'kg-product-card-rating',
  'image-link-expand',
  'hide-text',
]
/** The name of boxes and buttons of Substack by which readers subscribe. */
export const SUBSCRIPTION = 'subscription'
const SUBSCRIPTIONS = ['subscription-widget-wrap', 'subscription-widget-wrap-editor', 'subscription-widget']

/** The most cells that all spans of a page cover. Spans beyond are one cell. */
const MAX_SPANNED = 20_000

export interface VisibleHtml {
  readonly tree: Root
  /** Names of removed elements that readers could use or see, by how often they occur. */
  readonly removed: ReadonlyMap<string, number>
}

/** A page without what readers do not see: comments, programs, styles, the controls of players. */
export function visibleHtml(tree: Root): VisibleHtml {
  const removed = new Map<string, number>()
  let spanned = 0
  return { tree: { ...tree, children: seenAll(tree.children, '') as RootContent[] }, removed }

  function seenAll(nodes: readonly RootContent[], parent: string): ElementContent[] {
    const seen: ElementContent[] = []
    for (const node of nodes) {
      const last = seen.at(-1)
      if (node.type === 'text' && last?.type === 'text')
        seen[seen.length - 1] = { ...last, value: last.value + node.value }
      else if (node.type === 'text') seen.push({ type: 'text', value: node.value })
      else if (node.type === 'element') seen.push(...seenElement(node, parent))
    }
    return seen
  }

  function seenElement(node: Element, parent: string): readonly ElementContent[] {
    const { tagName } = node
    if (isControl(node)) return []
    if (isSubscription(node)) {
      count(SUBSCRIPTION)
      return []
    }
    if (UNSEEN.has(tagName) && !(OF_MEDIA.has(tagName) && /^(?:video|audio|picture)$/.test(parent))) {
      // Statistics and styles are the theme's; programs, drawings and formulas may have been content.
      const isIcon = tagName === 'svg' && /^(?:a|button|span|li)$/.test(parent)
      if (/^(?:script|svg|math|object|embed|canvas)$/.test(tagName) && !isIcon) count(tagName)
      return []
    }
    if (isField(node, parent)) {
      count(tagName)
      return []
    }
    if (tagName === 'form') count(tagName)
    const properties = tagName === 'td' || tagName === 'th' ? boundedSpans(node) : node.properties
    return [element(tagName, properties, seenAll(node.children, tagName))]
  }

  function boundedSpans({ properties }: Element): Properties {
    const { rowSpan = 1, colSpan = 1, ...others } = properties
    const area = Number(rowSpan) * Number(colSpan)
    if (area === 1 || !(spanned + area <= MAX_SPANNED)) return others
    spanned += area
    return properties
  }

  function count(name: string): void {
    removed.set(name, (removed.get(name) ?? 0) + 1)
  }
}

function isControl(node: Element): boolean {
  return hasClass(node, ...CONTROLS) || (isElement(node, 'svg') && attribute(node, 'ariaHidden') === 'true')
}

/** A field of a form. The boxes of lists of tasks are text. */
function isField(node: Element, parent: string): boolean {
  if (isElement(node, 'select', 'textarea', 'datalist')) return true
  return (
    isElement(node, 'input') && !(attribute(node, 'type') === 'checkbox' && /^(?:li|p|label)$/.test(parent))
  )
}

/** Exports have placeholders for the addresses of buttons, such as `%%checkout_url%%`. */
function isSubscription(node: Element): boolean {
  if (hasClass(node, ...SUBSCRIPTIONS)) return true
  if (!hasClass(node, 'button-wrapper', 'captioned-button-wrap')) return false
  const link = first(node, 'a')
  return link !== null && /^%%\w+%%|\/subscribe(?:$|\?)/.test(attribute(link, 'href'))
}
