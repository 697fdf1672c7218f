import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { replaceSpans } from '../../page-text/code-spans.ts'
import { mapEnclosed } from '../map-enclosed.ts'
import { runsOf } from '../mdx/fences.ts'

/** What a page shows, as far as its text says. Words, links and pictures repeat as often as they occur. */
export interface Measure {
  /** In lower case. A character of Chinese or Japanese is a word. */
  readonly words: readonly string[]
  /** The addresses of other sites. */
  readonly outerLinks: readonly string[]
  /** The texts of links within the site. Empty where a link has none. */
  readonly innerLinks: readonly string[]
  /** The addresses of pictures. */
  readonly pictures: readonly string[]
  readonly codeBlocks: number
}

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu
/** Attributes of tags whose values readers see. */
const SHOWN = /\b(?:title|alt|caption|label|text|description|summary|header|heading)=(?:"([^"]*)"|'([^']*)')/g
const TAG =
  /\{\{[<%](?:(?!\{\{[<%])[\s\S])*?[%>]\}\}|\{%(?:(?!\{%)[\s\S])*?%\}|<\/?[A-Za-z](?:"[^"\n]*"|'[^'\n]*'|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|[^<>"'{}])*>/g
const PICTURE_TAG =
  /(?:<(?:img|Image|Img|Figure|ZoomImage)\b|\{\{[<%]\s*(?:figure|img|image)\b)[^<>]*?\bsrc=["'{]*([^"'\s{}>]+)/g
const LINK_TAG = /<[A-Za-z][\w.]*\b[^<>]*?\s(?:href|to)=["']([^"']+)["'][^<>]*>([^<>]*)/g
const INLINE =
  /(!?)\[((?:[^[\]]|\[[^[\]]*\])*)\]\(\s*(?:<([^<>\n]*)>|([^\s()<]+(?:\([^\s()]*\)[^\s()<]*)*))(?:\s+(?:"[^"]*"|'[^']*')\s*|\s*)\)/g
const REFERENCE = /^ {0,3}\[(?!\^)([^\]\n]+)\]:[ \t]*<?(\S+?)>?(?:[ \t]+["'(].*)?$/gm
const AUTOLINK = /<(https?:\/\/[^\s<>]+)>/g

const COMMENTS = [
  { open: /<!--/g, close: /-->/g },
  { open: /\{\/\*/g, close: /\*\/\}/g },
  { open: /\{%-?\s*comment\s*-?%\}/g, close: /\{%-?\s*endcomment\s*-?%\}/g },
]

/** Measures Markdown of any generator. Its template tags, components and marks are no words. */
export function measureMarkdown(body: string, fields: JsonObject): Measure {
  const prose: string[] = []
  const code: string[] = []
  let codeBlocks = 0
  for (const { text, isCode } of runsOf(withoutComments(body))) {
    if (!isCode) prose.push(withoutStatements(text))
    else {
      const lines = text.split('\n')
      codeBlocks += blocksIn(lines)
      code.push(
        withoutHiddenLines(lines)
          .map((line) => line.replace(/\[!code[^\]]*\]/g, ''))
          .filter(
            (line) =>
              !/^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(?:`{3,}|~{3,})/.test(line) && !/-8<-|\{\{#\w/.test(line),
          )
          .join('\n'),
      )
    }
  }
  const text = prose.join('\n\n')
  const outerLinks: string[] = []
  const innerLinks: string[] = []
  const pictures: string[] = []
  const addLink = (target: string, label: string) => {
    if (/^https?:\/\//i.test(target)) outerLinks.push(target.replace(/\/$/, ''))
    else if (!/^[a-z][a-z0-9+.-]*:/i.test(target)) innerLinks.push(wordsOf(plain(label)).join(' '))
  }
  for (const [, mark, label = '', quoted, bare = ''] of withoutSpans(text).matchAll(INLINE)) {
    const target = quoted ?? bare
    if (mark === '!') pictures.push(target)
    else {
      addLink(target, label)
      for (const [, , , quotedInner, inner = ''] of label.matchAll(INLINE))
        pictures.push(quotedInner ?? inner)
    }
  }
  const outsideCode = withoutSpans(text)
  for (const [, target = ''] of outsideCode.matchAll(PICTURE_TAG)) pictures.push(target)
  for (const [, target = '', label = ''] of outsideCode.matchAll(LINK_TAG)) addLink(target, label)
  for (const [, , target = ''] of outsideCode.matchAll(REFERENCE)) addLink(target, '')
  for (const [, target = ''] of outsideCode.matchAll(AUTOLINK)) addLink(target, '')
  // A page shows its title once, also where a heading repeats it.
  const heading = /^[ \t]*#[ \t]+(.*)$/m.exec(text)?.[1]?.trim()
  const title = heading === fields['title'] ? undefined : fields['title']
  const shown = [title, fields['description']].filter((value) => typeof value === 'string')
  return {
    words: [
      ...shown.flatMap((value) => wordsOf(value)),
      ...wordsOf(plain(text)),
      ...wordsOf(code.join('\n')),
    ],
    outerLinks,
    innerLinks,
    pictures,
    codeBlocks,
  }
}

export function joinMeasures(one: Measure, other: Measure): Measure {
  return {
    words: [...one.words, ...other.words],
    outerLinks: [...one.outerLinks, ...other.outerLinks],
    innerLinks: [...one.innerLinks, ...other.innerLinks],
    pictures: [...one.pictures, ...other.pictures],
    codeBlocks: one.codeBlocks + other.codeBlocks,
  }
}

/** Measures sections: their fields are prose, links and pictures. */
export function measureFields(sections: JsonValue): Measure {
  const found: { prose: string[]; links: string[]; pictures: string[] } = {
    prose: [],
    links: [],
    pictures: [],
  }
  visit(sections, '')
  const body = measureMarkdown(found.prose.join('\n\n'), {})
  const outer = found.links.filter((link) => /^https?:\/\//.test(link)).map((link) => link.replace(/\/$/, ''))
  return {
    ...body,
    outerLinks: [...body.outerLinks, ...outer],
    innerLinks: [...body.innerLinks, ...found.links.filter((link) => !/^[a-z]+:/i.test(link)).map(() => '')],
    pictures: [...body.pictures, ...found.pictures],
  }

  function visit(given: JsonValue, name: string): void {
    if (typeof given === 'string') {
      if (/^(image|src|dark|logo)$/.test(name)) found.pictures.push(given)
      else if (/^(link|href|url)$/.test(name)) found.links.push(given)
      else if (!/^(type|variant|icon|lang|redirect_from)$/.test(name)) found.prose.push(given)
    } else if (Array.isArray(given)) for (const each of given) visit(each, name)
    else if (isJsonObject(given)) for (const [key, each] of Object.entries(given)) visit(each, key)
  }
}

/** Rust's documentation does not show lines that begin with a number sign. */
function withoutHiddenLines(lines: readonly string[]): readonly string[] {
  return /^\W*rust\b/.test(lines[0] ?? '') ? lines.filter((line) => !/^\s*#( |$)/.test(line)) : lines
}

function blocksIn(lines: readonly string[]): number {
  let open: string | null = null
  let count = 0
  for (const line of lines) {
    const [, marks = '', info = ''] = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (marks === '') continue
    if (open === null) {
      open = marks
      count++
    } else if (marks[0] === open[0] && marks.length >= open.length && info.trim() === '') open = null
  }
  return count
}

/** Without comments. */
function withoutComments(body: string): string {
  const text = body.replaceAll('\r\n', '\n').replace(/\{#[^{}\n]*?#\}/g, ' ')
  return COMMENTS.reduce((left, { open, close }) => mapEnclosed(left, open, close, () => ' '), text)
}

/** Without the statements and elements of programs. In code, they are content. */
function withoutStatements(prose: string): string {
  return prose
    .replace(/^<(script|style)\b(?:(?!^<(?:script|style)\b)[\s\S])*?^<\/\1>/gm, '')
    .replace(/^import\s[^\n]*['"][^'"\n]+['"];?[ \t]*$/gm, '')
    .replace(/^import\s*\{[^{}]*\}\s*from\s*['"][^'"\n]+['"];?[ \t]*$/gm, '')
    .replace(/^export\s+(?:const|let|default|function|async)\b[\s\S]*?(?=\n[ \t]*\n|(?![\s\S]))/gm, '')
    .replace(/^.*\n\{:[ \t]*toc[ \t]*\}/gm, '')
}

function withoutSpans(text: string): string {
  return replaceSpans(text, () => ' ')
}

/** The text of prose, without what only marks it up. */
function plain(text: string): string {
  return text
    .replace(/^[ \t>]*(?::{2,}[ \t]*[\w-]*|(?:!!!|\?{3}\+?)[ \t]*[\w -]+|\/{3,}[ \t]*[\w-]*|===[!+]*)/gm, ' ')
    .replace(/^.*-8<-.*$/gm, ' ')
    .replace(/^[ \t]*\*\[[^\]\n]+\]:.*$/gm, ' ')
    .replace(REFERENCE, ' ')
    .replace(TAG, (tag) =>
      [' ', ...[...tag.matchAll(SHOWN)].map(([, double, single]) => double ?? single ?? ''), ' '].join(' '),
    )
    .replace(/\{\{[^{}]*\}\}|\{\w+\}|\{:?[ \t]*(?=[.#:][\w-]|[\w-]+=)[^{}\n]*\}|\[\[toc\]\]|<<<.*$/gim, ' ')
    .replace(/\]\(\s*<?[^\s()>]+>?/g, ' ')
    .replace(/<https?:[^<>]*>/g, ' ')
    .replace(/:(?:material|fontawesome|octicons|simple)-[\w-]+:/g, ' ')
    .replace(/&[a-z]+;|&#\d+;/gi, ' ')
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? []
}
