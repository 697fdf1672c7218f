import type { Nodes, Root, RootContent } from 'hast'
import rehypeRaw from 'rehype-raw'
import { unified } from 'unified'
import { isVoidTag, MAX_OPEN_TAGS, mayStayOpen, type Tag, tagsIn } from './html-tags.ts'
import { isAllowedTag, isStrippedTag } from './schema.ts'
import { walk } from './walk.ts'

const parser = unified().use(rehypeRaw).freeze()

/**
 * Parses the raw HTML of a page as browsers do. That costs as much as all other steps, so only the blocks with raw HTML
 * are parsed, each together with the next ones until its elements are closed. The others are elements already.
 */
export function parseRawHtml(root: Root): Root {
  const children: RootContent[] = []
  let part: RootContent[] = []
  let open: readonly string[] = []
  for (const child of root.children) {
    const isRaw = holdsRawHtml(child)
    if (isRaw) open = [...tagsOf(child)].reduce(openAfter, open)
    if (part.length === 0 && !isRaw) children.push(child)
    else part.push(child)
    if (open.length === 0) finishPart()
  }
  finishPart()
  return { ...root, children }

  function finishPart(): void {
    if (part.length === 0) return
    children.push(...parser.runSync(protectLeadingNewlines({ type: 'root', children: part })).children)
    part = []
  }
}

function holdsRawHtml(block: Nodes): boolean {
  return block.type === 'raw' || ('children' in block && block.children.some(holdsRawHtml))
}

type NamedTag = Pick<Tag, 'name' | 'isEnd'>

/** Tags of raw HTML and of tables. No end tag inside a table reaches out of it. */
function* tagsOf(node: Nodes): Generator<NamedTag> {
  if (node.type === 'raw') return yield* tagsIn(node.value)
  if (!('children' in node)) return
  const isTable = node.type === 'element' && node.tagName === 'table'
  if (isTable) yield { name: 'table', isEnd: false }
  for (const child of node.children) yield* tagsOf(child)
  if (isTable) yield { name: 'table', isEnd: true }
}

/**
 * Names of the elements that are open after a tag, the outermost first. An end tag closes the innermost element of its
 * name, and elements in it with an optional end tag. Elements closed in another order stay open here, so that all the
 * rest is parsed.
 */
function openAfter(open: readonly string[], { name, isEnd }: NamedTag): readonly string[] {
  // Forbidden elements are removed later; their content stays.
  const isFollowed = (isAllowedTag(name) && !isVoidTag(name)) || isStrippedTag(name)
  if (!isFollowed || open.length > MAX_OPEN_TAGS) return open
  if (!isEnd) return [...open, name]
  const innermost = open.findLastIndex((other) => other === name || !mayStayOpen(other))
  return open[innermost] === name ? open.slice(0, innermost) : open
}

/** Doubles a leading newline in `<pre>`: HTML parsers drop the first one, also inside a nested `<code>`. */
function protectLeadingNewlines(root: Root): Root {
  for (const node of walk(root)) {
    if (node.type !== 'element' || node.tagName !== 'pre') continue
    const [code] = node.children
    const [text] = code?.type === 'element' ? code.children : []
    if (text?.type === 'text' && text.value.startsWith('\n')) text.value = `\n${text.value}`
  }
  return root
}
