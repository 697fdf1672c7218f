import { posix } from 'node:path'
import { backticksFor } from '../body/backticks.ts'
import { quotedTag } from '../body/quoted-tag.ts'
import type { BodyContext, Report } from '../conversion.ts'
import { runsOf } from '../mdx/fences.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'

/** `{!file!}` of markdown-include, `{% include-markdown "file" %}` and `{% include "file" %}`, on a line of their own. */
const INCLUDE =
  /^[ \t]*(?:\{!([^!\n]+)!\}|\{%-?[ \t]*include(?:-markdown)?[ \t]+["']([^"'\n]+)["']([^%\n]*)%\})[ \t]*$/
const LIMIT = (name: string) => new RegExp(`\\b${name}=["']([^"'\\n]+)["']`)
const [START, END] = [LIMIT('start'), LIMIT('end')]
/** The code of a file, as mdx_include writes it. */
const CODE = /^[ \t]*\{\*[ \t]*([^\s*]+)((?:[ \t][^*\n]*)?)\*\}[ \t]*$/
const CODE_LIST = /^[ \t]*<!--[ \t]*(\/?)codeinclude[ \t]*-->[ \t]*$/
const LISTED_CODE = /^[ \t]*\[([^\]\n]*)\]\(([^)\s]+)\)(.*)$/
/** The reference of an object, generated from programs by mkdocstrings. */
const REFERENCE = /^:::[ \t]+[A-Za-z_][\w.]*[ \t]*$/
const WIKI_LINK = /\[\[([^\][|\n]+)(?:\|([^\][\n]+))?\]\]/g
/** Included texts may include others. */
const MAX_DEPTH = 5

interface PluginContext extends Pick<BodyContext, 'linkTo' | 'report'> {
  /** The text of a file, next to the page, in the docs or below the configuration; null for none. */
  readonly find: (name: string) => string | null
  /** Reports whether the configuration has the plugin. */
  readonly has: (plugin: RegExp) => boolean
}

/** Fills in the includes of MkDocs plugins, and reports syntax without a counterpart. Code is left alone. */
export function convertPlugins(body: string, context: PluginContext): string {
  return runsOf(body)
    .map(({ text, isCode, line }) => (isCode ? text : convertLines(text.split('\n'), context, line, 0)))
    .join('\n')
}

function convertLines(
  lines: readonly string[],
  context: PluginContext,
  first: number,
  depth: number,
): string {
  const { find, has, report } = context
  const result: string[] = []
  let isCodeList = false
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const at = depth === 0 ? first + index : first
    const [included, marked, quoted, limits = ''] = INCLUDE.exec(line) ?? []
    const [code, file = '', options = ''] = CODE.exec(line) ?? []
    const [listMark, slash] = CODE_LIST.exec(line) ?? []
    const [, title = '', listed, rest = ''] = (isCodeList ? LISTED_CODE.exec(line) : null) ?? []
    if (included !== undefined) {
      const text = depth < MAX_DEPTH ? find((marked ?? quoted ?? '').trim()) : null
      if (text === null) leaveOut(line, at, report)
      else result.push(convertLines(partOf(text, limits).split('\n'), context, at, depth + 1))
    } else if (code !== undefined)
      result.push(...codeOf(file, '', options.trim(), { line, at, find, report }))
    else if (listMark !== undefined) isCodeList = slash === ''
    else if (listed !== undefined)
      result.push(...codeOf(listed, title, rest.trim(), { line, at, find, report }))
    else if (REFERENCE.test(line) && has(/mkdocstrings/)) {
      leaveOut(line, at, report)
      while (/^[ \t]+\S/.test(lines[index + 1] ?? '')) index += 1
    } else result.push(has(/roamlinks|ezlinks|wikilinks/) ? wikiLinks(line, at, context) : line)
  }
  return result.join('\n')
}

function leaveOut(line: string, at: number, report: Report): void {
  report(at, 'QN-NOT-CONVERTED', `${quotedTag(line)} is left out.`)
}

/** The text of a file, or its part between two texts. */
function partOf(text: string, limits: string): string {
  const { body } = splitSourcePage(text.replaceAll('\r\n', '\n'))
  const [start, end] = [START.exec(limits)?.[1], END.exec(limits)?.[1]]
  const after =
    start === undefined
      ? body
      : body.slice(body.indexOf(start) === -1 ? 0 : body.indexOf(start) + start.length)
  const stop = end === undefined ? -1 : after.indexOf(end)
  return (stop === -1 ? after : after.slice(0, stop)).trim()
}

function codeOf(
  file: string,
  title: string,
  options: string,
  {
    line,
    at,
    find,
    report,
  }: {
    readonly line: string
    readonly at: number
    readonly find: PluginContext['find']
    readonly report: Report
  },
): readonly string[] {
  const text = find(file)
  if (text === null) {
    leaveOut(line, at, report)
    return []
  }
  if (options !== '') report(at, 'QN-PARTLY-CONVERTED', `${quotedTag(line)} shows the whole file.`)
  const fence = backticksFor(text, 3)
  const named = title === '' ? '' : ` title="${title.replaceAll('"', "'")}"`
  return [`${fence}${posix.extname(file).slice(1)}${named}`, text.trimEnd(), fence]
}

function wikiLinks(line: string, at: number, { linkTo, report }: PluginContext): string {
  return line.replace(WIKI_LINK, (tag, name: string, text?: string) => {
    const target = `${name.trim()}.md`
    if (linkTo(target) !== null) return `[${(text ?? name).trim()}](${encodeURI(target)})`
    report(at, 'QN-PARTLY-CONVERTED', `${quotedTag(tag)} leads to no page. Its text stays.`)
    return (text ?? name).trim()
  })
}
