import type { Nodes, Root, RootContent } from 'hast'
import rehypeRaw from 'rehype-raw'
import { unified } from 'unified'
import { isVoidTag, MAX_OPEN_TAGS, mayStayOpen, type Tag, tagsIn } from './html-tags.ts'
import { isAllowedTag, isStrippedTag } from './schema.ts'
import { walk } from './walk.ts'

const parser = unified().use(rehypeRaw).freeze()

/**
 * Parses the raw HTML of a page as browsers do. That costs as much as all other steps, so only the blocks with raw HTML
 * are parsed, each with those after it until its elements are closed. The others are elements already.
 */
export function parseRawHtml(root: Root): Root {
  const children: RootContent[] = []
  let part: RootContent[] = []
  let open: readonly string[] = []
  for (const child of root.children) {
    const html = rawHtml(child)
    open = html.flatMap((each) => [...tagsIn(each)]).reduce(openAfter, open)
    if (part.length === 0 && html.length === 0) children.push(child)
    else part.push(child)
    if (open.length === 0) finishPart()
  }
  finishPart()
  return { ...root, children }

  function finishPart(): void {
    if (part.length === 0) return
    protectLeadingNewlines(part)
    children.push(...parser.runSync({ type: 'root', children: part }).children)
    part = []
  }
}

function rawHtml(block: RootContent): readonly string[] {
  return [...walk(block)].flatMap((node) => (node.type === 'raw' ? [node.value] : []))
}

/** Names of the elements that are open after a tag, the outermost first. Others than allowed ones are removed later. */
function openAfter(open: readonly string[], { name, isEnd }: Tag): readonly string[] {
  const isFollowed = (isAllowedTag(name) && !isVoidTag(name)) || isStrippedTag(name)
  if (!isFollowed || open.length > MAX_OPEN_TAGS) return open
  if (!isEnd) return [...open, name]
  const last = open.lastIndexOf(name)
  // With an element, those inside it end that need no end tag.
  return last === -1
    ? open
    : [...open.slice(0, last), ...open.slice(last + 1).filter((each) => !mayStayOpen(each))]
}

/** Doubles a leading newline in `<pre>`: HTML parsers drop the first one, also inside a nested `<code>`. */
function protectLeadingNewlines(blocks: readonly Nodes[]): void {
  for (const node of blocks.flatMap((block) => [...walk(block)])) {
    if (node.type !== 'element' || node.tagName !== 'pre') continue
    const [code] = node.children
    const [text] = code?.type === 'element' ? code.children : []
    if (text?.type === 'text' && text.value.startsWith('\n')) text.value = `\n${text.value}`
  }
}
