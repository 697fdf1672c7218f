import type { ElementContent, Root, RootContent } from 'hast'
import { anchorId } from './blocks.ts'
import { attribute, element, isElement, outermost } from './elements.ts'

const HEADING = /^h[1-6]$/
/** Ids that an anchor in Markdown may have without escapes. */
const ID = /^[\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99}$/u

/** Puts anchors where links of the same page lead to and no heading is: `<a id="…"></a>`. */
export function withAnchors(tree: Root): Root {
  const links = outermost(tree, (each) => isElement(each, 'a'))
  const wanted = new Set(
    links.flatMap((link) => {
      const href = attribute(link, 'href')
      return /^#./.test(href) ? [href.slice(1)] : []
    }),
  )
  return wanted.size === 0
    ? tree
    : { ...tree, children: anchored(tree.children, wanted, false) as RootContent[] }
}

function anchored(
  nodes: readonly (ElementContent | RootContent)[],
  wanted: Set<string>,
  isInHeading: boolean,
): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (!isElement(node)) return node.type === 'text' ? [node] : []
    const inHeading = isInHeading || HEADING.test(node.tagName)
    const id = anchorId(node)
    const children = anchored(node.children, wanted, inHeading)
    if (inHeading || !wanted.has(id) || !ID.test(id)) return [{ ...node, children }]
    wanted.delete(id)
    const anchor = element('q-anchor', { name: id })
    // A list and a table hold items and rows alone.
    return isElement(
      node,
      'ul',
      'ol',
      'table',
      'tbody',
      'tr',
      'thead',
      'img',
      'hr',
      'br',
      'pre',
      'figure',
      'iframe',
      'video',
      'audio',
      'dl',
    )
      ? [anchor, { ...node, children }]
      : [{ ...node, children: [anchor, ...children] }]
  })
}
