import { dedented, linesOf, regionOf, withoutMarkers } from './code-region.ts'
import { readComponentLine } from './component-directive.ts'
import { readHeadingLine } from './heading-line.ts'
import { labelsIn, type TakenLabels, withFreeLabels } from './included-labels.ts'
import { mapOutsideFences } from './map-prose.ts'

/*
 * `::include{page="…"}` and `::include{file="…"}` put the Markdown of another page or file in their place, and
 * `::code{file="…"}` a file as a code block. All take a part of it by `lines` or `region`, and the first two by `heading`.
 */

/** A text that a page includes. */
export interface IncludedText {
  /** The name of the text in messages. No text includes one of the same name. */
  readonly name: string
  readonly text: string
}

/** Finds texts for one page. Each function returns why there is none as a text. */
export interface IncludeSources {
  /** @param from name of the text that has the line. */
  file(path: string, from: string): IncludedText | string
  page(path: string, from: string): IncludedText | string
  /** Maps the links of a text that is included in `into`. */
  links(text: string, from: string, into: string): string
}

export interface IncludeFault {
  readonly code: 'QN-BAD-INCLUDE' | 'QN-INCLUDE-LOOP'
  /** The line of the page, from 1. */
  readonly line: number
  readonly source: string
  readonly message: string
}

export interface Expanded {
  readonly text: string
  /** Names of the texts that were included, sorted. */
  readonly included: readonly string[]
  readonly faults: readonly IncludeFault[]
}

/** Texts within texts. */
const MAX_DEPTH = 8
/** Lines of one page and of the texts that it includes. */
const MAX_INCLUDES = 200
/** UTF-16 code units that the includes of a page add to it. */
const MAX_ADDED = 2 * 1024 * 1024
const TOO_LONG = `the includes of the page are longer than ${MAX_ADDED / 1024 / 1024} MiB.`

const FRONT_MATTER = /^---[ \t]*\n(?:[\s\S]*?\n)?---[ \t]*(?:\n|$)/
const INCLUDE_LINE = /^[ \t>]*::[ \t]*(?:include|code)[ \t]*\{/m

/** Reports whether the text may include others. */
export function mayInclude(text: string): boolean {
  return INCLUDE_LINE.test(text)
}

/**
 * The text of a page with what it includes. A line that cannot be resolved stays, and is reported.
 *
 * @param text with or without front matter.
 */
export function expandIncludes(name: string, text: string, sources: IncludeSources): Expanded {
  const included = new Set<string>()
  const faults: IncludeFault[] = []
  let [count, added] = [0, 0]
  const front = FRONT_MATTER.exec(text)?.[0] ?? ''
  const labels: TakenLabels = new Map()
  if (mayInclude(text)) for (const label of labelsIn(text.slice(front.length))) labels.set(label, 1)
  const body = expand(text.slice(front.length), [name], breaksIn(front) + 1, null)
  return { text: front + body, included: [...included].sort(), faults }

  /** @param top line of the page that includes the text; null in the page itself, where `first` is that of the text. */
  function expand(body: string, chain: readonly string[], first: number, top: number | null): string {
    if (!mayInclude(body)) return body
    return mapOutsideFences(body, (prose, start) =>
      prose
        .split('\n')
        .map((line, index) => expandLine(line, chain, top ?? first + start + index))
        .join('\n'),
    )
  }

  function expandLine(line: string, chain: readonly string[], at: number): string {
    const read = INCLUDE_LINE.test(line) ? readComponentLine(line) : null
    if (read === null || read.colons !== 2) return line
    const { component, before } = read
    const attributes = new Map(component.attributes.map(([key, value]) => [key, value ?? '']))
    const fail = (message: string, code: IncludeFault['code'] = 'QN-BAD-INCLUDE') => {
      faults.push({
        code,
        line: at,
        source: component.source,
        message: `${component.source.slice(0, 200)}: ${message}`,
      })
      return line
    }
    count += 1
    if (count > MAX_INCLUDES) return fail(`a page has at most ${MAX_INCLUDES} includes.`)
    const isCode = component.name === 'code'
    const unknown = [...attributes.keys()].find((key) => !ATTRIBUTES[isCode ? 'code' : 'include'].has(key))
    if (unknown !== undefined) return fail(`it has no attribute ${unknown}.`)
    const from = chain.at(-1) ?? name
    const found = find(attributes, from)
    if (typeof found === 'string') return fail(found)
    if (!isCode && chain.includes(found.name))
      return fail(`the texts include each other: ${[...chain, found.name].join(' → ')}.`, 'QN-INCLUDE-LOOP')
    if (chain.length > MAX_DEPTH) return fail(`includes nest up to ${MAX_DEPTH} levels deep.`)
    // Before the work for a line that would be rejected after it.
    if (added > MAX_ADDED) return fail(TOO_LONG)
    included.add(found.name)
    const part = partOf(found.text, attributes, isCode)
    if ('fault' in part) return fail(`${found.name} ${part.fault}`)
    if (added + part.text.length > MAX_ADDED) {
      added = Number.POSITIVE_INFINITY
      return fail(TOO_LONG)
    }
    const shown = isCode
      ? codeBlock(part.text, found.name, attributes)
      : sources.links(
          expand(withFreeLabels(part.text, labels), [...chain, found.name], 1, at),
          found.name,
          from,
        )
    added += shown.length
    if (added > MAX_ADDED) return fail(TOO_LONG)
    return shown
      .split('\n')
      .map((each) => (each === '' ? before.trimEnd() : before + each))
      .join('\n')
  }

  function find(attributes: ReadonlyMap<string, string>, from: string): IncludedText | string {
    const [file, page] = [attributes.get('file') ?? '', attributes.get('page') ?? '']
    if ((file === '') === (page === '')) return 'it needs either file="…" or page="…".'
    return file === '' ? sources.page(page, from) : sources.file(file, from)
  }
}

const ATTRIBUTES = {
  include: new Set(['file', 'page', 'lines', 'region', 'heading']),
  code: new Set(['file', 'lines', 'region', 'lang', 'title', 'highlight']),
} as const

type Part = { readonly text: string } | { readonly fault: string }

function partOf(whole: string, attributes: ReadonlyMap<string, string>, isCode: boolean): Part {
  const [lines, region, heading] = ['lines', 'region', 'heading'].map((key) => attributes.get(key))
  if ([lines, region, heading].filter((each) => each !== undefined).length > 1)
    return { fault: 'can be cut by one of lines, region and heading only.' }
  if (region !== undefined) {
    const text = regionOf(whole, region)
    return text === null
      ? { fault: `has no region ${region} that begins and ends.` }
      : { text: dedented(text) }
  }
  if (lines !== undefined) {
    const text = linesOf(whole, lines)
    return text === null ? { fault: `has no lines ${lines}.` } : { text: dedented(text) }
  }
  if (isCode) return { text: dedented(withoutMarkers(whole)) }
  const body = whole.replace(FRONT_MATTER, '')
  if (heading === undefined) return { text: withoutTitle(body).trim() }
  const text = below(body, heading)
  return text === null ? { fault: `has no heading ${heading}.` } : { text: text.trim() }
}

/** A first heading of level 1 is the title of the page, and not a part of its text. */
function withoutTitle(body: string): string {
  return body.replace(/^\s*#[ \t][^\n]*(?:\n|$)/, '')
}

/** The text below a heading, up to the next one of its level or a higher one. */
function below(body: string, wanted: string): string | null {
  const headings: { readonly line: number; readonly depth: number; readonly isWanted: boolean }[] = []
  mapOutsideFences(body, (prose, start) => {
    for (const [index, line] of prose.split('\n').entries()) {
      const heading = readHeadingLine(line)
      if (heading === null) continue
      const isWanted = heading.id === wanted || slugOf(heading.text) === slugOf(wanted)
      headings.push({ line: start + index, depth: heading.depth, isWanted })
    }
    return prose
  })
  const at = headings.findIndex(({ isWanted }) => isWanted)
  const found = headings[at]
  if (found === undefined) return null
  const next = headings.slice(at + 1).find(({ depth }) => depth <= found.depth)
  return body
    .split('\n')
    .slice(found.line + 1, next?.line)
    .join('\n')
}

function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s+/g, '-')
}

/** Languages of files whose ending is not a name of theirs. */
const LANGUAGES: Readonly<Record<string, string>> = {
  yml: 'yaml',
  txt: 'text',
  htm: 'html',
  h: 'c',
  hpp: 'cpp',
  cjs: 'js',
  mjs: 'js',
  mts: 'ts',
  cts: 'ts',
  dockerfile: 'docker',
  makefile: 'make',
}

function codeBlock(text: string, file: string, attributes: ReadonlyMap<string, string>): string {
  const name = file.slice(file.lastIndexOf('/') + 1).toLowerCase()
  const ending = name.slice(name.lastIndexOf('.') + 1)
  const language =
    attributes.get('lang') ?? LANGUAGES[ending] ?? (/^[a-z\d]{1,12}$/.test(ending) ? ending : 'text')
  const longest = Math.max(2, ...(text.match(/^[ \t]*`{3,}/gm) ?? []).map((marks) => marks.trim().length))
  const fence = '`'.repeat(longest + 1)
  const [title, highlight] = [attributes.get('title'), attributes.get('highlight')]
  const options = [
    ...(title === undefined ? [] : [`title="${title.replaceAll('"', '')}"`]),
    ...(highlight === undefined ? [] : [`{${highlight.replace(/[^\d,-]/g, '')}}`]),
  ]
  return [`${fence}${[language.replace(/[`\s]/g, ''), ...options].join(' ')}`, text, fence].join('\n')
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1
}
