import { breaksIn } from '../page-text/map-prose.ts'
import type { Report } from './conversion.ts'
import { quotedTag } from './quoted-tag.ts'

/** The tags of a template language that stand in pairs. */
interface PairSyntax {
  /** A tag on a line of its own: its indentation, its name and its arguments. */
  readonly open: RegExp
  /** A closing tag. Its name comes first. */
  readonly close: RegExp
}

const HUGO: PairSyntax = {
  open: /^([ \t]*)\{\{[<%]\s*([\w./-]+)(?![\w./-])([^{}\n]*)[>%]\}\}[ \t]*\n/gm,
  close: /\{\{[<%]\s*\/\s*([\w./-]+)\s*[>%]\}\}/g,
}
const LIQUID: PairSyntax = {
  open: /^([ \t]*)\{%-?\s*(\w+)\b([^%\n]*)-?%\}[ \t]*\n/gm,
  close: /\{%-?\s*end(\w+)\s*-?%\}/g,
}
/** Pairs inside of more pairs than these stay text: each level reads the text again. */
const MAX_DEPTH = 8
/** Tags of Liquid and Nunjucks that contain the text of the page, and Hugo's tags for text and containers. */
const PROSE_TAGS =
  /^(if|unless|for|case|block|raw|verbatim|comment|highlight|tabs?|tabpane|details|expand|note|notice|tip|info|warning|danger|caution|important|alert|callout|admonition|hint)$/i
/** Names that themes give to shortcodes around code. */
const CODE_TAGS = /code|conf|term|console|shell|cmd|command|mermaid|diagram|json|yaml|toml|sql|snippet/i
const CODE_LINE =
  /^\s*(?:\[{1,2}[\w."-]+\]{1,2}|[\w."'-]+\s*[:=]\s*\S.*|[\w-]+:|[{}()[\];<$@].*|#!.*|---|.*[{};]|(?:const|let|var|function|import|export|def|class|return|echo|npm|curl|sudo|git)\s.*)$/
const FIVE_WORDS = /(?<![\p{L}'’-])['’-]*(?:\p{L}[\p{L}'’-]*[ ,]+){5}/u

/** Puts code between the tags of unknown shortcodes into fences, since it would become prose. */
export function fenceHugoPairs(body: string, report: Report): string {
  return fencePairs(body, HUGO, report)
}

/** As `fenceHugoPairs`, for blocks such as `{% set name %}…{% endset %}`. */
export function fenceLiquidPairs(body: string, report: Report): string {
  return fencePairs(body, LIQUID, report)
}

/** A pair whose text stays prose may contain pairs around code. */
function fencePairs(body: string, { open, close }: PairSyntax, report: Report): string {
  const closings = closingsOf(body, close)
  /** Where the pairs around the current tag end. */
  const around: number[] = []
  let result = ''
  let at = 0
  let line = 0
  let counted = 0
  for (const found of body.matchAll(open)) {
    const { 0: tag, 1: indent = '', 2: name = '', 3: given = '', index } = found
    const start = index + tag.length
    const closing = firstFrom(closings.get(name) ?? [], start)
    while ((around.at(-1) ?? Number.POSITIVE_INFINITY) <= index) around.pop()
    if (index < at || closing === null || around.length >= MAX_DEPTH) continue
    const code = body.slice(start, endOfCode(body, start, closing.index))
    if (PROSE_TAGS.test(name) || !isCode(name, code)) {
      around.push(closing.index)
      continue
    }
    line += breaksIn(body.slice(counted, index))
    counted = index
    const whole = body.slice(index, closing.end)
    report(line, 'QN-PARTLY-CONVERTED', `${quotedTag(whole)} is left out. The code inside of it stays.`)
    result += `${body.slice(at, index)}${fenceOf(indent, given, code)}`
    at = closing.end
  }
  return result + body.slice(at)
}

interface Closing {
  readonly index: number
  readonly end: number
}

/** The closing tags in their order, by name. */
function closingsOf(body: string, close: RegExp): ReadonlyMap<string, readonly Closing[]> {
  const closings = new Map<string, Closing[]>()
  for (const { 0: tag, 1: name = '', index } of body.matchAll(close)) {
    const others = closings.get(name)
    const closing = { index, end: index + tag.length }
    if (others === undefined) closings.set(name, [closing])
    else others.push(closing)
  }
  return closings
}

/** The first closing tag at an offset or after it, by binary search. */
function firstFrom(closings: readonly Closing[], start: number): Closing | null {
  let [low, high] = [0, closings.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((closings[middle]?.index ?? 0) < start) low = middle + 1
    else high = middle
  }
  return closings[low] ?? null
}

/** The offset before the line break and the indentation of a closing tag. */
function endOfCode(body: string, start: number, closing: number): number {
  let end = closing
  while (end > start && /[ \t]/.test(body[end - 1] ?? '')) end--
  return end > start && body[end - 1] === '\n' ? end - 1 : end
}

function fenceOf(indent: string, given: string, code: string): string {
  const file = /\b(?:file|filename|title)=["']?([\w./-]+\.\w+)/.exec(given)?.[1]
  const language = /\b(?:lang|language)=["']?([\w+#-]+)/.exec(given)?.[1] ?? file?.split('.').at(-1) ?? ''
  const title = file === undefined ? '' : ` title="${file}"`
  return `${indent}\`\`\`${language === '' && title !== '' ? 'text' : language}${title}\n${code}\n${indent}\`\`\``
}

function isCode(name: string, text: string): boolean {
  if (/`{3,}|~{3,}/.test(text) || text.trim() === '') return false
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const code = lines.filter((line) => CODE_LINE.test(line) && !isSentence(line)).length
  return CODE_TAGS.test(name) ? code > 0 : code / lines.length > 0.6
}

function isSentence(line: string): boolean {
  return /[.!?:]$/.test(line) && FIVE_WORDS.test(line)
}
