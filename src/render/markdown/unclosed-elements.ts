import type { Html, Nodes, Root } from 'mdast'
import { MAX_DIAGNOSTICS, type MarkdownDiagnostic } from './markdown-diagnostic.ts'
import { isAllowedTag, isStrippedTag } from './schema.ts'

/** Void elements and elements with optional end tags. Source: HTML Standard. */
const OPTIONAL_END = new Set(
  'br col hr img input source track wbr caption colgroup dd dt li p rp rt tbody td tfoot th thead tr'.split(
    ' ',
  ),
)

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
      if (!isAllowedTag(name) || OPTIONAL_END.has(name)) continue
      const last = isEnd ? open.findLastIndex((opened) => opened.name === name) : -1
      if (last >= 0) open.splice(last, 1)
      else if (!isEnd) open.push({ name, excerpt: excerptFrom(tag.start, end, html.value, following) })
      if (open.length > MAX_OPEN) return []
    }
  }
  return open.slice(0, MAX_DIAGNOSTICS).map(({ name, excerpt }) => ({
    code: 'QN-UNCLOSED-HTML',
    excerpt,
    message: `The HTML element <${name}> is never closed, so it contains the rest of the page. To show the tag as text, write \`<${name}>\` in backticks.`,
  }))
}

/** Reports nothing when more are open, because that many reports would not help. */
const MAX_OPEN = 1_000

/** Raw HTML in document order, each with the text that follows it. */
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
  /** Offsets of the tag's start and of the text after it. */
  readonly start: number
  readonly end: number
}

/**
 * Tags of a piece of HTML, except those in comments and in stripped elements, and a tag that does not end.
 */
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

/** Offset after the comment; null when it does not end. Other text is skipped by one character. */
function afterComment(html: string, at: number): number | null {
  if (!html.startsWith('<!--', at)) return at + 1
  const end = html.indexOf('-->', at)
  return end === -1 ? null : end + 3
}

/** A `>` inside quotes does not end a tag. */
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
