import type { Nodes } from 'hast'
import { toText } from 'hast-util-to-text'
import { PROSE_COMPONENTS } from './enhance/component.ts'
import { enhance } from './enhance/enhance.ts'
import { withinEngine } from './limits.ts'
import { markdownParser } from './parser.ts'
import { toSafeHast } from './to-safe-hast.ts'

/**
 * Returns the text that visitors read, each block on its own line: no markup, URLs, texts of images and players, or
 * footnote marks.
 *
 * @param source Markdown without front matter.
 * @throws {ServiceError} as `renderMarkdown`.
 */
export function markdownToText(source: string): string {
  return withinEngine(() => {
    const safe = toSafeHast(source, 'block', markdownParser.parse, PROSE_COMPONENTS.schemas)
    return toText(withoutAnnotations(enhance(safe, { href: (url) => url }).tree)).trim()
  })
}

function withoutAnnotations<Node extends Nodes>(node: Node): Node {
  if (!('children' in node)) return node
  return { ...node, children: node.children.filter((child) => !isAnnotation(child)).map(withoutAnnotations) }
}

/** Heading anchors, players, and the number, back link and hidden label of footnotes. */
function isAnnotation(node: Nodes): boolean {
  if (node.type !== 'element') return false
  const { ariaHidden, dataFootnoteRef, dataFootnoteBackref, className } = node.properties
  if (node.tagName === 'video' || node.tagName === 'audio') return true
  const isHidden = Array.isArray(className) && className.includes('sr-only')
  return (
    ariaHidden === 'true' || dataFootnoteRef !== undefined || dataFootnoteBackref !== undefined || isHidden
  )
}
