import { lineCounter } from '../../page-text/line-counter.ts'
import type { Report } from '../conversion.ts'
import { blankCode } from './blank-code.ts'
import { quotedTag } from './quoted-tag.ts'

const HUGO_TAG =
  /\{\{[<%][ \t]*(?<close>\/[ \t]*)?(?<name>\w[\w./-]*)(?![\w./-])(?<given>[^{}\n]*)(?<!\/)[>%]\}\}/g
const LIQUID_TAG = /\{%-?[ \t]*(?<close>end)?(?<name>\w+)(?!\w)(?<given>[^%{}\n]*)%\}/g
/** Tags of Liquid and Nunjucks that contain the text of the page, and Hugo's tags for text and containers. */
const PROSE_TAGS =
  /^(if|unless|for|case|block|raw|verbatim|comment|highlight|tabs?|tabpane|details|expand|note|notice|tip|info|warning|danger|caution|important|alert|callout|admonition|hint)$/i
/** Names that themes give to shortcodes around code. */
const CODE_TAGS = /code|conf|term|console|shell|cmd|command|mermaid|diagram|json|yaml|toml|sql|snippet/i
/** Without blanks at its ends. */
const CODE_LINE =
  /^(?:\[{1,2}[\w."-]+\]{1,2}|[\w."'-]+\s*[:=]\s*\S.*|[\w-]+:|[{}()[\];<$@].*|#!.*|---|.*[{};]|(?:const|let|var|function|import|export|def|class|return|echo|npm|curl|sudo|git)\s.*)$/
const WORDS = /(?<![\p{L}'’-])(?:\p{L}[\p{L}'’-]*[ ,]+){5}/u

/** Puts code between the tags of unknown shortcodes into fences, since it would become prose. */
export function fenceHugoPairs(body: string, report: Report): string {
  return body.includes('{{') ? fencePairs(body, HUGO_TAG, report) : body
}

/** Does the same as `fenceHugoPairs` for blocks such as `{% set name %}…{% endset %}`. */
export function fenceLiquidPairs(body: string, report: Report): string {
  return body.includes('{%') ? fencePairs(body, LIQUID_TAG, report) : body
}

function fencePairs(body: string, tag: RegExp, report: Report): string {
  const lineAt = lineCounter(body)
  let at = 0
  let result = ''
  for (const { open, close } of innerPairs(blankCode(body), tag)) {
    const lineStart = body.lastIndexOf('\n', open.start) + 1
    const indent = body.slice(lineStart, open.start)
    const lineEnd = body.indexOf('\n', open.end)
    const isAlone = indent.trim() === '' && lineEnd !== -1 && body.slice(open.end, lineEnd).trim() === ''
    const code = isAlone ? withoutLastIndent(body.slice(lineEnd + 1, close.start)) : ''
    if (PROSE_TAGS.test(open.name) || !isCode(open.name, code)) continue
    const quoted = quotedTag(body.slice(open.start, open.end))
    report(lineAt(open.start), 'QN-PARTLY-CONVERTED', `${quoted} is left out. The code inside of it stays.`)
    result += `${body.slice(at, lineStart)}${indent}\`\`\`${infoOf(open.given)}\n${code}\n${indent}\`\`\``
    at = close.end
  }
  return result + body.slice(at)
}

/** Without what precedes a closing tag on its line, when it is blank. */
function withoutLastIndent(code: string): string {
  const end = Math.max(0, code.lastIndexOf('\n'))
  return code.slice(end).trim() === '' ? code.slice(0, end) : code
}

interface Tag {
  readonly name: string
  readonly given: string
  readonly start: number
  readonly end: number
}

interface Pair {
  readonly open: Tag
  readonly close: Tag
}

/** Pairs of opening and closing tags that contain no other pair, in the order of the text. */
function innerPairs(text: string, tag: RegExp): readonly Pair[] {
  const pairs: Pair[] = []
  const open: Tag[] = []
  const openByName = new Map<string, number>()
  let lastEnd = 0
  for (const { 0: whole, index, groups } of text.matchAll(tag)) {
    const { name = '', given = '', close } = groups ?? {}
    const found: Tag = { name, given, start: index, end: index + whole.length }
    const count = openByName.get(name) ?? 0
    if (close === undefined) {
      open.push(found)
      openByName.set(name, count + 1)
    } else if (count > 0) {
      // Tags without an end, between the two.
      while (open.at(-1)?.name !== name) forget(open.pop())
      const start = open.pop()
      forget(start)
      if (start !== undefined && start.start >= lastEnd) pairs.push({ open: start, close: found })
      lastEnd = found.end
    }
  }
  return pairs

  function forget(gone: Tag | undefined): void {
    if (gone !== undefined) openByName.set(gone.name, (openByName.get(gone.name) ?? 0) - 1)
  }
}

function infoOf(given: string): string {
  const file = /\b(?:file|filename|title)=["']?([\w./-]+\.\w+)/.exec(given)?.[1]
  const language = /\b(?:lang|language)=["']?([\w+#-]+)/.exec(given)?.[1] ?? file?.split('.').at(-1) ?? ''
  return file === undefined ? language : `${language === '' ? 'text' : language} title="${file}"`
}

function isCode(name: string, text: string): boolean {
  if (/`{3,}|~{3,}/.test(text) || text.trim() === '') return false
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const code = lines.filter((line) => CODE_LINE.test(line) && !isSentence(line)).length
  return CODE_TAGS.test(name) ? code > 0 : code / lines.length > 0.6
}

function isSentence(line: string): boolean {
  return /[.!?:]$/.test(line) && WORDS.test(line)
}
