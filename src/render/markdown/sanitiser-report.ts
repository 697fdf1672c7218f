import type { Nodes, Root } from 'hast'
import { MAX_DIAGNOSTICS, type MarkdownDiagnostic } from './markdown-diagnostic.ts'
import { isAllowedTag, isStrippedTag } from './schema.ts'
import { hasSafeScheme } from './urls.ts'
import { walk } from './walk.ts'

/**
 * Everything the sanitiser removes from a page, in document order. Does not list the content of removed elements.
 */
export interface SanitiserReport {
  /** URLs of links and images with unsafe schemes. */
  readonly droppedUrls: readonly string[]
  /** Elements that pages may not contain. */
  readonly diagnostics: readonly MarkdownDiagnostic[]
}

export function reportRemovals(unsafe: Root): SanitiserReport {
  const droppedUrls: string[] = []
  const diagnostics: MarkdownDiagnostic[] = []
  for (const node of walk(unsafe, keepsContent)) {
    if (node.type !== 'element') continue
    const { tagName, properties } = node
    const url = tagName === 'a' ? properties['href'] : tagName === 'img' ? properties['src'] : undefined
    if (typeof url === 'string' && !hasSafeScheme(url, tagName === 'a' ? 'link' : 'image'))
      droppedUrls.push(url)
    if (!isAllowedTag(tagName) && diagnostics.length < MAX_DIAGNOSTICS)
      diagnostics.push(removedElement(tagName))
  }
  return { droppedUrls, diagnostics }
}

function removedElement(tagName: string): MarkdownDiagnostic {
  const written = `<${tagName.slice(0, 100)}`
  const fate = isStrippedTag(tagName) ? 'was removed with its content' : 'was removed; its content was kept'
  return { code: 'QN-DROPPED-HTML', excerpt: written, message: `The HTML element ${written}> ${fate}.` }
}

/** False for elements that are removed together with their content. */
function keepsContent(node: Nodes): boolean {
  return node.type !== 'element' || !isStrippedTag(node.tagName)
}
