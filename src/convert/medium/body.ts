import type { Element, ElementContent } from 'hast'
import { parseUrl } from '../../domain/parse-url.ts'
import { attribute, element, first, hasClass, isElement, isVisible, lineOf } from '../html/elements.ts'
import { printHtml } from '../html/print-html.ts'
import type { MediumPost } from './post.ts'

/** Medium has two levels of headings, below the title of a page. */
const HEADINGS: Readonly<Record<string, string>> = { h3: 'h2', h4: 'h3' }
const WRAPPED = 'https://medium.com/r/'

/**
 * The text of a post as HTML, without its title and its subtitle, which are fields of the page.
 *
 * @param ownAddress the path of a link to a post of the export. Null for others.
 */
export function mediumHtml(
  { body, title, subtitle }: Pick<MediumPost, 'body' | 'title' | 'subtitle'>,
  ownAddress: (link: string) => string | null,
): string {
  return printHtml(withoutLine(body.children.flatMap(rewritten)))

  function rewritten(node: ElementContent): readonly ElementContent[] {
    if (!isElement(node)) return [node]
    if (hasClass(node, 'graf--title') && lineOf(node) === title) return []
    if (hasClass(node, 'graf--subtitle') && lineOf(node) === subtitle) return []
    const gist = isElement(node, 'figure') ? first(node, 'script') : null
    if (gist !== null) return [linkTo(attribute(gist, 'src').replace(/\.js$/, ''))]
    const tagName = HEADINGS[node.tagName] ?? node.tagName
    return [{ ...node, tagName, properties: linked(node), children: node.children.flatMap(rewritten) }]
  }

  function linked(node: Element): Element['properties'] {
    const href = isElement(node, 'a') ? unwrapped(attribute(node, 'href')) : ''
    return href === '' ? node.properties : { ...node.properties, href: ownAddress(href) ?? href }
  }
}

function linkTo(address: string): Element {
  return element('p', {}, [element('a', { href: address }, [{ type: 'text', value: address }])])
}

/** The target of a link through which Medium leads its readers to other sites. */
function unwrapped(href: string): string {
  const wrapper = href.startsWith(WRAPPED) ? parseUrl(href) : null
  return wrapper?.searchParams.get('url') ?? href
}

/** Posts begin with the line between two parts, which readers of Medium do not see there. */
function withoutLine(nodes: readonly ElementContent[]): ElementContent[] {
  const at = nodes.findIndex(isVisible)
  const found = nodes[at]
  if (at === -1 || !isElement(found)) return [...nodes]
  const rest = nodes.slice(at + 1)
  return isElement(found, 'hr') ? rest : [{ ...found, children: withoutLine(found.children) }, ...rest]
}
