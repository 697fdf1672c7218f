import type { Element, ElementContent, Properties, Root } from 'hast'
import type { UrlKind } from '../../domain/author-url.ts'
import { element } from './hast-builders.ts'
import type { SafeElements } from './mdast-to-safe-hast.ts'
import { unescaped } from './native-text.ts'
import { encodedUrl, hasSafeScheme } from './urls.ts'

/*
 * Most of a plain page stands in what the native parser prints as a page is to have it. Only what `polish` changes
 * becomes elements here, and all between stays text, the cells of tables among it: a tree of a twentieth of the nodes.
 */

/** Elements within each other that no limit of a tree could mind. */
const DEEPEST = 64

/**
 * Text and tags that stay as they are, paragraphs of nothing else among them. What stands before a tag is taken whole
 * or not at all, so that a paragraph which has more in it is told in linear time.
 */
const PASSED =
  /(?:[^<]+|<p>(?:[^<]+(?=<)|<\/?(?:em|strong|del|code)>|<br>)+<\/p>|<\/?(?:em|strong|del|code|blockquote|ul|ol|li|thead|tbody|tr|td)>|<\/th>|<[bh]r>|<ol start="\d{1,9}">)+/y
const LINK = /<a href="([^"]*)"(?: title="([^"]*)")?>/y
const IMAGE = /<img src="([^"]*)" alt="([^"]*)"(?: title="([^"]*)")?>/y
const CODE_BLOCK = /<pre><code(?: class="language-([^"\s]+)")?>([^<]*)<\/code><\/pre>/y
const CELL = /<(t[hd])(?: style="text-align: (left|center|right)")?>/y
/** Tags without attributes. */
const BARE: ReadonlySet<string> = new Set(['p', 'table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

interface Reading {
  readonly html: string
  readonly droppedUrls: string[]
  /** Those that are open, the root first. */
  readonly open: (Root | Element)[]
  /** What has been read so far. */
  at: number
}

/**
 * Safe elements of what the native parser printed of plain Markdown, as `plainElements` makes them of its tree: every
 * tag and every attribute is named here, and every URL is asked for its scheme. A tag that is not named was not printed
 * of Markdown.
 *
 * @returns null for one of these, or where much is nested.
 */
export function printedElements(html: string): SafeElements | null {
  if (!isShallow(html)) return null
  const root: Root = { type: 'root', children: [] }
  const reading: Reading = { html, droppedUrls: [], open: [root], at: 0 }
  while (reading.at < html.length) if (!readPassed(reading) && !readTag(reading)) return null
  return reading.open.length === 1 ? { tree: root, droppedUrls: reading.droppedUrls } : null
}

/** False where there is none. */
function readPassed(reading: Reading): boolean {
  const { html, at } = reading
  PASSED.lastIndex = at
  if (!PASSED.test(html)) return false
  const passed = html.slice(at, PASSED.lastIndex)
  return addRaw(passed.includes('&gt;') ? passed.replaceAll('&gt;', '>') : passed, PASSED.lastIndex, reading)
}

/** By what it begins with: to try one form after the other takes as long as all the rest. False for no tag of ours. */
function readTag(reading: Reading): boolean {
  const { html, at } = reading
  const letter = html[at + 1]
  if (letter === '/') return readClosing(reading)
  if (letter === 'a') return readLink(reading)
  if (letter === 'i') return readImage(reading)
  const end = html.indexOf('>', at) + 1
  const name = html.slice(at + 1, end - 1)
  if (BARE.has(name)) return begin(element(name, {}, []), end, reading)
  return letter === 'p' ? readCodeBlock(reading) : readCell(reading)
}

function readClosing(reading: Reading): boolean {
  const { html, at, open } = reading
  const here = open.at(-1)
  if (here?.type !== 'element' || !html.startsWith(`${here.tagName}>`, at + 2)) return false
  open.pop()
  reading.at = at + here.tagName.length + 3
  return true
}

function readLink(reading: Reading): boolean {
  const found = match(LINK, reading)
  if (found === null) return false
  const properties: Properties = {}
  const url = safeUrl(found[1], 'link', reading)
  if (url !== null) properties['href'] = url
  if (found[2] !== undefined) properties['title'] = unescaped(found[2])
  return begin(element('a', properties, []), LINK.lastIndex, reading)
}

function readImage(reading: Reading): boolean {
  const found = match(IMAGE, reading)
  if (found === null) return false
  const properties: Properties = {}
  const url = safeUrl(found[1], 'image', reading)
  if (url !== null) properties['src'] = url
  properties['alt'] = unescaped(found[2] ?? '')
  if (found[3] !== undefined) properties['title'] = unescaped(found[3])
  return add(element('img', properties, []), IMAGE.lastIndex, reading)
}

function readCodeBlock(reading: Reading): boolean {
  const found = match(CODE_BLOCK, reading)
  if (found === null) return false
  const language = found[1]
  const properties = language === undefined ? {} : { className: [`language-${unescaped(language)}`] }
  const text: ElementContent = { type: 'text', value: unescaped(found[2] ?? '') }
  return add(element('pre', {}, [element('code', properties, [text])]), CODE_BLOCK.lastIndex, reading)
}

/** As `polish` leaves it. */
function readCell(reading: Reading): boolean {
  const found = match(CELL, reading)
  if (found === null) return false
  const scope = found[1] === 'th' ? ' scope="col"' : ''
  const align = found[2] === undefined ? '' : ` class="align-${found[2]}"`
  return addRaw(`<${found[1]}${scope}${align}>`, CELL.lastIndex, reading)
}

function match(sticky: RegExp, { html, at }: Reading): RegExpExecArray | null {
  sticky.lastIndex = at
  return sticky.exec(html)
}

/** Text beside text is one. */
function addRaw(value: string, end: number, reading: Reading): true {
  const last = reading.open.at(-1)?.children.at(-1)
  if (last?.type !== 'raw') return add({ type: 'raw', value }, end, reading)
  last.value += value
  reading.at = end
  return true
}

function add(node: ElementContent, end: number, reading: Reading): true {
  reading.open.at(-1)?.children.push(node)
  reading.at = end
  return true
}

function begin(made: Element, end: number, reading: Reading): true {
  add(made, end, reading)
  reading.open.push(made)
  return true
}

/** Null, and noted, where the scheme is none of the safe ones. */
function safeUrl(written = '', kind: UrlKind, { droppedUrls }: Reading): string | null {
  const url = encodedUrl(unescaped(written))
  if (hasSafeScheme(url, kind)) return url
  droppedUrls.push(url)
  return null
}

const OPENING = /<(?:em|strong|del|blockquote|[uo]l)[ >]/g
/** Images with them, since anything may stand in their texts. */
const NESTED = /<(\/?)(em|strong|del|a|blockquote|ul|ol|img)(?: [a-z]+="[^"]*")*>/g

/** Most pages open fewer elements in all than may be open at once. */
function isShallow(html: string): boolean {
  if ((html.match(OPENING)?.length ?? 0) <= DEEPEST) return true
  let depth = 0
  for (const [, slash, name] of html.matchAll(NESTED)) {
    if (name !== 'img') depth += slash === '' ? 1 : -1
    if (depth > DEEPEST) return false
  }
  return true
}
