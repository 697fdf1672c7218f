import { parseUrl } from '../domain/parse-url.ts'
import { type HeadingLine, readHeadingLine } from '../page-text/heading-line.ts'
import { mapLinks } from '../page-text/map-links.ts'
import { mapOutsideFences, mapProse } from '../page-text/map-prose.ts'
import { visibleText } from '../page-text/visible-text.ts'
import { closeMarkdown } from '../sections/close-markdown.ts'

/*
 * Texts of a description are CommonMark of others, and keep its meaning. Additions of Quoin, such as containers and
 * directives, stay text: a description cannot end the container around it.
 */

/** Longer texts are cut. */
const MAX_TEXT = 64 * 1024

/** Finds the page of an operation or a tag that a link such as `#operation/listPets` means; null for none. */
export type FindPage = (target: string) => string | null

interface TextPlace {
  /** Against which relative links are resolved; null drops them. */
  readonly home: string | null
  readonly findPage: FindPage
}

/** A line of a code span that would include a file. Line breaks in a span are blanks. */
const LINE_IN_SPAN = /\n[ \t>]*(?=::[ \t]*(?:include|code|openapi)\b)/g

/** A text as blocks of Markdown. @param level of its first headings; null turns headings into strong text. */
export function blockMarkdown(text: string, level: number | null, place: TextPlace): string {
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
  const plain = cut.replace(/\r\n?/g, '\n').replaceAll('\0', '').trim()
  if (plain === '') return ''
  const mapped = mapProse(withHeadings(plain, level), (prose) =>
    unlinked(mapLinks(withoutDirectives(prose), (target) => linkTarget(target, place))),
  )
  return closeMarkdown(mapOutsideFences(mapped, (part) => part.replace(LINE_IN_SPAN, ' ')))
}

/** The beginning of a text as plain text, for places that show one line. */
export function plainText(text: string, limit: number): string {
  const [first = ''] = text
    .replace(/\r\n?/g, '\n')
    .trim()
    .slice(0, 4_000)
    .split(/\n\s*\n|<\/p>/)
  const shown = visibleText(first).replace(/\s+/g, ' ').trim()
  if (shown.length <= limit) return shown
  const start = shown.slice(0, limit - 1)
  const end = Math.max(start.lastIndexOf('. ') + 1, 0)
  return end > limit / 3
    ? start.slice(0, end)
    : `${start.slice(0, Math.max(start.lastIndexOf(' '), limit / 2))}…`
}

function withoutDirectives(prose: string): string {
  return prose
    .replace(/^([ \t>]*)(?=::)/gm, '$1\\')
    .replace(/(?<![\\:\w]):(?=[a-z][a-z-]*[[{])/gi, '\\:')
    .replace(/(?<!\\)\$/g, '\\$')
    .replace(/\{(?=[{%])/g, '\\{')
    .replace(/<(?=\/?([a-z][\w-]*)[\s/>])/gi, (mark, name: string) =>
      HTML.has(name.toLowerCase()) ? mark : `\\${mark}`,
    )
}

/** Elements that texts may hold. Others are mostly placeholders such as `<token>`. */
const HTML: ReadonlySet<string> = new Set(
  (
    'a abbr b blockquote br caption code dd del details div dl dt em figcaption figure hr i img ins kbd li mark ol p ' +
    'pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var'
  ).split(' '),
)

const UNDERLINED = /^(?![ \t]*(?:[-+*>|#]|\d+[.)]|$))( {0,3}\S.*)\n {0,3}(=+|-+)[ \t]*$/gm

/** Headings below those of the page, in the same order. */
function withHeadings(text: string, level: number | null): string {
  const html = mapProse(text, (prose) =>
    prose.replace(/<h([1-6])\b[^<>]*>/gi, '<p><strong>').replace(/<\/h[1-6]\s*>/gi, '</strong></p>'),
  )
  const marked = mapOutsideFences(html, (prose) =>
    prose.replace(
      UNDERLINED,
      (_, title: string, line: string) => `${line.startsWith('=') ? '#' : '##'} ${title.trim()}`,
    ),
  )
  if (level === null) return mapHeadings(marked, ({ text: title }) => `\n**${title.replaceAll('**', '')}**\n`)
  let highest = 6
  mapHeadings(marked, ({ depth }, line) => {
    highest = Math.min(highest, depth)
    return line
  })
  const shift = level - highest
  // Each level may be one deeper than the heading before, or less deep.
  let previous = level - 1
  return mapHeadings(marked, ({ depth, text: title, id }) => {
    previous = Math.max(level, Math.min(6, depth + shift, previous + 1))
    return `${'#'.repeat(previous)} ${title}${id === null ? '' : ` {#${id}}`}`
  })
}

/** Maps the lines that are headings with a text. */
function mapHeadings(text: string, change: (heading: HeadingLine, line: string) => string): string {
  return mapOutsideFences(text, (prose) =>
    prose
      .split('\n')
      .map((line) => {
        const heading = readHeadingLine(line)
        return heading === null || heading.text === '' ? line : change(heading, line)
      })
      .join('\n'),
  )
}

/** Stands for a link that leads nowhere from here. */
const NOWHERE = 'quoin-nowhere:'

function linkTarget(target: string, { home, findPage }: TextPlace): string {
  if (/^(https?:|mailto:|tel:)/i.test(target)) return target
  const page = findPage(target)
  if (page !== null) return page
  if (home === null || target === '' || target.startsWith('#')) return NOWHERE
  return parseUrl(target, home)?.href ?? NOWHERE
}

/** Takes off links and images that lead nowhere. */
function unlinked(prose: string): string {
  if (!prose.includes(NOWHERE)) return prose
  return prose
    .replace(/!\[([^[\]\n]*)\]\(quoin-nowhere:[^()\n]*\)/g, '$1')
    .replace(/\[([^[\]\n]*)\]\(quoin-nowhere:[^()\n]*\)/g, '$1')
    .replace(/\s(?:href|src|poster)=(["'])quoin-nowhere:\1/g, '')
    .replace(/^ {0,3}\[[^\]\n\r\u2028\u2029]+\]:[ \t]*quoin-nowhere:.*$/gm, '')
}
