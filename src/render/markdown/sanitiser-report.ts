import type { Nodes, Root } from 'hast'
import { MAX_DIAGNOSTICS, type MarkdownDiagnostic } from './markdown-diagnostic.ts'
import { isAllowedTag, isStrippedTag } from './schema.ts'
import { hasSafeScheme } from './urls.ts'
import { walk } from './walk.ts'

/** What the sanitiser takes out of a page, in document order; of what goes with another nothing is said. */
export interface SanitiserReport {
  /** Of links and images, for their schemes. */
  readonly droppedUrls: readonly string[]
  /** Elements that no page may have. */
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
  const fate = isStrippedTag(tagName) ? 'with all that stands in it' : 'but not what stands in it'
  return { excerpt: written, message: `The HTML element ${written}> was left out, ${fate}.` }
}

/** Or its children are, without their element. */
function keepsContent(node: Nodes): boolean {
  return node.type !== 'element' || !isStrippedTag(node.tagName)
}
