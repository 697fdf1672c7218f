import { mapOutsideSpans } from './code-spans.ts'
import { lineCounter } from './line-counter.ts'

const FENCE = /^( {0,3}(?:> ?)*(?:(?:(?:[-*+]|\d+[.)]) +)+| *))(`{3,}|~{3,})(.*)$/s
/** Candidates for fences. */
const MARKS = /`{3}|~{3}/g

/** A part of the Markdown that is all code or all prose. */
interface Stretch {
  readonly text: string
  /** The info string of a fence; null for prose. */
  readonly info: string | null
  /** First line in the body, from 0. */
  readonly line: number
}

/**
 * Maps the text of a Markdown body outside fenced code and code spans.
 *
 * @param change receives a piece of prose and its first line, from 0.
 */
export function mapProse(body: string, change: (text: string, line: number) => string): string {
  return mapOutsideFences(body, (text, line) => {
    const lineAt = lineCounter(text)
    return mapOutsideSpans(text, (piece, at) => change(piece, line + lineAt(at)))
  })
}

/** Maps the text outside fenced code, code spans included. @param change as that of `mapProse`. */
export function mapOutsideFences(body: string, change: (text: string, line: number) => string): string {
  const mapped = stretches(body)
    .map(({ text, info, line }) => (info === null ? change(text, line) : text))
    .join('')
  // Returns the given string if nothing changed, so that equal texts share memory.
  return mapped === body ? body : mapped
}

/** Maps fenced code, its fences included. @param change receives it and what its first line says after the marks. */
export function mapFencedCode(body: string, change: (code: string, info: string) => string): string {
  const mapped = stretches(body)
    .map(({ text, info }) => (info === null ? text : change(text, info)))
    .join('')
  return mapped === body ? body : mapped
}

function stretches(body: string): readonly Stretch[] {
  const found: Stretch[] = []
  let fence: Fence | null = null
  let start = 0
  let line = 0
  for (const { text, index } of fencedLines(body)) {
    const [, prefix = '', marks = '', info = ''] = FENCE.exec(text.trimEnd()) ?? []
    if (fence === null && marks !== '' && !(marks.startsWith('`') && info.includes('`'))) {
      end(index, null)
      fence = { prefix, marks, info }
    } else if (fence !== null && closes({ prefix, marks, info }, fence)) {
      end(index + text.length, fence.info)
      fence = null
    }
  }
  end(body.length, fence?.info ?? null)
  return found

  function end(next: number, info: string | null): void {
    const text = body.slice(start, next)
    if (text !== '') found.push({ text, info, line })
    start = next
    line += breaksIn(text)
  }
}

/** Lines that may open or close a fence, with their line breaks. */
function* fencedLines(body: string): Generator<{ readonly text: string; readonly index: number }> {
  let end = 0
  for (const { index: at } of body.matchAll(MARKS)) {
    if (at < end) continue
    const index = body.lastIndexOf('\n', at) + 1
    const last = body.indexOf('\n', at)
    end = last === -1 ? body.length : last + 1
    yield { text: body.slice(index, end), index }
  }
}

interface Fence {
  /** Signs of the quotes and list entries around it, and blanks. */
  readonly prefix: string
  readonly marks: string
  readonly info: string
}

/** A fence in a quote or an entry of its own is a part of the code. */
function closes({ prefix, marks, info }: Fence, opened: Fence): boolean {
  const isOfOther = /[-*+.)]/.test(prefix) || (prefix.includes('>') && !opened.prefix.includes('>'))
  return (
    !isOfOther && marks[0] === opened.marks[0] && marks.length >= opened.marks.length && info.trim() === ''
  )
}

export function breaksIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
