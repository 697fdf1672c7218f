import type { Element, ElementContent, Properties, Root } from 'hast'
import type { UrlKind } from '../../domain/author-url.ts'
import { element } from './making.ts'
import type { SafeElements } from './plain-elements.ts'
import { unescaped } from './printed-text.ts'
import { encodedUrl, hasSafeScheme } from './urls.ts'

/*
 * Most of a plain page stands in what the native parser prints as a page is to have it. Only what `polish` changes
 * becomes elements here, and all between stays text: a tree of a tenth of the nodes.
 */

/** Elements within each other that no limit of a tree could mind. */
const DEEPEST = 64

interface Reading {
  readonly droppedUrls: string[]
  /** Those that are open, the root first. */
  readonly open: (Root | Element)[]
}

/** Reads one form of what is printed. @returns false where that is not in its place. */
type Read = (found: RegExpExecArray, reading: Reading) => boolean

/**
 * Every form there is, in which nothing is left open: a tag that is none of these is none that was printed of
 * Markdown.
 */
const FORMS: readonly (readonly [form: RegExp, read: Read])[] = [
  [
    /(?:[^<]+|<\/?(?:em|strong|del|code|blockquote|ul|ol|li|thead|tbody|tr)>|<[bh]r>|<ol start="\d{1,9}">)+/y,
    ([text], reading) => add({ type: 'raw', value: text.replaceAll('&gt;', '>') }, reading),
  ],
  [/<(p|h[1-6]|table)>/y, ([, name = ''], reading) => begin(element(name, {}, []), reading)],
  [
    /<\/(p|h[1-6]|table|t[hd]|a)>/y,
    ([, name], { open }) => {
      const last = open.length > 1 ? open.pop() : undefined
      return last?.type === 'element' && last.tagName === name
    },
  ],
  [
    /<a href="([^"]*)"(?: title="([^"]*)")?>/y,
    ([, url, title], reading) =>
      begin(element('a', { ...safeUrl('href', url, 'link', reading), ...given({ title }) }, []), reading),
  ],
  [
    /<(t[hd])(?: style="text-align: (left|center|right)")?>/y,
    ([, name = '', align], reading) => begin(element(name, given({ align }), []), reading),
  ],
  [
    /<pre><code(?: class="language-([^"\s]+)")?>([^<]*)<\/code><\/pre>/y,
    ([, language, code = ''], reading) => {
      const properties = language === undefined ? {} : { className: [`language-${unescaped(language)}`] }
      const text: ElementContent = { type: 'text', value: unescaped(code) }
      return add(element('pre', {}, [element('code', properties, [text])]), reading)
    },
  ],
  [
    /<img src="([^"]*)" alt="([^"]*)"(?: title="([^"]*)")?>/y,
    ([, url, alt, title], reading) =>
      add(
        element('img', { ...safeUrl('src', url, 'image', reading), ...given({ alt, title }) }, []),
        reading,
      ),
  ],
]

/**
 * Safe elements of what the native parser printed of plain Markdown, as `plainElements` makes them of its tree: every
 * tag and every attribute is named here, and every URL is asked for its scheme.
 *
 * @returns null for what was not printed of plain Markdown, or is deeply nested.
 */
export function printedElements(html: string): SafeElements | null {
  if (!isShallow(html)) return null
  const root: Root = { type: 'root', children: [] }
  const reading: Reading = { droppedUrls: [], open: [root] }
  for (let at = 0; at < html.length; ) {
    const end = readAt(html, at, reading)
    if (end === null) return null
    at = end
  }
  return reading.open.length === 1 ? { tree: root, droppedUrls: reading.droppedUrls } : null
}

/** @returns where what was read ends. */
function readAt(html: string, at: number, reading: Reading): number | null {
  for (const [form, read] of FORMS) {
    form.lastIndex = at
    const found = form.exec(html)
    if (found !== null) return read(found, reading) ? form.lastIndex : null
  }
  return null
}

function add(node: ElementContent, { open }: Reading): true {
  open.at(-1)?.children.push(node)
  return true
}

function begin(made: Element, reading: Reading): true {
  add(made, reading)
  reading.open.push(made)
  return true
}

/** Nothing, and noted, where the scheme is none of the safe ones. */
function safeUrl(name: 'href' | 'src', written = '', kind: UrlKind, { droppedUrls }: Reading): Properties {
  const url = encodedUrl(unescaped(written))
  if (hasSafeScheme(url, kind)) return { [name]: url }
  droppedUrls.push(url)
  return {}
}

/** Those of them that are written. */
function given(values: Readonly<Record<string, string | undefined>>): Properties {
  const properties: Properties = {}
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) properties[name] = unescaped(value)
  return properties
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
