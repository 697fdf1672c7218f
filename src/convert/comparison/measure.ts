import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { replaceSpans } from '../../page-text/code-spans.ts'
import { mapOutsideFences } from '../../page-text/map-prose.ts'
import { argumentsIn, isShown } from '../body/argument-texts.ts'
import { mapEnclosed } from '../body/map-enclosed.ts'
import { runsOf } from '../mdx/fences.ts'
import { readJsxTag } from '../mdx/jsx-tag.ts'
import { withoutModules } from '../mdx/modules.ts'
import type { Constants } from '../program/object-literal.ts'
import { INCLUDE } from './include-directives.ts'

/** The visible content of a page, as far as its text has it. Words, links and images repeat as often as they occur. */
export interface Measure {
  /** In lower case. A character of Chinese or Japanese is a word. */
  readonly words: readonly string[]
  /** The addresses of other sites. */
  readonly outerLinks: readonly string[]
  /** The texts of links within the site. Empty where a link has none. */
  readonly innerLinks: readonly string[]
  /** The number of inner links whose address is a template tag. It may stand for an address of another site. */
  readonly computedLinks: number
  /** The addresses of images. */
  readonly pictures: readonly string[]
  readonly codeBlocks: number
}

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu
/** Attributes of tags, and fields of objects in them, whose values readers see. */
const SHOWN =
  /\b(?:title|alt|caption|label|text|description|summary|header|heading)(?:=|:\s*)(?:"([^"]*)"|'([^']*)')/g
const TAG =
  /\{\{[<%](?:(?!\{\{[<%])[\s\S])*?[%>]\}\}|\{%(?:(?!\{%)[\s\S])*?%\}|<\/?[A-Za-z](?:"[^"\n]*"|'[^'\n]*'|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|[^<>"'{}])*>/g
const PICTURE_TAG =
  /(?:<(?:img|Image|Img|Figure|ZoomImage)\b|\{\{[<%]\s*(?:figure|img|image)\b)[^<>]*?\bsrc=["'{]*([^"'\s{}>]+)/g
const LINK_TAG = /<[A-Za-z][\w.]*\b[^<>]*?\s(?:href|to)=["']([^"']+)["'][^<>]*>([^<>]*)/g
const INLINE =
  /(!?)\[((?:[^[\]]|\[[^[\]]*\])*)\]\(\s*(?:<([^<>\n]*)>|((?:\{\{[^{}\n]*\}\}|\{%[^{}\n]*%\}|[^\s()<{]|\{(?![{%])|\([^\s()]*\))+))(?:\s+(?:"[^"]*"|'[^']*')\s*|\s*)\)/g
/** The address may be a template tag, which has blanks. Python's Markdown lets it be in a box, which is indented. */
const REFERENCE =
  /^[ \t]*\[(?!\^)([^\]\n]+)\]:[ \t]*<?((?:\{\{[^{}\n]*\}\}|\{%[^{}\n]*%\}|[^\s{>]|\{(?![{%]))+)>?(?:[ \t]+["'(].*)?$/gm
/** Marks of verbatim text in code, and of the language of code in a line. */
const CODE_MARKS = /\{%-?\s*(?:end)?(?:raw|verbatim)\s*-?%\}|(?<=`)#!\w+[ ]/g
/** Tags around code. */
const HIGHLIGHT =
  /^([ \t]*)(?:\{%-?\s*(?:end)?highlight\b[^{}%]*%\}|\{\{[<%]\s*(?:\/\s*)?highlight\b[^{}]*[>%]\}\})[ \t]*$/gm
/** Keys that are drawn as arrows. */
const ARROW_KEYS = /\+\+arrow-(?:up|down|left|right)\+\+/g
/** A comment of Docusaurus that marks lines of code. */
const MARK_COMMENT = /^\W*(?:REM\s+)?highlight-(?:next-line|start|end)\W*$/i
const NO_CONSTANTS: Constants = new Map()
const AUTOLINK = /<(https?:\/\/[^\s<>]+)>/g

const COMMENTS = [
  { open: /<!--/g, close: /-->/g },
  { open: /\{\/\*/g, close: /\*\/\}/g },
  { open: /\{#(?=\s)/g, close: /#\}/g },
  { open: /\{%-?\s*comment\s*-?%\}/g, close: /\{%-?\s*endcomment\s*-?%\}/g },
]

/** Measures Markdown of any generator. Its template tags, components and marks are no words. */
export function measureMarkdown(body: string, fields: JsonObject): Measure {
  const prose: string[] = []
  const code: string[] = []
  let codeBlocks = 0
  for (const { text, isCode } of runsOf(withoutModules(withoutComments(body)).body.replace(CODE_MARKS, ''))) {
    if (!isCode) prose.push(withoutStatements(text))
    else {
      const lines = text.split('\n')
      codeBlocks += blocksIn(lines)
      code.push(
        withoutHiddenLines(lines)
          .map((line) => line.replace(/\[!code[^\]]*\]/g, ''))
          .filter(
            (line) =>
              !/^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(?:`{3,}|~{3,})/.test(line) &&
              !/-8<-|\{\{#\w/.test(line) &&
              !MARK_COMMENT.test(line),
          )
          .join('\n'),
      )
    }
  }
  const text = prose.join('\n\n')
  const outerLinks: string[] = []
  const innerLinks: string[] = []
  const pictures: string[] = []
  let computedLinks = 0
  const addLink = (target: string, label: string) => {
    if (/^https?:\/\//i.test(target)) outerLinks.push(target.replace(/\/$/, ''))
    else if (!/^[a-z][a-z0-9+.-]*:/i.test(target)) {
      innerLinks.push(wordsOf(plain(label)).join(' '))
      if (/^\{[{%]/.test(target)) computedLinks++
    }
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
  const title = isSameText(heading, fields['title']) ? undefined : fields['title']
  const shown = [title, fields['description']].filter((value) => typeof value === 'string')
  return {
    words: [
      ...shown.flatMap((value) => wordsOf(value)),
      ...wordsOf(plain(text)),
      ...wordsOf(code.join('\n')),
    ],
    outerLinks,
    innerLinks,
    computedLinks,
    pictures,
    codeBlocks,
  }
}

export function joinMeasures(one: Measure, other: Measure): Measure {
  return {
    words: [...one.words, ...other.words],
    outerLinks: [...one.outerLinks, ...other.outerLinks],
    innerLinks: [...one.innerLinks, ...other.innerLinks],
    computedLinks: one.computedLinks + other.computedLinks,
    pictures: [...one.pictures, ...other.pictures],
    codeBlocks: one.codeBlocks + other.codeBlocks,
  }
}

/** Measures sections: their fields are prose, links and images. */
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
  const text = mapOutsideFences(body.replaceAll('\r\n', '\n').replace(/\{#[^{}\n]*?#\}/g, ' '), (prose) =>
    prose.replace(HIGHLIGHT, (_, blank: string) => `${blank}\`\`\`\`\`\`\``),
  )
  return COMMENTS.reduce((left, { open, close }) => mapEnclosed(left, open, close, () => ' '), text)
}

/** Without the elements of programs. In code, they are content. */
function withoutStatements(prose: string): string {
  return prose
    .replace(/^<(script|style)\b(?:(?!^<(?:script|style)\b)[\s\S])*?^<\/\1>/gm, '')
    .replace(/^.*\n\{:[ \t]*toc[ \t]*\}/gm, '')
}

function withoutSpans(text: string): string {
  return replaceSpans(text, () => ' ')
}

/** The text of prose, without what only marks it up. */
function plain(text: string): string {
  return withoutTags(text.replace(REFERENCE, ' '))
    .replace(/^[ \t>]*(?::{2,}[ \t]*[\w-]*|(?:!!!|\?{3}\+?)[ \t]*[\w -]+|\/{3,}[ \t]*[\w-]*|===[!+]*)/gm, ' ')
    .replace(/^.*-8<-.*$/gm, ' ')
    .replace(INCLUDE, ' ')
    .replace(/^[ \t]*\*\[[^\]\n]+\]:.*$/gm, ' ')
    .replace(ARROW_KEYS, ' ')
    .replace(
      /\{\{[^{}]*\}\}|\{\w+\}|\{:?[ \t]*(?=[.#:][\w-]|[\w-]+=|data-)[^{}\n]*\}|\[\[toc\]\]|<<<.*$/gim,
      ' ',
    )
    .replace(/\]\(\s*<?[^\s()>]+>?/g, ' ')
    .replace(/<https?:[^<>]*>/g, ' ')
    .replace(/:(?:material|fontawesome|octicons|simple)-[\w-]+:/g, ' ')
    .replace(/&[a-z]+;|&#\d+;/gi, ' ')
}

/** Tags stand for the words that readers see of them. */
function withoutTags(text: string): string {
  let result = ''
  let at = 0
  for (const { index } of text.matchAll(/<(?=[A-Za-z])/g)) {
    const tag = index < at ? null : readJsxTag(text, index, NO_CONSTANTS)
    if (tag === null) continue
    result += text.slice(at, index) + shownIn(text.slice(index, tag.end))
    at = tag.end
  }
  return (result + text.slice(at)).replace(TAG, shownIn)
}

/** The values in a tag that readers see. Shortcodes and includes are given texts by any name. */
function shownIn(tag: string): string {
  if (/^\{\{[<%]|^\{%-?\s*include\b/.test(tag)) {
    const shown = argumentsIn(tag).filter((argument) => isShown(argument))
    return [' ', ...shown.map(({ value }) => value), ' '].join(' ')
  }
  return [' ', ...[...tag.matchAll(SHOWN)].map(([, double, single]) => double ?? single ?? ''), ' '].join(' ')
}

function isSameText(heading: string | undefined, title: JsonValue | undefined): boolean {
  if (heading === undefined || typeof title !== 'string') return false
  return heading === title || wordsOf(plain(heading)).join(' ') === wordsOf(title).join(' ')
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? []
}
