import type { Html, Nodes, Root } from 'mdast'
import { MAX_DIAGNOSTICS, type MarkdownDiagnostic } from './markdown-diagnostic.ts'
import { isAllowedTag, isStrippedTag } from './schema.ts'

/** Elements that end by themselves. Source: HTML, void elements and optional tags. */
const OPTIONAL_END = new Set(
  'br col hr img input wbr caption colgroup dd dt li p rp rt tbody td tfoot th thead tr'.split(' '),
)

/** Enough of what follows a tag to tell it from others of its name. */
const FOLLOWING = /^[\p{L}\p{N} ,.]{0,40}/u

interface OpenElement {
  readonly name: string
  readonly excerpt: string
}

/**
 * Elements of an author's HTML that are opened and never closed: mostly words about HTML that were meant to be read.
 * A browser has the rest of the page stand in them, which hides it in a `<details>`.
 */
export function unclosedElements(mdast: Root): readonly MarkdownDiagnostic[] {
  const open: OpenElement[] = []
  /** What goes with all that stands in it, while in one. */
  let stripped: string | null = null
  for (const { html, following } of htmlIn(mdast)) {
    for (const tag of tagsIn(html.value)) {
      const { name, isEnd, end } = tag
      if (stripped !== null) {
        if (isEnd && name === stripped) stripped = null
        continue
      }
      if (isStrippedTag(name) && !isEnd) stripped = name
      if (!isAllowedTag(name) || OPTIONAL_END.has(name)) continue
      const last = isEnd ? open.findLastIndex((opened) => opened.name === name) : -1
      if (last >= 0) open.splice(last, 1)
      else if (!isEnd) open.push({ name, excerpt: excerptFrom(tag.start, end, html.value, following) })
      if (open.length > MAX_OPEN) return []
    }
  }
  return open.slice(0, MAX_DIAGNOSTICS).map(({ name, excerpt }) => ({
    excerpt,
    message: `The HTML element <${name}> is never closed: all that follows stands in it. Write it as \`<${name}>\` where it is meant to be read.`,
  }))
}

/** Of so many nobody could say anything that helps. */
const MAX_OPEN = 1_000

/** In document order, each with the text beside it. */
function* htmlIn(node: Nodes): Generator<{ readonly html: Html; readonly following: string }> {
  if (!('children' in node)) return
  for (const [place, child] of node.children.entries()) {
    const next = node.children[place + 1]
    if (child.type === 'html') yield { html: child, following: next?.type === 'text' ? next.value : '' }
    else yield* htmlIn(child)
  }
}

interface Tag {
  /** In lower case. */
  readonly name: string
  readonly isEnd: boolean
  /** Where it begins, and where what follows it does. */
  readonly start: number
  readonly end: number
}

/** Tags in a piece of HTML, but for those in comments, in what is taken out with all that stands in it, and one that does not end. */
function* tagsIn(html: string): Generator<Tag> {
  let at = html.indexOf('<')
  while (at !== -1) {
    const [, slash, written] = tagStart(html, at)
    const after = written === undefined ? afterComment(html, at) : afterTag(html, at)
    if (after === null) return
    if (written !== undefined) {
      const name = written.toLowerCase()
      yield { name, isEnd: slash === '/', start: at, end: after }
      if (slash === '' && isStrippedTag(name)) {
        const ended = html.slice(after).search(new RegExp(`</${name}`, 'i'))
        if (ended === -1) return
        at = after + ended
        continue
      }
    }
    at = html.indexOf('<', after)
  }
}

const TAG = /<(\/?)([a-z][^\s/>]*)/iy

function tagStart(html: string, at: number): readonly (string | undefined)[] {
  TAG.lastIndex = at
  return TAG.exec(html) ?? []
}

/** Null where a comment does not end; what is none is one sign. */
function afterComment(html: string, at: number): number | null {
  if (!html.startsWith('<!--', at)) return at + 1
  const end = html.indexOf('-->', at)
  return end === -1 ? null : end + 3
}

/** No `>` within quotes ends a tag. */
function afterTag(html: string, at: number): number | null {
  for (let place = at; place < html.length; place += 1) {
    const sign = html[place]
    if (sign === '>') return place + 1
    if (sign === '"' || sign === "'") {
      place = html.indexOf(sign, place + 1)
      if (place === -1) return null
    }
  }
  return null
}

function excerptFrom(start: number, end: number, html: string, following: string): string {
  const more = end < html.length ? html.slice(end) : following
  return html.slice(start, end) + (FOLLOWING.exec(more)?.[0] ?? '')
}
