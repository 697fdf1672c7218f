import { codeSpans } from './code-spans.ts'
import { emojiNamed } from './emoji.ts'
import { isEscaped } from './escapes.ts'

/*
 * Short forms that other tools know and CommonMark does not: `:tada:`, `==marked==`, `H~2~O` and `x^2^`. What could be
 * meant as typed stays as typed: comparisons, times, ranges, code, addresses, tags and escaped characters.
 */

/** One delimiter of a short form, or a whole emoji. */
export interface InlineMark {
  /** Offsets in the text. */
  readonly start: number
  readonly end: number
  readonly kind: MarkKind | 'emoji' | 'tilde'
  /** True for the delimiter that begins a range. */
  readonly opens: boolean
  /** The text to show in its place: an emoji, a tilde that strikes nothing out, or nothing. */
  readonly shown: string
}

export type MarkKind = 'mark' | 'sub' | 'sup'

/** Reports whether a text may hold a mark. Most texts do not. */
export function mayHaveMarks(text: string): boolean {
  return text.includes('==') || text.includes('^') || text.includes('~') || EMOJI_SIGN.test(text)
}

const EMOJI_SIGN = /:[\w+-]+:/

/** In UTF-16 code units. Longer ones are something else. */
const MAX_MARKED = 1_000

/** Autolinks and tags, addresses in text, targets of links, mail addresses. */
const OPAQUE = new RegExp(
  [
    '<(?:[a-z][a-z\\d+.-]*:[^<>\\s]*|/?[a-z!?][^<>]*)>',
    '\\b(?:https?://|www\\.)[^\\s<]*',
    '\\]\\([^\\s()]*(?:\\([^\\s()]*\\)[^\\s()]*)*',
    '(?<![\\w.+-])[\\w.+-]{1,64}@[\\w-]+\\.[\\w.-]+',
  ].join('|'),
  'gi',
)
const CJK = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}'
/** A run of emoji that is no part of a word, a time or an address. Scripts without spaces write it next to letters. */
const EMOJI = new RegExp(
  `(?<!(?![${CJK}])[\\p{L}\\p{N}]|[:/@_.-])(?::[a-z\\d_+-]+:)+(?!(?![${CJK}])[\\p{L}\\p{N}]|[:/@])`,
  'gu',
)
const EQUALS = /(?<!=)==(?!=)/g
/** Before an opening and after a closing delimiter, a letter or digit means a comparison. */
const OPENS = new RegExp(`(?<!(?![${CJK}])[\\p{L}\\p{N}])==(?=\\S)`, 'uy')
const CLOSES = new RegExp(`(?<=\\S)==(?!(?![${CJK}])[\\p{L}\\p{N}])`, 'uy')
/** Both follow a letter, a digit or a bracket, and hold no space. */
const baseOr = (other: string) => `(?<=[\\p{L}\\p{N}\\p{M})\\]}*_'’”"${other}])`
const SUP = new RegExp(`${baseOr('~')}\\^(?!\\[)([^\\s^\`<[\\]]{1,50})\\^(?!\\^)`, 'gu')
const SUB = new RegExp(
  `${baseOr('^')}(?<!\\p{N}(?=~\\p{N}[^~]*~\\p{N}))~((?:(?![${CJK}])[\\p{L}\\p{N}\\p{M}]|[+−*=_().,′'-]){1,30})~(?!~)`,
  'gu',
)
/** A range such as `1~2`, or a path: a single tilde between letters or digits. */
const TILDE = /(?<=[\p{L}\p{N}])~(?=[\p{L}\p{N}])/gu

/** Finds them in the text of one paragraph, in order. Every opening delimiter is followed by its closing one. */
export function findInlineMarks(text: string): readonly InlineMark[] {
  if (!mayHaveMarks(text)) return []
  const isOpaque = opaqueIn(text)
  const isFree = (at: number) => !isOpaque(at) && !isEscaped(text, at)
  const found = [
    ...emojiIn(text).filter(({ start }) => isFree(start)),
    ...highlightsIn(text, isFree),
    ...scriptsIn(text, SUP, 'sup', isFree),
  ]
  const subs = scriptsIn(text, SUB, 'sub', isFree)
  const taken = new Set(subs.map(({ start }) => start))
  const tildes = [...text.matchAll(TILDE)].flatMap(({ index }): InlineMark[] =>
    taken.has(index) || !isFree(index)
      ? []
      : [{ start: index, end: index + 1, kind: 'tilde', opens: false, shown: '~' }],
  )
  return [...found, ...subs, ...tildes].sort((a, b) => a.start - b.start)
}

/** The text as it is shown: without delimiters, and with emoji in place of their names. */
export function withoutInlineMarks(text: string): string {
  let shown = ''
  let copied = 0
  for (const mark of findInlineMarks(text)) {
    shown += text.slice(copied, mark.start) + mark.shown
    copied = mark.end
  }
  return shown + text.slice(copied)
}

function opaqueIn(text: string): (at: number) => boolean {
  const spans = [
    ...codeSpans(text),
    ...Array.from(text.matchAll(OPAQUE), ({ index, 0: found }) => ({
      start: index,
      end: index + found.length,
    })),
  ].sort((a, b) => a.start - b.start)
  const starts = spans.map(({ start }) => start)
  /** The furthest end of the spans so far. */
  let furthest = 0
  const ends = spans.map(({ end }) => (furthest = Math.max(furthest, end)))
  return (at) => {
    const last = countUpTo(starts, at)
    return last > 0 && at < (ends[last - 1] ?? 0)
  }
}

/** The number of sorted numbers that are at most this one. */
function countUpTo(sorted: readonly number[], most: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return low
}

function emojiIn(text: string): readonly InlineMark[] {
  return [...text.matchAll(EMOJI)].flatMap(({ index, 0: run }) =>
    [...run.matchAll(/:([^:]+):/g)].flatMap((found): InlineMark[] => {
      const start = index + found.index
      const shown = emojiNamed(found[1] ?? '')
      return shown === null
        ? []
        : [{ start, end: start + found[0].length, kind: 'emoji', opens: false, shown }]
    }),
  )
}

function highlightsIn(text: string, isFree: (at: number) => boolean): readonly InlineMark[] {
  const found: InlineMark[] = []
  let open: number | null = null
  for (const { index } of text.matchAll(EQUALS)) {
    if (!isFree(index)) continue
    if (open !== null && matchesAt(CLOSES, text, index) && index - open <= MAX_MARKED) {
      found.push(delimiter(open, 2, 'mark', true), delimiter(index, 2, 'mark', false))
      open = null
    } else if (matchesAt(OPENS, text, index)) {
      open = index
    }
  }
  return found
}

/** @param pattern sticky. */
function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

function scriptsIn(
  text: string,
  pattern: RegExp,
  kind: MarkKind,
  isFree: (at: number) => boolean,
): readonly InlineMark[] {
  return [...text.matchAll(pattern)].flatMap(({ index, 0: whole }) => {
    const last = index + whole.length - 1
    if (!isFree(index) || !isFree(last)) return []
    return [delimiter(index, 1, kind, true), delimiter(last, 1, kind, false)]
  })
}

function delimiter(start: number, length: number, kind: MarkKind, opens: boolean): InlineMark {
  return { start, end: start + length, kind, opens, shown: '' }
}
