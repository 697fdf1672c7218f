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
const SKIPPED =
  'script style template noscript svg annotation nav button select textarea iframe object audio video'
const SKIPPED_CLASS = /(^|\s)(toggle|byline-facts|page-actions)(\s|$)/
const VOID = 'img br hr input wbr source track col area embed link meta'
/** These do not part words. */
const INLINE =
  'a abbr b bdi bdo cite code data del dfn em i ins kbd mark q s samp small span strong sub sup time u var wbr'
const HEADINGS = 'h1 h2 h3 h4 h5 h6'
const MAX_SECTIONS = 100

/** What is to be known of an element. */
interface ElementKind {
  readonly isSkipped: boolean
  readonly isVoid: boolean
  readonly isInline: boolean
  readonly isHeading: boolean
}

const OTHER: ElementKind = { isSkipped: false, isVoid: false, isInline: false, isHeading: false }
const KINDS = kinds({ isSkipped: SKIPPED, isVoid: VOID, isInline: INLINE, isHeading: HEADINGS })

function kinds(tags: Readonly<Record<keyof ElementKind, string>>): ReadonlyMap<string, ElementKind> {
  const found = new Map<string, ElementKind>()
  for (const [is, names] of Object.entries(tags))
    for (const name of names.split(' ')) found.set(name, { ...(found.get(name) ?? OTHER), [is]: true })
  return found
}

interface Section {
  readonly anchor: string | null
  readonly heading: string
  readonly headings: string[]
  /** Where its text starts in that of the page; it ends where that of the next one starts. */
  readonly start: number
}

interface Heading {
  readonly anchor: string | null
  text: string
}

interface ParserState {
  section: Section
  /** The element that is being left out; null for none. */
  skippedTag: string | null
  /** How often it stands within itself. */
  depth: number
  /** Id of a section that has not shown its heading yet. */
  sectionId: string | null
  heading: Heading | null
}

/**
 * The text of a finished document's `<main>`, section by section, its white space as it stands there. Reads
 * what templates and the Markdown pipeline wrote, in linear time: tags are closed and attributes quoted.
 *
 * @param head where what others wrote ends, which may name such an element too.
 */
export function pageText(html: string, head = 0): readonly TextSection[] {
  const start: Section = { anchor: null, heading: '', headings: [], start: 0 }
  const sections = [start]
  const at: ParserState = { section: start, skippedTag: null, depth: 0, sectionId: null, heading: null }
  const [from, to] = mainOf(html, head)
  let text = ''

  for (let next = from; next < to; ) {
    const tag = at.skippedTag === null ? readText(next) : html.indexOf('<', next)
    if (tag === to) break
    next = html.startsWith('<!--', tag) ? orEnd(html.indexOf('-->', tag), to) + '-->'.length : readTag(tag)
  }
  return sections.map(({ anchor, heading, headings, start }, index) => {
    return { anchor, heading, headings, text: text.slice(start, sections[index + 1]?.start) }
  })

  /** Up to the next tag. @returns where that starts. */
  function readText(first: number): number {
    const next = html.indexOf('<', first)
    say(unescaped(html.slice(first, next)))
    return next
  }

  function say(said: string): void {
    if (at.heading === null) text += said
    else at.heading.text += said
  }

  /** @returns where what follows it starts. */
  function readTag(tag: number): number {
    const isClosing = html.charCodeAt(tag + 1) === SLASH
    const nameStart = isClosing ? tag + 2 : tag + 1
    const nameEnd = endOfName(html, nameStart)
    const end = endOfTag(html, nameEnd, to)
    const name = html.slice(nameStart, nameEnd).toLowerCase()
    if (at.skippedTag === null) read(name, isClosing, html.slice(nameEnd, end))
    else if (at.skippedTag === name) skip(isClosing)
    return end + 1
  }

  function read(tag: string, isClosing: boolean, attributes: string): void {
    const kind = KINDS.get(tag) ?? OTHER
    if (!kind.isInline) say(' ')
    if (!isClosing) open(tag, kind, attributes)
    else if (at.heading !== null && kind.isHeading) close(at.heading)
  }

  function skip(isClosing: boolean): void {
    at.depth += isClosing ? -1 : 1
    if (at.depth === 0) at.skippedTag = null
  }

  function open(tag: string, kind: ElementKind, attributes: string): void {
    if (tag === 'img') text += `${unescaped(attribute(attributes, 'alt') ?? '')} `
    if (kind.isVoid) return
    if (kind.isSkipped || isHidden(attributes)) {
      at.skippedTag = tag
      at.depth = 1
    } else if (tag === 'section') at.sectionId = attribute(attributes, 'id')
    else if (kind.isHeading) {
      const anchor = tag === 'h1' ? null : (attribute(attributes, 'id') ?? at.sectionId)
      at.heading = { anchor, text: '' }
      at.sectionId = null
    }
  }

  function close({ anchor, text: heading }: Heading): void {
    at.heading = null
    const line = oneLine(heading)
    if (line === '') return
    if (anchor === null || sections.length > MAX_SECTIONS) at.section.headings.push(line)
    else {
      at.section = { anchor: unescaped(anchor), heading: line, headings: [], start: text.length }
      sections.push(at.section)
    }
  }
}

/** Where its content starts and ends. */
function mainOf(html: string, head: number): readonly [number, number] {
  const start = html.indexOf('<main', head)
  const end = html.lastIndexOf('</main>')
  const from = html.indexOf('>', start) + 1
  return start === -1 || end < from ? [0, 0] : [from, end]
}

function orEnd(index: number, end: number): number {
  return index === -1 ? end : index
}

const DOUBLE = 34
const SINGLE = 39
const SLASH = 47
const CLOSE = 62

/** Where the `>` is that stands in no attribute. @param start behind the name. */
function endOfTag(html: string, start: number, end: number): number {
  let quote = 0
  for (let at = start; at < end; at += 1) {
    const code = html.charCodeAt(at)
    if (quote !== 0) quote = code === quote ? 0 : quote
    else if (code === DOUBLE || code === SINGLE) quote = code
    else if (code === CLOSE) return at
  }
  return end
}

/** Of a name as elements have it: a letter, then letters, digits and hyphens. */
function endOfName(html: string, start: number): number {
  let at = start
  while (isNameCharacter(html.charCodeAt(at), at === start)) at += 1
  return at
}

function isNameCharacter(code: number, isFirst: boolean): boolean {
  const small = code | 32
  if (small >= 97 && small <= 122) return true
  return !isFirst && ((code >= 48 && code <= 57) || code === 45)
}

const ATTRIBUTES = {
  alt: /\salt="([^"]*)"/,
  class: /\sclass="([^"]*)"/,
  id: /\sid="([^"]*)"/,
  'aria-hidden': /\saria-hidden="([^"]*)"/,
}

function attribute(attributes: string, name: keyof typeof ATTRIBUTES): string | null {
  return attributes === '' ? null : (ATTRIBUTES[name].exec(attributes)?.[1] ?? null)
}

function isHidden(attributes: string): boolean {
  return (
    (attributes.includes('aria-hidden') && attribute(attributes, 'aria-hidden') === 'true') ||
    (attributes.includes('class') && SKIPPED_CLASS.test(attribute(attributes, 'class') ?? ''))
  )
}

const NAMED_REFERENCES: Readonly<Record<string, string>> = {
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
    if (name !== undefined) return NAMED_REFERENCES[name] ?? whole
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}

/** White space as one space, and none around it. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
