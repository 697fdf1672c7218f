import { breaksIn } from '../page-text/map-prose.ts'
import type { Report } from './conversion.ts'

/** `{% highlight js linenos %}…{% endhighlight %}` of Liquid. */
const LIQUID_BLOCK =
  /\{%-?\s*highlight\s+["']?([\w+#.-]+)["']?([^%]*)%\}(\n?)([\s\S]*?)\{%-?\s*endhighlight\s*-?%\}/g
/** `{{< highlight js "linenos=table" >}}…{{< /highlight >}}` of Hugo. */
const HUGO_BLOCK =
  /\{\{[<%]\s*highlight\s+(?:lang(?:uage)?=)?"?([\w+#-]+)"?([^{}]*?)[>%]\}\}(\n?)([\s\S]*?)\{\{[<%]\s*\/\s*highlight\s*[>%]\}\}/g
/** Markers of lists and quotes, which may precede a fence. */
const MARKERS = String.raw`[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*`
const ONLY_MARKERS = new RegExp(`^${MARKERS}$`)
/** Matches a whole fenced block, so that a fence inside of it is not matched. */
const FENCE = new RegExp(
  `^(${MARKERS}(${'`{3,}'}|~{3,}))([^${'`'}\\n]*)(\\n(?:[\\s\\S]*?\\n)?[ \\t>]*\\2[${'`'}~]*[ \\t]*)$`,
  'gm',
)
/** `go {linenos=true hl_lines=[2]}` of Hugo. */
const HUGO_INFO =
  /^[ \t]*([\w+#-]*)[ \t]*\{([^{}\n]*\b(?:linenos|linenostart|hl_lines|title|filename)=?[^{}\n]*)\}[ \t]*$/i

/** Converts code blocks of Liquid and Hugo to fenced blocks. Call it before code is separated from prose. */
export function fenceCode(body: string, report: Report): string {
  return body
    .replace(FENCE, (found, start: string, _marks, info: string, rest: string, at: number, text: string) => {
      const [, language = '', options] = HUGO_INFO.exec(info) ?? []
      if (options === undefined) return found
      reportFirstLine(options, text, at)
      return `${start}${infoOf(language === '' ? 'text' : language, options)}${rest}`
    })
    .replace(LIQUID_BLOCK, block)
    .replace(HUGO_BLOCK, block)

  function block(found: string, ...[language, options, open, code, at, text]: BlockMatch): string {
    reportFirstLine(options, text, at)
    if (/\bhl_inline\b(?!=["']?false)/i.test(options)) return codeSpan(code.trim())
    const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
    const after = text.slice(at + found.length).split('\n', 1)[0] ?? ''
    return fencedBlock({ info: infoOf(language, options), code, isOnLineOfTag: open === '', before, after })
  }

  function reportFirstLine(options: string, text: string, at: number): void {
    const [, start = '1'] = /\blinenostart=["']?(\d+)/i.exec(options) ?? []
    if (Number(start) === 1) return
    const message = `\`linenostart=${start}\` is left out: line numbers begin at 1.`
    report(breaksIn(text.slice(0, at)), 'QN-PARTLY-CONVERTED', message)
  }
}

/** The groups of a block's pattern, its offset, and the searched text. */
type BlockMatch = [language: string, options: string, open: string, code: string, at: number, text: string]

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
  const ending = indent.includes('>') ? /\n[ \t>]*$/ : /\n[ \t]*$/
  const lines = `${isOnLineOfTag ? indent : ''}${code.replace(ending, '')}\n${indent}`
  const block = wrapInBackticks(`${info}\n${lines}`, 3)
  return `${isAlone ? '' : '\n'}${block}${after.trim() === '' ? '' : '\n'}`
}

function codeSpan(code: string): string {
  return wrapInBackticks(/^`|`$/.test(code) ? ` ${code} ` : code, 1)
}

/** Wraps code in at least `fewest` backticks, and in more than any run of them in the code. */
function wrapInBackticks(code: string, fewest: number): string {
  const longest = [...code.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0)
  const backticks = '`'.repeat(Math.max(fewest, longest + 1))
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
