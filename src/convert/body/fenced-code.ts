import { spanEnds } from '../../page-text/code-spans.ts'
import { lineCounter } from '../../page-text/line-counter.ts'
import type { Report } from '../conversion.ts'
import { backticksFor } from './backticks.ts'

/** Markers of lists and quotes, which may precede a fence. */
const MARKERS = String.raw`[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*`
const ONLY_MARKERS = new RegExp(`^${MARKERS}$`)
/**
 * The start of code: a fence, `{% highlight js linenos %}` of Liquid, `{{< highlight js "linenos=table" >}}` of Hugo,
 * backticks.
 */
const OPENING = new RegExp(
  [
    String.raw`^(?<before>${MARKERS})(?<marks>\x60{3,}|~{3,})(?<info>.*)$`,
    String.raw`\{%-?\s*highlight\s+["']?(?<liquid>[\w+#.-]+)(?![\w+#.-])["']?(?<liquidOptions>[^%]{0,500})%\}`,
    String.raw`\{\{[<%]\s*highlight\s+(?:lang(?:uage)?=)?"?(?<hugo>[\w+#-]+)(?![\w+#-])"?(?<hugoOptions>[^{}]*)[>%]\}\}`,
    '(?<span>`+)',
  ].join('|'),
  'gm',
)
const LIQUID_END = /\{%-?\s*endhighlight\s*-?%\}/g
const HUGO_END = /\{\{[<%]\s*\/\s*highlight\s*[>%]\}\}/g
/** `go {linenos=true hl_lines=[2]}` of Hugo. */
const HUGO_INFO =
  /^[ \t]*([\w+#-]*)[ \t]*\{([^{}\n]*\b(?:linenos|linenostart|hl_lines|title|filename)[^{}\n]*)\}[ \t]*$/i

/** Converts code blocks of Liquid and Hugo to fenced blocks. Call it before code is separated from prose. */
export function fenceCode(body: string, report: Report): string {
  const lineAt = lineCounter(body)
  const spans = spanEnds(body)
  /** Tags of a kind that is never closed again. */
  const unclosed = new Set<RegExp>()
  let at = 0
  let result = ''
  OPENING.lastIndex = 0
  for (let found = OPENING.exec(body); found !== null; found = OPENING.exec(body)) {
    const { marks, info = '', liquid, liquidOptions, hugo, hugoOptions, span } = found.groups ?? {}
    if (marks !== undefined && !(marks.startsWith('`') && info.includes('`'))) {
      const [, language = '', options] = HUGO_INFO.exec(info) ?? []
      if (options !== undefined) {
        reportFirstLine(options, found.index)
        const start = found.index + found[0].length - info.length
        result += body.slice(at, start) + infoOf(language === '' ? 'text' : language, options)
        at = start + info.length
      }
      OPENING.lastIndex = fenceEnd(body, OPENING.lastIndex, marks)
    } else if (marks !== undefined || span !== undefined) {
      const start = found.index + (found.groups?.['before']?.length ?? 0)
      OPENING.lastIndex = spans.get(start) ?? OPENING.lastIndex
    } else {
      const ending = liquid === undefined ? HUGO_END : LIQUID_END
      ending.lastIndex = OPENING.lastIndex
      const closing = unclosed.has(ending) ? null : ending.exec(body)
      if (closing === null) unclosed.add(ending)
      else {
        const end = closing.index + closing[0].length
        const options = liquidOptions ?? hugoOptions ?? ''
        reportFirstLine(options, found.index)
        result += body.slice(at, found.index)
        result += blockOf(liquid ?? hugo ?? '', options, {
          written: body.slice(OPENING.lastIndex, closing.index),
          before: body.slice(body.lastIndexOf('\n', found.index - 1) + 1, found.index),
          after: lineFrom(body, end),
        })
        at = end
        OPENING.lastIndex = end
      }
    }
  }
  return at === 0 ? body : result + body.slice(at)

  function reportFirstLine(options: string, offset: number): void {
    const [, start = '1'] = /\blinenostart=["']?(\d+)/i.exec(options) ?? []
    if (Number(start) === 1) return
    const message = `\`linenostart=${start}\` is left out: line numbers begin at 1.`
    report(lineAt(offset), 'QN-PARTLY-CONVERTED', message)
  }
}

/** The offset after the closing line of a fence, or at the end of the text. */
function fenceEnd(body: string, from: number, marks: string): number {
  let end = from
  while (end < body.length) {
    const line = lineFrom(body, end + 1)
    end += 1 + line.length
    const written = line.replace(/^[ \t>]+/, '').trimEnd()
    if (written.startsWith(marks) && /^(?:`+|~+)$/.test(written)) break
  }
  return Math.min(end, body.length)
}

function lineFrom(body: string, at: number): string {
  const end = body.indexOf('\n', at)
  return body.slice(at, end === -1 ? body.length : end)
}

/** The code between the tags of a block, and the text around them on their lines. */
interface Place {
  readonly written: string
  readonly before: string
  readonly after: string
}

function blockOf(language: string, options: string, { written, before, after }: Place): string {
  const isOnLineOfTag = !written.startsWith('\n')
  const code = isOnLineOfTag ? written : written.slice(1)
  if (/\bhl_inline\b(?!=["']?false)/i.test(options)) return codeSpan(code.trim())
  return fencedBlock({ info: infoOf(language, options), code, isOnLineOfTag, before, after })
}

interface Block {
  readonly info: string
  readonly code: string
  /** The code begins on the line of the opening tag. */
  readonly isOnLineOfTag: boolean
  /** Text before the opening tag, on its line. */
  readonly before: string
  /** Text after the closing tag, on its line. */
  readonly after: string
}

/** Puts the fences on lines of their own, indented like the list or quote around them. */
function fencedBlock({ info, code, isOnLineOfTag, before, after }: Block): string {
  const isAlone = ONLY_MARKERS.test(before)
  const indent = isAlone ? before.replace(/[^\s>]/g, ' ') : ''
  const last = code.lastIndexOf('\n')
  const isEmptyEnd =
    last !== -1 && (indent.includes('>') ? /^[ \t>]*$/ : /^[ \t]*$/).test(code.slice(last + 1))
  const lines = `${isOnLineOfTag ? indent : ''}${isEmptyEnd ? code.slice(0, last) : code}\n${indent}`
  const block = wrapInBackticks(`${info}\n${lines}`, 3)
  return `${isAlone ? '' : '\n'}${block}${after.trim() === '' ? '' : '\n'}`
}

function codeSpan(code: string): string {
  return wrapInBackticks(/^`|`$/.test(code) ? ` ${code} ` : code, 1)
}

/** Wraps code in at least `fewest` backticks, and in more than any run of them in the code. */
function wrapInBackticks(code: string, fewest: number): string {
  const backticks = backticksFor(code, fewest)
  return `${backticks}${code}${backticks}`
}

/** The info string of a fenced block with Quoin's names for the options. */
function infoOf(language: string, options: string): string {
  const [marked = ''] = /(?<=\b(?:hl_lines|mark_lines)=)(?:\[[^\]]*\]|"[^"]*"|[\d\s-]+)/i.exec(options) ?? []
  const lines = [...marked.matchAll(/\d+(?:-\d+)?/g)].join(',')
  const [, title] = /\b(?:title|filename)="([^"]*)"/i.exec(options) ?? []
  return [
    language,
    ...(title === undefined ? [] : [`title="${title}"`]),
    ...(/\blinenos\b(?!=["']?false)/i.test(options) ? ['showLineNumbers'] : []),
    ...(lines === '' ? [] : [`{${lines}}`]),
  ].join(' ')
}
