import { breaksIn } from '../page-text/map-prose.ts'

/** `{% highlight js linenos %}…{% endhighlight %}`, of Liquid. */
const LIQUID_BLOCK = /\{%-?\s*highlight\s+([\w+#.-]+)([^%]*)%\}(\n?)([\s\S]*?)\{%-?\s*endhighlight\s*-?%\}/g
/** `{{< highlight js "linenos=table" >}}…{{< /highlight >}}`, of Hugo. */
const HUGO_BLOCK =
  /\{\{[<%]\s*highlight\s+(?:lang(?:uage)?=)?"?([\w+#-]+)"?([^{}]*?)[>%]\}\}(\n?)([\s\S]*?)\{\{[<%]\s*\/\s*highlight\s*[>%]\}\}/g
/** What a block may begin after: marks of lists and quotes. */
const MARKS = String.raw`[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*`
const ONLY_MARKS = new RegExp(`^${MARKS}$`)
/** A fenced block as a whole, so that one within another is none. */
const FENCE = new RegExp(
  `^(${MARKS}(${'`{3,}'}|~{3,}))([^${'`'}\\n]*)(\\n(?:[\\s\\S]*?\\n)?[ \\t>]*\\2[${'`'}~]*[ \\t]*)$`,
  'gm',
)
/** `go {linenos=true hl_lines=[2]}`, of Hugo. */
const HUGO_INFO =
  /^[ \t]*([\w+#-]*)[ \t]*\{([^{}\n]*\b(?:linenos|linenostart|hl_lines|title|filename)=?[^{}\n]*)\}[ \t]*$/i

/**
 * Code that a template language marks as fenced blocks in the words of Quoin, before code is told from prose.
 *
 * @param note is told what is lost, and at which line, from 0.
 */
export function fenceCode(body: string, note: (line: number, what: string) => void): string {
  return body
    .replace(FENCE, (found, start: string, _marks, info: string, rest: string, at: number, text: string) => {
      const [, language = '', options] = HUGO_INFO.exec(info) ?? []
      if (options === undefined) return found
      noteStart(options, text, at)
      return `${start}${infoOf(language === '' ? 'text' : language, options)}${rest}`
    })
    .replace(LIQUID_BLOCK, block)
    .replace(HUGO_BLOCK, block)

  function block(found: string, ...[language, options, open, code, at, text]: BlockParts): string {
    noteStart(options, text, at)
    if (/\bhl_inline\b(?!=["']?false)/i.test(options)) return codeSpan(code.trim())
    const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
    const after = text.slice(at + found.length).split('\n', 1)[0] ?? ''
    return fencedBlock({ info: infoOf(language, options), code, isOnLineOfTag: open === '', before, after })
  }

  function noteStart(options: string, text: string, at: number): void {
    const [, start = '1'] = /\blinenostart=["']?(\d+)/i.exec(options) ?? []
    if (Number(start) !== 1)
      note(breaksIn(text.slice(0, at)), `linenostart=${start}: lines are numbered from 1`)
  }
}

/** What is found of a block, where, and in which text. */
type BlockParts = [language: string, options: string, open: string, code: string, at: number, text: string]

interface Block {
  readonly info: string
  readonly code: string
  readonly isOnLineOfTag: boolean
  /** What stands on the line of the tag before it, and on that of the other after it. */
  readonly before: string
  readonly after: string
}

/** It begins and ends on lines of its own, as far in as its list or quote is. */
function fencedBlock({ info, code, isOnLineOfTag, before, after }: Block): string {
  const isAlone = ONLY_MARKS.test(before)
  const indent = isAlone ? before.replace(/[^\s>]/g, ' ') : ''
  const ending = indent.includes('>') ? /\n[ \t>]*$/ : /\n[ \t]*$/
  const lines = `${isOnLineOfTag ? indent : ''}${code.replace(ending, '')}\n${indent}`
  const written = wrapInBackticks(`${info}\n${lines}`, 3)
  return `${isAlone ? '' : '\n'}${written}${after.trim() === '' ? '' : '\n'}`
}

function codeSpan(code: string): string {
  return wrapInBackticks(/^`|`$/.test(code) ? ` ${code} ` : code, 1)
}

/** Between backticks, more of them than are anywhere in the code. */
function wrapInBackticks(code: string, fewest: number): string {
  const longest = [...code.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0)
  const marks = '`'.repeat(Math.max(fewest, longest + 1))
  return `${marks}${code}${marks}`
}

/** What is said of a block, in the words of Quoin. */
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
