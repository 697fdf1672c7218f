/** Lines that are no ordinary text: code, which is shown as written, or what is not shown at all. */
interface Enclosure {
  readonly isShown: boolean
  readonly endsAt: (line: string) => boolean
}

const FENCE = /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})/
const HIDDEN = /^ {0,3}<(?:!--|(script|style)\b)/i

const CODE_SPAN = /(?<!`)(`(?!`)[^`]+`|``(?!`)(?:[^`]|`(?!`))+``)(?!`)/

/** What to take out of a text that has `sign` somewhere, and what to leave in its place. */
interface Replacement {
  readonly sign: string
  readonly mark: RegExp
  readonly by: string
}

/** In order. Most texts have few of the signs, and to look for one takes next to nothing. */
const REPLACEMENTS: readonly Replacement[] = [
  // Link definitions; of footnote definitions only the label.
  { sign: ']:', mark: /^ {0,3}\[(?!\^)[^\]\n]+\]:.*$/gm, by: '' },
  { sign: '[^', mark: /\[\^[^[\]\s]+\]:?/g, by: '' },
  // Ids of headings.
  { sign: '{#', mark: /[ \t]\{#[\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99}\}(?=[ \t#]*$)/gmu, by: '' },
  // Markers of quotes, lists and headings; boxes of tasks.
  { sign: '', mark: /^(?:[ \t]*(?:>|[-+*](?=\s)|\d{1,9}[.)](?=\s)|#{1,6}(?=\s)))+/gm, by: '' },
  { sign: '[', mark: /^[ \t]*\[[ xX]\](?=[ \t]+\S)/gm, by: '' },
  // Images, then where links lead to.
  { sign: '![', mark: /!\[[^[\]\n]*\](?:\([^()\n]*\)|\[[^[\]\n]*\])/g, by: ' ' },
  { sign: '](', mark: /\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g, by: ']' },
  { sign: '][', mark: /\]\[[^[\]\n]*\]/g, by: ']' },
  // Tags: those within a word leave it whole. `<https://…>` is none.
  {
    sign: '<',
    mark: /<\/?(?:a|abbr|b|code|em|i|kbd|mark|q|s|small|span|strong|sub|sup|u|del|ins)(?:\s[^<>]*)?>/gi,
    by: '',
  },
  { sign: '<', mark: /<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>/gi, by: ' ' },
  { sign: '&', mark: /&(?:nbsp|ensp|emsp|thinsp|#160|#xa0);/gi, by: ' ' },
  { sign: '&', mark: /&(?:[a-z][a-z0-9]*|#\d+|#x[0-9a-f]+);/gi, by: '' },
  // Cells of tables, emphasis, what is left of links.
  { sign: '|', mark: /\|/g, by: ' ' },
  { sign: '', mark: /[*~[\]\\]/g, by: '' },
]

/**
 * What a reader of a page reads, near enough to count its words, and cheap: it is asked for whenever
 * a page is written, so it looks for the marks of Markdown without parsing it, each of them in linear
 * time. Indented code is taken for text.
 *
 * @param markdown without front matter, which nobody reads.
 */
export function visibleText(markdown: string): string {
  const shown: string[] = []
  let text: string[] = []
  let enclosure: Enclosure | null = null

  for (const line of markdown.split(/\r\n|\r|\n/)) {
    if (enclosure === null) {
      enclosure = enclosureOpenedBy(line)
      if (enclosure === null) {
        text.push(line)
      } else {
        shown.push(withoutMarks(text.join('\n')))
        text = []
      }
    } else if (enclosure.endsAt(line)) {
      enclosure = null
    } else if (enclosure.isShown) {
      shown.push(line)
    }
  }
  return [...shown, withoutMarks(text.join('\n'))].join('\n')
}

function enclosureOpenedBy(line: string): Enclosure | null {
  const fence = FENCE.exec(line)?.[1]
  if (fence !== undefined) return { isShown: true, endsAt: (other) => closes(other, fence) }

  const hidden = HIDDEN.exec(line)
  if (hidden === null) return null
  const end = hidden[1] === undefined ? '-->' : `</${hidden[1].toLowerCase()}>`
  const endsAt = (other: string): boolean => other.toLowerCase().includes(end)
  return endsAt(line) ? null : { isShown: false, endsAt }
}

/** A fence is closed by one of the same marks that is at least as long. */
function closes(line: string, fence: string): boolean {
  const marks = line.replace(/^[\s>]+/, '').trimEnd()
  return marks.startsWith(fence) && marks === marks.charAt(0).repeat(marks.length)
}

function withoutMarks(text: string): string {
  // Split by an expression that is one group, so every second piece is a code span.
  const pieces = text.split(CODE_SPAN)
  return pieces
    .map((piece, index) =>
      index % 2 === 1 ? piece.replaceAll('`', '') : replaceMarks(withoutComments(piece)),
    )
    .join('')
}

/** Takes out `<!-- … -->`. An expression would look for the end anew from every start. */
function withoutComments(text: string): string {
  const [before = '', ...others] = text.split('<!--')
  return [before, ...others.map(afterComment)].join(' ')
}

/** @param comment starts after `<!--`; one without an end is text. */
function afterComment(comment: string): string {
  const end = comment.indexOf('-->')
  return end === -1 ? comment : comment.slice(end + '-->'.length)
}

function replaceMarks(text: string): string {
  return REPLACEMENTS.reduce(
    (rest, { sign, mark, by }) => (rest.includes(sign) ? rest.replace(mark, by) : rest),
    text,
  )
}
