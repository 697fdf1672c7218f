import type { Html, Nodes, Root } from 'mdast'
import { MAX_OPEN_TAGS, mayStayOpen, tagsIn } from './html-tags.ts'
import { MAX_DIAGNOSTICS, type MarkdownDiagnostic } from './markdown-diagnostic.ts'
import { isAllowedTag, isStrippedTag } from './schema.ts'

/** Text after a tag that tells it apart from others of its name. */
const FOLLOWING = /^[\p{L}\p{N} ,.]{0,40}/u

interface OpenElement {
  readonly name: string
  readonly excerpt: string
}

/**
 * Finds elements in raw HTML that are opened and never closed, mostly tag names meant as text. In a browser
 * such an element contains the rest of the page; a `<details>` hides it.
 */
export function unclosedElements(mdast: Root): readonly MarkdownDiagnostic[] {
  const open: OpenElement[] = []
  /** Name of the stripped element around the current tag, if any. */
  let stripped: string | null = null
  for (const { html, following } of htmlIn(mdast)) {
    for (const tag of tagsIn(html.value)) {
      const { name, isEnd, end } = tag
      if (stripped !== null) {
        if (isEnd && name === stripped) stripped = null
        continue
      }
      if (isStrippedTag(name) && !isEnd) stripped = name
      if (!isAllowedTag(name) || mayStayOpen(name)) continue
      const last = isEnd ? open.findLastIndex((opened) => opened.name === name) : -1
      if (last >= 0) open.splice(last, 1)
      else if (!isEnd) open.push({ name, excerpt: excerptFrom(tag.start, end, html.value, following) })
      // So many reports would not help.
      if (open.length > MAX_OPEN_TAGS) return []
    }
  }
  return open.slice(0, MAX_DIAGNOSTICS).map(({ name, excerpt }) => ({
    code: 'QN-UNCLOSED-HTML',
    excerpt,
    message: `The HTML element <${name}> is never closed, so it contains the rest of the page. To show the tag as text, write \`<${name}>\` in backticks.`,
  }))
}

/** Raw HTML in document order, each with the text that follows it. */
function* htmlIn(node: Nodes): Generator<{ readonly html: Html; readonly following: string }> {
  if (!('children' in node)) return
  for (const [place, child] of node.children.entries()) {
    const next = node.children[place + 1]
    if (child.type === 'html') yield { html: child, following: next?.type === 'text' ? next.value : '' }
    else yield* htmlIn(child)
  }
}

function excerptFrom(start: number, end: number, html: string, following: string): string {
  const more = end < html.length ? html.slice(end) : following
  return html.slice(start, end) + (FOLLOWING.exec(more)?.[0] ?? '')
}
