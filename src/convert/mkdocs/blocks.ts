import { humanise } from '../../page-text/humanise.ts'
import { boxKind, openingLine, tabLine } from '../body/box-kinds.ts'
import type { Report } from '../conversion.ts'

const ADMONITION = /^([ \t]*)(!!!|\?\?\?\+?)[ \t]+([\w-]+)([^\w-].*)?$/
/** The text after the kind of an admonition: more classes, and a title. */
const CLASSES_AND_TITLE = /^[\w \t-]*(?:(?<=[ \t])["“](.*)["”])?$/
const TAB = /^([ \t]*)===[!+]*[ \t]+["“](.*)["”][ \t]*$/
const BLOCK = /^([ \t]*)(\/{3,})[ \t]+([\w-]+)(?:[ \t]*\|[ \t]*(.*))?$/
const FENCE = /^([ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*)(`{3,}|~{3,})(.*)$/
const INDENT = 4
/** Blocks nested more deeply stay text. */
const MAX_DEPTH = 8

/** Converts admonitions (`!!!`, `???`), content tabs (`===`) and blocks (`///`) to containers. */
export function convertBlocks(
  lines: readonly string[],
  report: Report,
  first = 0,
  depth = 0,
): readonly string[] {
  const result: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const fence = FENCE.exec(line)
    if (fence !== null && !(fence[2]?.startsWith('`') && fence[3]?.includes('`'))) {
      const end = fenceEnd(lines, index, fence[2] ?? '')
      result.push(...lines.slice(index, end + 1))
      index = end
      continue
    }
    const found =
      depth < MAX_DEPTH ? (admonition(lines, index) ?? tabs(lines, index) ?? block(lines, index)) : null
    if (found === null) {
      result.push(line)
      continue
    }
    const { indent, parts, end, message } = found
    if (message !== undefined) report(first + index, 'QN-PARTLY-CONVERTED', message)
    for (const part of parts) {
      if (part.open !== '') result.push(indent + part.open)
      const inner = convertBlocks(part.lines, report, first + part.at, depth + 1)
      result.push(...inner.map((each) => (each === '' ? '' : indent + each)))
      // A line after a list or a paragraph would belong to it.
      if (inner.at(-1)?.trim()) result.push('')
    }
    if (found.close !== '') result.push(indent + found.close)
    index = end
  }
  return result
}

interface Part {
  /** The line that begins the part. Empty for none. */
  readonly open: string
  /** Without the indentation of the block. */
  readonly lines: readonly string[]
  /** The index of the first of them. */
  readonly at: number
}

interface Block {
  readonly indent: string
  readonly parts: readonly Part[]
  readonly close: string
  /** The index of the last line. */
  readonly end: number
  readonly message?: string
}

function fenceEnd(lines: readonly string[], start: number, marks: string): number {
  for (let index = start + 1; index < lines.length; index++) {
    const [, , close = '', info = ''] = FENCE.exec(lines[index] ?? '') ?? []
    if (close[0] === marks[0] && close.length >= marks.length && info.trim() === '') return index
  }
  return lines.length - 1
}

function admonition(lines: readonly string[], start: number): Block | null {
  const [, indent, mark = '', kind = '', rest = ''] = ADMONITION.exec((lines[start] ?? '').trimEnd()) ?? []
  const more = indent === undefined ? null : CLASSES_AND_TITLE.exec(rest)
  if (indent === undefined || more === null) return null
  const title = more[1]
  const { inner, end } = indented(lines, start, indent)
  const own = boxKind(kind)
  // Quoin's box is named for its kind. Another name of the kind would be lost.
  const shown = title ?? (own === kind ? undefined : humanise(kind))
  const open =
    mark === '???' ? openingLine('details', shown ?? humanise(kind)) : openingLine(own ?? 'note', shown)
  return { indent, parts: [{ open, lines: inner, at: start + 1 }], close: ':::', end }
}

function tabs(lines: readonly string[], start: number): Block | null {
  const indent = TAB.exec(lines[start] ?? '')?.[1]
  if (indent === undefined) return null
  const parts: Part[] = []
  let end = start - 1
  for (let index = start; index < lines.length; ) {
    const [, own, title = ''] = TAB.exec(lines[index] ?? '') ?? []
    if (own !== indent) break
    const content = indented(lines, index, indent)
    parts.push({ open: tabLine(title), lines: content.inner, at: index + 1 })
    end = content.end
    index = end + 1
    while (index < lines.length && lines[index]?.trim() === '') index++
  }
  return { indent, parts: [{ open: ':::tabs', lines: [], at: start }, ...parts], close: ':::', end }
}

/** `/// note | Title` up to `///`. */
function block(lines: readonly string[], start: number): Block | null {
  const [, indent, marks = '', name = '', title] = BLOCK.exec((lines[start] ?? '').trimEnd()) ?? []
  if (indent === undefined) return null
  const end = indexOfLine(lines, marks, start + 1)
  if (end === -1) return null
  const inner = lines
    .slice(start + 1, end)
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
  const options = inner.findIndex((line) => !/^ {4}[\w-]+:/.test(line))
  const text = inner.slice(Math.max(0, options))
  const at = start + 1 + Math.max(0, options)
  if (name === 'tab')
    return {
      indent,
      parts: [
        { open: ':::tabs', lines: [], at: start },
        { open: tabLine(title ?? ''), lines: text, at },
      ],
      close: ':::',
      end,
    }
  const kind = name === 'details' ? 'details' : boxKind(name)
  if (kind !== null)
    return { indent, parts: [{ open: openingLine(kind, title), lines: text, at }], close: ':::', end }
  const message = `The block \`/// ${name}\` is left out. The text inside of it stays.`
  return { indent, parts: [{ open: '', lines: text, at }], close: '', end, message }
}

/** Blocks with more lines stay text: each line that opens one would look for its end. */
const MAX_BLOCK_LINES = 2_000

function indexOfLine(lines: readonly string[], wanted: string, from: number): number {
  const last = Math.min(lines.length, from + MAX_BLOCK_LINES)
  for (let index = from; index < last; index++) if (lines[index]?.trim() === wanted) return index
  return -1
}

/** The lines after a heading that are indented by a level, without it. Empty lines at the end stay outside. */
function indented(
  lines: readonly string[],
  start: number,
  indent: string,
): { inner: readonly string[]; end: number } {
  const width = indent.replaceAll('\t', '    ').length + INDENT
  let end = start
  for (let index = start + 1; index < lines.length; index++) {
    const line = (lines[index] ?? '').replace(/^\t+/, (tabs) => '    '.repeat(tabs.length))
    if (line.trim() !== '' && line.length - line.trimStart().length < width) break
    if (line.trim() !== '') end = index
  }
  const inner = lines
    .slice(start + 1, end + 1)
    .map((line) => line.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length)).slice(width))
  return { inner, end }
}
