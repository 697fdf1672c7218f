import type { Nodes, Root } from 'hast'
import { descend } from './descend.ts'
import { MAX_FAULTS, type MarkdownFault } from './markdown-fault.ts'
import { isKeptTag, isStrippedTag } from './schema.ts'
import { hasSafeScheme } from './urls.ts'

/** What the sanitiser takes out of a page, in document order; of what goes with another nothing is said. */
export interface TakenOut {
  /** Of links and images, for their schemes. */
  readonly droppedUrls: readonly string[]
  /** Elements that no page may have. */
  readonly faults: readonly MarkdownFault[]
}

export function takenOut(unsafe: Root): TakenOut {
  const droppedUrls: string[] = []
  const faults: MarkdownFault[] = []
  for (const node of descend(unsafe, isKept)) {
    if (node.type !== 'element') continue
    const { tagName, properties } = node
    const url = tagName === 'a' ? properties['href'] : tagName === 'img' ? properties['src'] : undefined
    if (typeof url === 'string' && !hasSafeScheme(url, tagName === 'a' ? 'link' : 'image'))
      droppedUrls.push(url)
    if (!isKeptTag(tagName) && faults.length < MAX_FAULTS) faults.push(faultOf(tagName))
  }
  return { droppedUrls, faults }
}

function faultOf(tagName: string): MarkdownFault {
  const written = `<${tagName.slice(0, 100)}`
  const fate = isStrippedTag(tagName) ? 'with all that stands in it' : 'but not what stands in it'
  return { written, message: `The HTML element ${written}> was left out, ${fate}.` }
}

/** Or its children are, without their element. */
function isKept(node: Nodes): boolean {
  return node.type !== 'element' || !isStrippedTag(node.tagName)
}
