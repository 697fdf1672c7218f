import { withoutPlayers } from './player-directive.ts'

/** Lines that are not prose: code is shown as written, comments and scripts are not shown. */
interface Enclosure {
  readonly isShown: boolean
  readonly endsAt: (line: string) => boolean
}

const FENCE = /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})/
const HIDDEN = /^ {0,3}<(?:!--|(script|style)\b)/i

const CODE_SPAN = /(?<!`)(`(?!`)[^`]+`|``(?!`)(?:[^`]|`(?!`))+``)(?!`)/

/** A replacement for texts that contain `sign`. */
interface Replacement {
  readonly sign: string
  readonly pattern: RegExp
  readonly replacement: string
}

/** In order. Testing for the sign is cheap, and most texts have few of them. */
const REPLACEMENTS: readonly Replacement[] = [
  // Link definitions; labels of footnotes.
  { sign: ']:', pattern: /^ {0,3}\[(?!\^)[^\]\n\r\u2028\u2029]+\]:.*$/gm, replacement: '' },
  { sign: '[^', pattern: /\[\^[^[\]\s]+\]:?/g, replacement: '' },
  // Heading ids.
  { sign: '{#', pattern: /[ \t]\{#[\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99}\}(?=[ \t#]*$)/gmu, replacement: '' },
  // Markers of quotes, lists, headings and tasks.
  { sign: '', pattern: /^(?:[ \t]*(?:>|[-+*](?=\s)|\d{1,9}[.)](?=\s)|#{1,6}(?=\s)))+/gm, replacement: '' },
  { sign: '[', pattern: /^[ \t]*\[[ xX]\](?=[ \t]+\S)/gm, replacement: '' },
  // Images, then link targets.
  { sign: '![', pattern: /!\[[^[\]\n]*\](?:\([^()\n]*\)|\[[^[\]\n]*\])/g, replacement: ' ' },
  { sign: '](', pattern: /\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g, replacement: ']' },
  { sign: '][', pattern: /\]\[[^[\]\n]*\]/g, replacement: ']' },
  // Tags. Inline tags may be inside a word. Autolinks such as `<https://…>` are not tags.
  {
    sign: '<',
    pattern: /<\/?(?:a|abbr|b|code|em|i|kbd|mark|q|s|small|span|strong|sub|sup|u|del|ins)(?:\s[^<>]*)?>/gi,
    replacement: '',
  },
  { sign: '<', pattern: /<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>/gi, replacement: ' ' },
  { sign: '&', pattern: /&(?:nbsp|ensp|emsp|thinsp|#160|#xa0);/gi, replacement: ' ' },
  { sign: '&', pattern: /&(?:[a-z][a-z0-9]*|#\d+|#x[0-9a-f]+);/gi, replacement: '' },
  // Names of emoji.
  { sign: ':', pattern: /(?<![\w:/]):[a-z][a-z\d_]*:(?![\w/])/g, replacement: '' },
  // Table cells, emphasis, remaining link brackets.
  { sign: '|', pattern: /\|/g, replacement: ' ' },
  { sign: '', pattern: /[*~[\]\\]/g, replacement: '' },
]

/**
 * Approximates the text that readers see, in order to count its words. It is called on every write, so it
 * does not parse: it removes Markdown syntax with linear expressions. Treats indented code as text.
 *
 * @param markdown without front matter.
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
        shown.push(withoutMarkup(text.join('\n')))
        text = []
      }
    } else if (enclosure.endsAt(line)) {
      enclosure = null
    } else if (enclosure.isShown) {
      shown.push(line)
    }
  }
  return [...shown, withoutMarkup(text.join('\n'))].join('\n')
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

/** A closing fence has the same character as the opening one and is at least as long. */
function closes(line: string, fence: string): boolean {
  const marks = line.replace(/^[\s>]+/, '').trimEnd()
  return marks.startsWith(fence) && marks === marks.charAt(0).repeat(marks.length)
}

function withoutMarkup(text: string): string {
  // The expression has one group, so every second piece is a code span.
  const pieces = text.split(CODE_SPAN)
  return pieces
    .map((piece, index) =>
      index % 2 === 1 ? piece.replaceAll('`', '') : applyReplacements(withoutComments(piece)),
    )
    .join('')
}

/** Removes `<!-- … -->`. A regular expression would take quadratic time on unclosed comments. */
function withoutComments(text: string): string {
  const [before = '', ...others] = text.split('<!--')
  return [before, ...others.map(afterComment)].join(' ')
}

/** @param comment starts after `<!--`; without an end it is text. */
function afterComment(comment: string): string {
  const end = comment.indexOf('-->')
  return end === -1 ? comment : comment.slice(end + '-->'.length)
}

/** The attributes of a component, which are no text. */
const COMPONENT =
  /^([ \t>]*):{2,}[ \t]{0,9}[a-z][a-z0-9-]{0,49}(?:[ \t]*(\[[^{}\n\r\u2028\u2029]*\]))?[ \t]*\{[^{}\n\r\u2028\u2029]*\}[ \t]*$/gm

function withoutAttributes(text: string): string {
  return text.replace(COMPONENT, (_, before: string, label: string = '') => before + label)
}

function applyReplacements(written: string): string {
  const text = written.includes('::') ? withoutAttributes(withoutPlayers(written)) : written
  return REPLACEMENTS.reduce(
    (rest, { sign, pattern, replacement }) =>
      rest.includes(sign) ? rest.replace(pattern, replacement) : rest,
    text,
  )
}
