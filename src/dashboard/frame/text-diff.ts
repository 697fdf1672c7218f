import { diffLines } from 'diff'

/** Unchanged lines that are shown around a change. */
const CONTEXT = 3
/** Lines and characters of a difference that are shown. Escaped, the characters are up to five times as many bytes. */
const SHOWN_LINES = 600
const SHOWN_CHARACTERS = 60_000
/**
 * Bounds of a comparison: lines from the first to the last difference, and time. Texts beyond them are shown one after
 * the other. A page compares at most three long texts, and all requests wait meanwhile.
 */
const COMPARED_LINES = 20_000
const TIMEOUT_MS = 25

const NEWLINE = 0x0a

export interface DiffLine {
  /** `gap` for unchanged lines that are left out. */
  readonly kind: 'same' | 'added' | 'removed' | 'gap'
  readonly text: string
}

export interface TextDiff {
  readonly lines: readonly DiffLine[]
  readonly added: number
  readonly removed: number
  /** True if lines at the end are left out, or the end of the last one. */
  readonly isCut: boolean
}

/** Whole lines of one kind that follow one another. */
interface Part {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/**
 * The lines in which two texts differ, with some lines around them. Takes time linear in the texts, apart from a
 * comparison that is bounded by `COMPARED_LINES` and `TIMEOUT_MS`.
 */
export function textDiff(before: string, after: string): TextDiff {
  const parts = partsOf(ended(before), ended(after))
  const countOf = (kind: Part['kind']) =>
    parts.reduce((count, part) => (part.kind === kind ? count + lineCount(part.text) : count), 0)
  return { ...shownLines(parts), added: countOf('added'), removed: countOf('removed') }
}

/** Without a newline at its end, the last line would differ from the same line of a longer text. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** Both texts as parts. Lines that they begin and end with are not compared one by one. */
function partsOf(before: string, after: string): readonly Part[] {
  const start = commonStart(before, after)
  const end = commonEnd(before, after, start)
  const [was, is] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const parts: readonly Part[] = [
    { kind: 'same', text: before.slice(0, start) },
    ...changedParts(was, is),
    { kind: 'same', text: before.slice(before.length - end) },
  ]
  return parts.filter(({ text }) => text !== '')
}

function changedParts(was: string, is: string): readonly Part[] {
  const isLong = lineCount(was) + lineCount(is) > COMPARED_LINES
  const changes = isLong ? undefined : diffLines(was, is, { timeout: TIMEOUT_MS })
  return (
    changes?.map(({ value, added, removed }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value,
    })) ?? [
      { kind: 'removed', text: was },
      { kind: 'added', text: is },
    ]
  )
}

/** Length of the whole lines that both texts begin with. */
function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let start = 0
  for (let at = 0; at < most && a.charCodeAt(at) === b.charCodeAt(at); at += 1)
    if (a.charCodeAt(at) === NEWLINE) start = at + 1
  return start
}

/** Length of the whole lines that both texts end with. @param start where the lines that they begin with end. */
function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start
  let end = 0
  for (let length = 1; length <= most; length += 1) {
    const code = a.charCodeAt(a.length - length)
    if (code !== b.charCodeAt(b.length - length)) return end
    // A line starts behind the newline of the previous one.
    if (code === NEWLINE) end = length - 1
  }
  const startsLine = (text: string) =>
    text.length - most === start || text.charCodeAt(text.length - most - 1) === NEWLINE
  return startsLine(a) && startsLine(b) ? most : end
}

function shownLines(parts: readonly Part[]): Pick<TextDiff, 'lines' | 'isCut'> {
  const lines: DiffLine[] = []
  let characters = 0
  for (const [at, part] of parts.entries()) {
    for (const line of part.kind === 'same'
      ? contextOf(part, at > 0, at < parts.length - 1)
      : linesOf(part)) {
      const room = SHOWN_CHARACTERS - characters
      if (lines.length === SHOWN_LINES || room <= 0) return { lines, isCut: true }
      characters += line.text.length
      if (line.text.length > room) {
        lines.push({ ...line, text: `${line.text.slice(0, room)}…` })
        return { lines, isCut: true }
      }
      lines.push(line)
    }
  }
  return { lines, isCut: false }
}

/** Lines of an unchanged part next to changes before and after it. */
function contextOf({ kind, text }: Part, hasBefore: boolean, hasAfter: boolean): readonly DiffLine[] {
  const [first, last] = [hasBefore ? CONTEXT : 0, hasAfter ? CONTEXT : 0]
  const all = [...linesOf({ kind, text }, first + last + 1)]
  if (all.length <= first + last) return all
  return [
    ...all.slice(0, first),
    { kind: 'gap', text: '' },
    ...lastLines(text, last).map((line) => ({ kind, text: line })),
  ]
}

/** @param most lines, beyond which the text is not read. */
function* linesOf({ kind, text }: Part, most = SHOWN_LINES + 1): Iterable<DiffLine> {
  for (let start = 0, count = 0; start < text.length && count < most; count += 1) {
    const end = text.indexOf('\n', start)
    yield { kind, text: text.slice(start, end) }
    start = end + 1
  }
}

function lastLines(text: string, count: number): readonly string[] {
  const lines: string[] = []
  for (let end = text.length - 1; lines.length < count && end >= 0; ) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1
    lines.unshift(text.slice(start, end))
    end = start - 1
  }
  return lines
}

function lineCount(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === NEWLINE) count += 1
  return count
}
