import { literalPattern } from '../../domain/literal-pattern.ts'
import { mapOutsideSpans, replaceSpans } from '../../page-text/code-spans.ts'
import { humanise } from '../../page-text/humanise.ts'
import type { BodyContext, Report, TemplateTag } from '../conversion.ts'
import { runsOf } from '../mdx/fences.ts'

const SYMBOLS: Readonly<Record<string, string>> = {
  ctrl: 'Ctrl',
  control: 'Ctrl',
  cmd: 'Cmd',
  command: 'Cmd',
  esc: 'Esc',
  escape: 'Esc',
  del: 'Del',
  'arrow-up': '↑',
  'arrow-down': '↓',
  'arrow-left': '←',
  'arrow-right': '→',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
}
const FENCE_INFO = /^([ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?:`{3,}|~{3,}))[ \t]*(.*)$/

/** Inline syntax of PyMdown Extensions and of Material for MkDocs. */
export const MKDOCS_TAGS: readonly TemplateTag[] = [
  { pattern: /<!--[ \t]*more[ \t]*-->/g, replace: () => '' },
  {
    pattern: /\+\+((?:[a-z0-9_-]+|"[^"\n]+")(?:\+(?:[a-z0-9_-]+|"[^"\n]+"))*)\+\+/gi,
    replace: ([, keys = '']) =>
      keys
        .split('+')
        .map((key) => `<kbd>${keyName(key)}</kbd>`)
        .join('+'),
  },
  {
    pattern: /:(?:material|fontawesome|octicons|simple)-[\w-]+:(?:\{[^{}\n]*\})?/g,
    replace: () => null,
  },
  { pattern: /\{\+\+([^{}]+?)\+\+\}/g, replace: ([, text = '']) => `<ins>${text}</ins>` },
  { pattern: /\{--([^{}]+?)--\}/g, replace: ([, text = '']) => `<del>${text}</del>` },
  {
    pattern: /\{~~([^{}]*)~~\}/g,
    replace: ([whole, text = '']) => {
      const at = text.indexOf('~>')
      return at === -1 ? whole : `<del>${text.slice(0, at)}</del><ins>${text.slice(at + 2)}</ins>`
    },
  },
  { pattern: /\{==([^{}]+?)==\}/g, replace: ([, text = '']) => `==${text}==` },
  { pattern: /\{>>[^{}]*?<<\}/g, replace: () => null },
  { pattern: /\^\^(?=\S)([^^\n]+?)\^\^/g, replace: ([, text = '']) => `<ins>${text}</ins>` },
  // An attribute list after a link, an image or other text, or on the line after a block.
  {
    pattern: /(?<=[)\]*_`>\0])\{:?[ \t]*(?=[.#\w])[^{}\n]*\}|^[ \t]*\{:?[ \t]*(?=[.#\w])[^{}\n]*\}[ \t]*$/gm,
    replace: ([list]) => {
      const id = /#([\w.:-]+)/.exec(list)?.[1]
      return id === undefined
        ? null
        : { text: `<a id="${id}"></a>`, message: `Of \`${list.trim()}\`, only the id is converted.` }
    },
  },
]

function keyName(key: string): string {
  const name = key.replace(/^"|"$/g, '')
  return (
    SYMBOLS[name.toLowerCase()] ??
    (key.startsWith('"')
      ? name
      : name.length === 1
        ? name.toUpperCase()
        : humanise(name.replaceAll('-', ' ')))
  )
}

const MARKDOWN = /[ \t]markdown(?:=["']?\w+["']?)?(?=[ \t>])/

/** Converts the options of code blocks, and elements that contain Markdown. */
export function convertCode(body: string, report: Report): string {
  return runsOf(body)
    .map(({ text, isCode, line }) => (isCode ? codeBlocks(text, line, report) : prose(text)))
    .join('\n')
}

function prose(text: string): string {
  const withoutLanguages = replaceSpans(text, (span) => span.replace(/^(`+)#![\w+-]+ /, '$1'))
  return mapOutsideSpans(withoutLanguages, elements)
}

/** Elements whose content is Markdown: an empty line after their tags says so to every parser. */
function elements(text: string): string {
  return text
    .replace(
      /^([ \t]*<(?:div|figure|section|article|p)\b)([^<>]*>)[ \t]*$/gm,
      (tag, start: string, rest: string) =>
        MARKDOWN.test(rest) ? `${start}${rest.replace(MARKDOWN, '')}\n` : tag,
    )
    .replace(/<\w[^<>]*>/g, (tag) => tag.replace(MARKDOWN, ''))
    .replace(/^([ \t]*)(<\/(?:div|figure|section|article)>)/gm, '\n$1$2')
}

function codeBlocks(text: string, line: number, report: Report): string {
  let hasNumbers = false
  const converted = text
    .split('\n')
    .map((each) => {
      const [, start, info = ''] = FENCE_INFO.exec(each) ?? []
      if (start !== undefined) return info === '' ? each : `${start}${infoOf(info)}`
      if (/\(\d+\)!/.test(each)) hasNumbers = true
      return each.replace(/\((\d+)\)!/g, '($1)')
    })
    .join('\n')
  if (hasNumbers)
    report(
      line,
      'QN-PARTLY-CONVERTED',
      'Annotations of code become numbers. Their texts are in the list below.',
    )
  return converted
}

/** ` { .yaml .copy title="a.yml" hl_lines="1 3-4" linenums="1" }` with Quoin's names. */
function infoOf(info: string): string {
  const inner = info.replace(/^\{\s*|\s*\}$/g, '')
  const language = /^\.?([\w+#-]+)(?=\s|$|\{)/.exec(inner)?.[1] ?? ''
  const title = /\btitle="([^"]*)"/.exec(inner)?.[1] ?? /\[([^[\]]*)\]$/.exec(inner)?.[1]
  const lines = /\bhl_lines="([^"]*)"/.exec(inner)?.[1]?.trim().split(/\s+/).join(',')
  return [
    language === '' ? 'text' : language,
    ...(title === undefined ? [] : [`title="${title}"`]),
    ...(/\blinenums=/.test(inner) ? ['showLineNumbers'] : []),
    ...(lines ? [`{${lines}}`] : []),
  ].join(' ')
}

const DEFINITION = /^[ \t]*\*\[([^\]\n]+)\]:[ \t]*(.*)$/gm
const MAX_ABBREVIATIONS = 500

/** Replaces abbreviations that are defined by `*[HTML]: …` by elements, and removes their definitions. */
export function convertAbbreviations(
  body: string,
  extra: string,
  { protect, report }: Pick<BodyContext, 'protect' | 'report'>,
): string {
  const all = [...`${body}\n${extra}`.matchAll(DEFINITION)]
  if (all.length === 0) return body
  const found = all.slice(0, MAX_ABBREVIATIONS)
  if (all.length > MAX_ABBREVIATIONS) {
    const count = all.length - MAX_ABBREVIATIONS
    const subject = count === 1 ? '1 abbreviation is' : `${count} abbreviations are`
    report(0, 'QN-PARTLY-CONVERTED', `${subject} left out: a page has at most ${MAX_ABBREVIATIONS}.`)
  }
  const meanings = new Map(found.map(([, name = '', meaning = '']) => [name, meaning.trim()]))
  const names = [...meanings.keys()].toSorted((a, b) => b.length - a.length).map(literalPattern)
  const word = new RegExp(
    `(\0[^\0]*\0|\\]\\([^()\\n]*\\)|<[^<>]*>|https?:\\S+|^[ \\t]*#.*$|^[ \\t]*\\[[^\\]\\n]*\\]:.*$|^[ \\t]*(?:::|/{3,}|!!!|\\?\\?\\?|===).*$|\\{[^{}\\n]*\\})|(?<![\\p{L}\\p{N}_-])(${names.join('|')})(?![\\p{L}\\p{N}_-])`,
    'gmu',
  )
  return runsOf(body)
    .map(({ text, isCode }) =>
      isCode
        ? text
        : replaceSpans(text, (span) => protect(span))
            .replace(DEFINITION, '')
            .replace(word, (whole, skipped: string | undefined, name: string) =>
              skipped === undefined
                ? `<abbr title="${(meanings.get(name) ?? '').replaceAll('"', '&quot;')}">${name}</abbr>`
                : whole,
            ),
    )
    .join('\n')
}
