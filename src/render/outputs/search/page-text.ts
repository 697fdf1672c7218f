/** Text of a page under one heading, or before the first of them. */
export interface TextSection {
  /** Null for what stands before the first heading that can be led to. */
  readonly anchor: string | null
  readonly heading: string
  /** Further headings that nothing leads to. */
  readonly headings: readonly string[]
  readonly text: string
}

/** What stands in a page and is no part of its text. */
const SKIPPED = new Set([
  ...['script', 'style', 'template', 'noscript', 'svg', 'annotation', 'nav', 'button', 'select', 'textarea'],
  ...['iframe', 'object', 'audio', 'video'],
])
const SKIPPED_CLASS = /(^|\s)(toggle|byline-facts)(\s|$)/
const VOID = new Set([
  'img',
  'br',
  'hr',
  'input',
  'wbr',
  'source',
  'track',
  'col',
  'area',
  'embed',
  'link',
  'meta',
])
/** These do not part words. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em i ins kbd mark q s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
)
const HEADING = /^h[1-6]$/
const MOST_SECTIONS = 100

interface Section {
  readonly anchor: string | null
  readonly heading: string
  readonly headings: string[]
  readonly text: string[]
}

interface Heading {
  readonly anchor: string | null
  readonly text: string[]
}

interface Place {
  here: Section
  /** What is being left out, and how deep within it. */
  skipping: { readonly tag: string; depth: number } | null
  /** Id of a section that has not shown its heading yet. */
  around: string | null
  heading: Heading | null
}

/**
 * The text of a finished document's `<main>`, section by section. Reads what templates and the Markdown
 * pipeline wrote, in linear time: tags are closed and attributes quoted.
 */
export function pageText(html: string): readonly TextSection[] {
  const start: Section = { anchor: null, heading: '', headings: [], text: [] }
  const sections = [start]
  const at: Place = { here: start, skipping: null, around: null, heading: null }

  for (const token of tokens(mainOf(html))) {
    if (at.skipping !== null) skip(at.skipping, token)
    else if (token.kind === 'text') (at.heading ?? at.here).text.push(unescaped(token.text))
    else {
      if (!INLINE.has(token.tag)) (at.heading ?? at.here).text.push(' ')
      if (token.kind === 'open') open(token)
      else if (at.heading !== null && HEADING.test(token.tag)) close(at.heading)
    }
  }
  return sections.map((section) => ({ ...section, text: oneLine(section.text.join('')) }))

  function skip(skipping: { readonly tag: string; depth: number }, token: Token): void {
    if (token.kind === 'text' || token.tag !== skipping.tag) return
    skipping.depth += token.kind === 'open' ? 1 : -1
    if (skipping.depth === 0) at.skipping = null
  }

  function open({ tag, attributes }: Tag): void {
    if (tag === 'img') at.here.text.push(unescaped(attribute(attributes, 'alt') ?? ''), ' ')
    if (VOID.has(tag)) return
    if (isSkipped(tag, attributes)) at.skipping = { tag, depth: 1 }
    else if (tag === 'section') at.around = attribute(attributes, 'id')
    else if (HEADING.test(tag)) {
      const anchor = tag === 'h1' ? null : (attribute(attributes, 'id') ?? at.around)
      at.heading = { anchor, text: [] }
      at.around = null
    }
  }

  function close({ anchor, text }: Heading): void {
    at.heading = null
    const heading = oneLine(text.join(''))
    if (heading === '') return
    if (anchor === null || sections.length > MOST_SECTIONS) at.here.headings.push(heading)
    else {
      at.here = { anchor: unescaped(anchor), heading, headings: [], text: [] }
      sections.push(at.here)
    }
  }
}

interface Tag {
  readonly kind: 'open' | 'close'
  readonly tag: string
  readonly attributes: string
}

type Token = Tag | { readonly kind: 'text'; readonly text: string }

function mainOf(html: string): string {
  const start = html.indexOf('<main')
  const end = html.lastIndexOf('</main>')
  return start === -1 || end < start ? '' : html.slice(html.indexOf('>', start) + 1, end)
}

function* tokens(html: string): Generator<Token> {
  for (let at = 0; at < html.length; ) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at)
      at = end === -1 ? html.length : end + 3
    } else if (html[at] === '<') {
      const end = endOfTag(html, at)
      yield tagOf(html.slice(at + 1, end))
      at = end + 1
    } else {
      const next = html.indexOf('<', at)
      const end = next === -1 ? html.length : next
      yield { kind: 'text', text: html.slice(at, end) }
      at = end
    }
  }
}

/** Where the `>` is that stands in no attribute. */
function endOfTag(html: string, start: number): number {
  let quote = ''
  for (let at = start + 1; at < html.length; at++) {
    const character = html[at] as string
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return at
  }
  return html.length
}

function tagOf(inner: string): Tag {
  const closing = inner.startsWith('/')
  const name = /^[a-z][a-z0-9-]*/i.exec(closing ? inner.slice(1) : inner)?.[0] ?? ''
  return {
    kind: closing ? 'close' : 'open',
    tag: name.toLowerCase(),
    attributes: closing ? '' : inner.slice(name.length),
  }
}

const VALUES = {
  alt: /\salt="([^"]*)"/,
  class: /\sclass="([^"]*)"/,
  id: /\sid="([^"]*)"/,
  'aria-hidden': /\saria-hidden="([^"]*)"/,
}

function attribute(attributes: string, name: keyof typeof VALUES): string | null {
  return attributes === '' ? null : (VALUES[name].exec(attributes)?.[1] ?? null)
}

function isSkipped(tag: string, attributes: string): boolean {
  return (
    SKIPPED.has(tag) ||
    attribute(attributes, 'aria-hidden') === 'true' ||
    SKIPPED_CLASS.test(attribute(attributes, 'class') ?? '')
  )
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
