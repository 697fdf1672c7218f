import { withoutReferences } from '../../page-text/character-references.ts'

/** The text under one heading of a page, or before its first heading. */
export interface TextSection {
  /** The id of the heading; null for the text before the first heading with an id. */
  readonly anchor: string | null
  readonly heading: string
  /** Further headings, which have no id. */
  readonly headings: readonly string[]
  readonly text: string
}

/** Elements whose content is not part of the text. */
const SKIPPED =
  'script style template noscript svg annotation nav button select textarea iframe object audio video'
const SKIPPED_CLASS = /(^|\s)(toggle|byline-facts|page-actions|page-tools|tags|sr-only|term-text)(\s|$)/
const VOID = 'img br hr input wbr source track col area embed link meta'
/** Elements that do not separate words. */
const INLINE =
  'a abbr b bdi bdo button cite code data del dfn em i ins kbd mark q s samp small span strong sub sup time u var wbr'
const HEADINGS = 'h1 h2 h3 h4 h5 h6'
const MAX_SECTIONS = 100

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
  /** Offset of its text in the text of the page. It ends at the offset of the next section. */
  readonly start: number
}

interface Heading {
  readonly anchor: string | null
  text: string
}

interface ParserState {
  /** The section that text is added to. */
  section: Section
  /** The name of the element that is being skipped; null if none is. */
  skippedTag: string | null
  /** The number of open elements of that name. */
  depth: number
  /** The id of a `<section>` whose heading has not occurred yet. */
  sectionId: string | null
  /** The heading that is being read; null outside headings. */
  heading: Heading | null
}

/**
 * Extracts the text of a rendered document's `<main>`, section by section, with its white space. Runs in linear time.
 * Relies on the output of templates and the Markdown pipeline: every tag is closed and every attribute quoted.
 *
 * @param head the offset where the site's own head HTML ends. It is not searched for `<main>`.
 */
export function pageText(html: string, head = 0): readonly TextSection[] {
  const start: Section = { anchor: null, heading: '', headings: [], start: 0 }
  const sections = [start]
  const state: ParserState = { section: start, skippedTag: null, depth: 0, sectionId: null, heading: null }
  const [from, to] = mainOf(html, head)
  let text = ''

  for (let next = from; next < to; ) {
    const tag = state.skippedTag === null ? readText(next) : html.indexOf('<', next)
    if (tag === to) break
    next = html.startsWith('<!--', tag) ? orEnd(html.indexOf('-->', tag), to) + '-->'.length : readTag(tag)
  }
  return sections.map(({ anchor, heading, headings, start }, index) => {
    return { anchor, heading, headings, text: text.slice(start, sections[index + 1]?.start) }
  })

  /** Reads the text up to the next tag. @returns the offset of that tag. */
  function readText(first: number): number {
    const next = html.indexOf('<', first)
    append(withoutReferences(html.slice(first, next)))
    return next
  }

  function append(part: string): void {
    if (state.heading === null) text += part
    else state.heading.text += part
  }

  /** @returns the offset after the tag. */
  function readTag(tag: number): number {
    const isClosing = html.charCodeAt(tag + 1) === SLASH
    const nameStart = isClosing ? tag + 2 : tag + 1
    const nameEnd = endOfName(html, nameStart)
    const end = endOfTag(html, nameEnd, to)
    const name = html.slice(nameStart, nameEnd).toLowerCase()
    if (state.skippedTag === null) read(name, isClosing, html.slice(nameEnd, end))
    else if (state.skippedTag === name) skip(isClosing)
    return end + 1
  }

  function read(tag: string, isClosing: boolean, attributes: string): void {
    const kind = KINDS.get(tag) ?? OTHER
    if (!kind.isInline) append(' ')
    if (!isClosing) open(tag, kind, attributes)
    else if (state.heading !== null && kind.isHeading) close(state.heading)
  }

  function skip(isClosing: boolean): void {
    state.depth += isClosing ? -1 : 1
    if (state.depth === 0) state.skippedTag = null
  }

  function open(tag: string, kind: ElementKind, attributes: string): void {
    if (tag === 'img') text += `${withoutReferences(attribute(attributes, 'alt') ?? '')} `
    // The name of a player; what is in it is shown where it cannot play.
    if (tag === 'video' || tag === 'audio')
      text += `${withoutReferences(attribute(attributes, 'aria-label') ?? '')} `
    if (kind.isVoid) return
    // A term of the glossary is text that shows its explanation.
    const isSkipped = kind.isSkipped && !attributes.includes('class="term"')
    if (isSkipped || isHidden(attributes)) {
      state.skippedTag = tag
      state.depth = 1
    } else if (tag === 'section') state.sectionId = attribute(attributes, 'id')
    else if (kind.isHeading) {
      const anchor = tag === 'h1' ? null : (attribute(attributes, 'id') ?? state.sectionId)
      state.heading = { anchor, text: '' }
      state.sectionId = null
    }
  }

  function close({ anchor, text: heading }: Heading): void {
    state.heading = null
    const line = oneLine(heading)
    if (line === '') return
    if (anchor === null || sections.length > MAX_SECTIONS) state.section.headings.push(line)
    else {
      state.section = { anchor: withoutReferences(anchor), heading: line, headings: [], start: text.length }
      sections.push(state.section)
    }
  }
}

/** Returns the offsets of the start and end of the content of `<main>`. */
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

/** Returns the offset of the `>` that ends a tag, outside quotes. @param start the offset after the tag's name. */
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

/** Returns the offset after a name: a letter, then letters, digits and hyphens. */
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
  'aria-label': /\saria-label="([^"]*)"/,
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

/** Collapses white space to one space, and trims. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
