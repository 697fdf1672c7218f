import { spanEnds } from '../../../page-text/code-spans.ts'
import { type Placeholder, placeholderText } from './placeholder.ts'
import type { SourceLine } from './source-lines.ts'

/** Maximum length of a formula in UTF-16 code units. Longer ones stay text. */
const MAX_FORMULA = 2_000

const DISPLAY = new RegExp(String.raw`\$\$((?:[^$\\\uFDD0]|\\[^\uFDD0]){1,${MAX_FORMULA}})\$\$(?!\$)`, 'y')
const INLINE = new RegExp(
  String.raw`\$(?![\s$])((?:[^$\\\n\uFDD0]|\\[^\n\uFDD0]){1,${MAX_FORMULA}})(?<![ \t])\$(?![a-zA-Z\d_$])`,
  'y',
)
/** A dollar sign after these characters (letters, digits, parts of a URL) opens no formula. */
const OPENS_NOTHING = /[a-z\d_$/\\=&?#%@]/i
/** A cell of the line below the head of a table. */
const RULE_CELL = /^[ \t]*:?-+:?[ \t]*$/
/** `$5, or 5$`: two prices and the words between them. */
const PRICES =
  /^\d[\d.,]*\s?(?:[-–]\s?\d[\d.,]*\s?)?[kmb]?[\s,;.:)]+(?![\s,;.:)])(?:\p{L}{2,}|\S*\s+\p{L}{2,})/iu

/**
 * Replaces formulas with placeholders. `$$…$$` may span lines. `$…$` is on one line, without white space inside the
 * dollar signs; there may be backticks inside those, as on GitHub. Other code and escaped dollar signs are left alone.
 *
 * @param paragraphs as `joinParagraphs` returns them.
 * @param placeholders new placeholders are appended.
 */
export function findFormulas(
  paragraphs: readonly SourceLine[],
  placeholders: Placeholder[],
): readonly SourceLine[] {
  const numbers = new Map<string, number>()
  return paragraphs.map((paragraph) =>
    paragraph.isCode ? paragraph : { text: replaceFormulas(paragraph.text, numberOf), isCode: false },
  )

  /** Equal formulas share a placeholder, so that link labels with formulas still match their definitions. */
  function numberOf(source: string, tex: string, isDisplay: boolean): number {
    const known = numbers.get(source)
    if (known !== undefined) return known
    placeholders.push({ type: 'formula', source, tex, isDisplay })
    numbers.set(source, placeholders.length - 1)
    return placeholders.length - 1
  }
}

function replaceFormulas(
  text: string,
  numberOf: (source: string, tex: string, isDisplay: boolean) => number,
): string {
  if (!text.includes('$')) return text
  const isTable = text.split('\n').some(isTableRule)
  const spanEnd = spanEnds(text)
  let marked = ''
  let copied = 0
  let at = 0
  while (at < text.length) {
    const end = spanEnd.get(at)
    const formula = end === undefined && text[at] === '$' ? formulaAt(text, at, isTable) : null
    if (formula !== null) {
      const number = numberOf(formula.source, formula.tex, formula.isDisplay)
      marked += text.slice(copied, at) + placeholderText(number)
      copied = at + formula.source.length
    }
    if (end !== undefined) at = end
    else if (formula !== null) at = copied
    else at += text[at] === '\\' ? 2 : runLength(text, at)
  }
  return marked + text.slice(copied)
}

/** Reports whether a line is the one below the head of a table. Cell by cell, in time that grows with the line. */
function isTableRule(line: string): boolean {
  if (!line.includes('|')) return false
  const row = line
    .replace(/^[ \t>]+/, '')
    .replace(/^\|/, '')
    .replace(/\|[ \t]*$/, '')
  return row.split('|').every((cell) => RULE_CELL.test(cell))
}

/** Runs of dollar signs and backticks that open nothing are skipped as a whole. */
function runLength(text: string, at: number): number {
  const mark = text[at]
  if (mark !== '$' && mark !== '`') return 1
  let end = at + 1
  while (text[end] === mark) end += 1
  return end - at
}

function formulaAt(
  text: string,
  at: number,
  isTable: boolean,
): { source: string; tex: string; isDisplay: boolean } | null {
  if (OPENS_NOTHING.test(text[at - 1] ?? ' ')) return null
  for (const [pattern, isDisplay] of [[DISPLAY, true] as const, [INLINE, false] as const]) {
    pattern.lastIndex = at
    const [source, tex = ''] = pattern.exec(text) ?? []
    if (source === undefined || tex.trim() === '' || (!isDisplay && isPrices(tex))) continue
    const own = isDisplay ? withoutQuoteMarks(tex, text, at) : tex.replace(/^`([^`]+)`$/, '$1')
    // A row of a table is read before the formulas in it.
    return { source, tex: isTable ? own.replaceAll('\\|', '|') : own, isDisplay }
  }
  return null
}

/** Characters at the beginning of a text that decide whether it is a price or a formula. */
const PRICES_LENGTH = 200

function isPrices(tex: string): boolean {
  return !tex.includes('\\') && PRICES.test(tex.slice(0, PRICES_LENGTH))
}

/** Inside a blockquote the lines of a formula start with `>`. */
function withoutQuoteMarks(tex: string, text: string, at: number): string {
  const start = text.lastIndexOf('\n', at) + 1
  return /^[ \t]*>/.test(text.slice(start, at)) ? tex.replace(/\n[ \t>]+/g, '\n') : tex
}
