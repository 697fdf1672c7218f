import { NAMED_REFERENCES } from './character-references.ts'
import { readHeadingLine } from './heading-line.ts'
import { withoutInlineMarks } from './inline-marks.ts'

/** The heading that a text begins with, as the title of its page. */
export interface FirstHeading {
  /** Without markup, on one line. */
  readonly text: string
  /** The Markdown without the heading. Other lines stay where they are. */
  readonly rest: string
}

/** A longer line is no title. It also bounds the time of the expressions below. */
const MAX_LENGTH = 1_000
const MAX_HTML_LINES = 20

const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
/** The start of a block that is not a paragraph: a line of dashes after it is a rule. */
const OTHER_BLOCK = /^(?: {4}|\t| {0,3}(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]|:::|<|\||\[[^\]]+\]:))/
const HTML_HEADING = /<h1(?:\s[^<>]*)?>(.*?)<\/h1>/is
const PICTURE = /<(?:img|picture|svg)\b/i

/**
 * Finds the heading that names a text: its first one, if that is of the first level or nothing comes before it. A heading
 * of a lower level inside the text names a part.
 *
 * @param markdown with plain line ends, without front matter.
 * @returns null for a text without such a heading.
 */
export function firstHeading(markdown: string): FirstHeading | null {
  const lines = markdown.split('\n')
  let fence: string | null = null
  let isStart = true
  let isParagraph = false
  let mayEnd = true
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (fence !== null) {
      if (isClosing(line, fence)) fence = null
      continue
    }
    if (mayEnd && /^ {0,3}<!--/.test(line)) {
      const end = commentEnd(lines, at)
      mayEnd = end !== -1
      if (mayEnd) at = end
      isParagraph = false
      continue
    }
    fence = FENCE.exec(line)?.[1] ?? null
    const found = fence === null && line.length <= MAX_LENGTH ? headingAt(lines, at, isParagraph) : null
    if (found !== null) return found.level === 1 || isStart ? titleOf(found, lines) : null
    if (line.trim() !== '') isStart = false
    isParagraph = line.trim() !== '' && fence === null && (isParagraph || !OTHER_BLOCK.test(line))
  }
  return null
}

interface Heading {
  readonly level: number
  readonly markdown: string
  /** Lines of the heading, from 0. The last one is not part of it. */
  readonly lines: readonly [first: number, last: number]
  /** The heading stays in the text, because it also shows an image or has no end. */
  readonly isKept: boolean
}

/** @param isParagraph whether the line continues a paragraph. */
function headingAt(lines: readonly string[], at: number, isParagraph: boolean): Heading | null {
  const line = lines[at] ?? ''
  const marked = readHeadingLine(line)
  if (marked !== null)
    return { level: marked.depth, markdown: marked.text, lines: [at, at + 1], isKept: false }
  if (/^ {0,3}<h1[\s>]/i.test(line)) return htmlHeading(lines, at)
  if (isParagraph || line.trim() === '' || OTHER_BLOCK.test(line)) return null
  const [, underline] = UNDERLINE.exec(lines[at + 1] ?? '') ?? []
  if (underline === undefined || UNDERLINE.test(line)) return null
  const level = underline.startsWith('=') ? 1 : 2
  return { level, markdown: line.trim(), lines: [at, at + 2], isKept: false }
}

/** An `h1` in HTML, as many repositories begin with, up to the next empty line. */
function htmlHeading(lines: readonly string[], at: number): Heading | null {
  const following = lines.slice(at, at + MAX_HTML_LINES)
  const gap = following.findIndex((line) => line.trim() === '')
  const last = at + (gap === -1 ? following.length : gap)
  const block = lines.slice(at, last).join('\n')
  const inner = block.length <= MAX_LENGTH ? HTML_HEADING.exec(block)?.[1] : undefined
  if (inner === undefined) return null
  const isWhole = block.trim().toLowerCase().endsWith('</h1>')
  return { level: 1, markdown: inner, lines: [at, last], isKept: !isWhole || PICTURE.test(inner) }
}

function titleOf(
  { markdown, lines: [first, last], isKept }: Heading,
  lines: readonly string[],
): FirstHeading | null {
  const text = headingText(markdown)
  if (text === '') return null
  const rest = isKept ? lines : lines.map((line, index) => (index >= first && index < last ? '' : line))
  return { text, rest: rest.join('\n') }
}

/** The last line of a comment that begins on a line; -1 if it never ends. */
function commentEnd(lines: readonly string[], at: number): number {
  for (let line = at; line < lines.length; line += 1) if (lines[line]?.includes('-->')) return line
  return -1
}

function isClosing(line: string, fence: string): boolean {
  const marks = line.trim()
  return marks.startsWith(fence) && marks === marks.charAt(0).repeat(marks.length)
}

/** The visible text of inline Markdown on one line. */
export function headingText(markdown: string): string {
  return withoutInlineMarks(markdown)
    .split(/(`+)(.+?)\1(?!`)/)
    .map((piece, index) => (index % 3 === 0 ? withoutMarkup(piece) : index % 3 === 2 ? piece : ''))
    .join('')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

function withoutMarkup(text: string): string {
  return text
    .replace(/\s*\{[#.:][^{}]*\}\s*$/, '')
    .replace(/!\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])?/g, '$1')
    .replace(/<img\b[^<>]*\balt="([^"]*)"[^<>]*>/gi, '$1')
    .replace(/\[([^[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^[\]]*\])/g, '$1')
    .replace(/<(https?:[^<>\s]+)>/gi, '$1')
    .replace(/<\/?[a-z][\w:.-]*(?:\s[^<>]*)?\/?>|<!--[^<>]*-->/gi, '')
    .replace(/(?<!\\)(\*\*\*|\*\*|\*|~~)(?=\S)(.+?)(?<=[^\s\\])\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}\\])(__|_)(?=\S)(.+?)(?<=[^\s\\])\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/&([a-z]+);/g, (whole, name: string) => NAMED_REFERENCES.get(name) ?? whole)
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
}
