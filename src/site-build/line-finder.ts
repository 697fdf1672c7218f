import { fieldPath } from '../content-folder/field-diagnostics.ts'
import { readParts } from '../content-folder/page-parts.ts'
import { isParseIssue, type Path, type YamlSource } from '../content-folder/yaml-source.ts'
import { literalPattern } from '../domain/literal-pattern.ts'
import { sourceLines } from '../render/markdown/placeholders/source-lines.ts'

/**
 * Finds the line of a field, or of a text in it, in the file of a page. Null if it cannot be found.
 *
 * @param at a field of the page, e.g. `config.sections[2].props.image` or `markdown_content`.
 * @param written a text in the field. Repeated calls with the same text find its next occurrences.
 */
export type LineFinder = (at: string, written: string | undefined) => number | null

export function lineFinder(file: string, content: string): LineFinder {
  const text = content.replace(/\r\n?/g, '\n')
  const { fields, markdown } = readParts(file, text)
  const body = text.length - markdown.length
  const searchable = `${text.slice(0, body)}${withoutCode(markdown)}`
  const found = new Map<string, number>()

  return (at, written) => {
    const start = at === 'markdown_content' ? body : offsetOfLine(text, fieldLine(fields, at))
    if (start === null) return null
    if (written === undefined || written === '') return lineAt(text, start)
    const key = `${at} ${written}`
    const from = found.get(key) ?? start
    const place = written.startsWith('```')
      ? fenceOf(written, text, from)
      : placeOf(written, searchable, from)
    if (place === null) return at === 'markdown_content' ? (lastLine(key) ?? null) : lineAt(text, start)
    found.set(key, place + 1)
    return lineAt(text, place)
  }

  /** The line of the last occurrence, for a text that is reported more often than it occurs. */
  function lastLine(key: string): number | null {
    const after = found.get(key)
    return after === undefined ? null : lineAt(text, after - 1)
  }
}

/** The line of a field of the page, or of the nearest field around it; null if the YAML cannot be parsed. */
function fieldLine(fields: ReturnType<typeof readParts>['fields'], at: string): number | null {
  if (isParseIssue(fields)) return null
  const [first, ...others] = fieldPath(at)
  const steps = first === 'config' ? others : [first ?? '', ...others]
  const paths = [['config', ...steps], ['fields', ...steps], steps]
  const path = paths.find((steps) => isWritten(fields, steps)) ?? steps
  return fields.placeOf(path).line
}

/** Reports whether the file has the first field of a path; for a path in `config` or `fields`, the second. */
function isWritten({ value }: YamlSource, [first, second]: Path): boolean {
  const outer = own(value, first)
  return outer !== undefined && (second === undefined || !isHome(first) || own(outer, second) !== undefined)
}

function isHome(name: PropertyKey | undefined): boolean {
  return name === 'config' || name === 'fields'
}

function own(value: unknown, name: PropertyKey | undefined): unknown {
  if (typeof value !== 'object' || value === null || name === undefined) return undefined
  return Object.hasOwn(value, name) ? (value as Record<PropertyKey, unknown>)[name] : undefined
}

/**
 * The offset of a text: as a whole word if possible, otherwise inside a longer one. Also finds URLs without their
 * escapes, and tags in capitals.
 */
function placeOf(written: string, text: string, from: number): number | null {
  for (const form of [written, decoded(written)]) {
    const words = form.trim().split(/\s+/)
    const pattern = words.map(literalPattern).join('\\s+')
    // A tag may follow a letter, as in `List<T>`.
    const start = /^[\w/]/.test(form.trim()) ? '(?<![\\w/])' : ''
    const whole = `${start}${pattern}(?![\\w/#?=&%-])`
    const place =
      search(text, whole, from, 'g') ??
      search(text, whole, from, 'gi') ??
      search(text, pattern, from, 'g') ??
      search(text, pattern, from, 'gi')
    if (place !== null) return place
  }
  return null
}

/**
 * The offset of an opening fence with a language, e.g. of "```js". It may have more marks, or tildes. Further lines are
 * the start of the code, which may be in a quotation.
 */
function fenceOf(written: string, text: string, from: number): number | null {
  const [opening = '', ...code] = written.split('\n')
  const language = literalPattern(opening.slice('```'.length))
  const fence = `(?:\`{3,}|~{3,})[ \\t]*\\{?\\.?${language}(?![\\w+#.-])`
  const words = code
    .join('\n')
    .split(/\s+/)
    .filter((word) => word !== '')
  const start = words.map((word) => `[\\s>]+${literalPattern(word)}`).join('')
  return search(text, start === '' ? fence : `${fence}[^\\n]*${start}`, from, 'g')
}

function search(text: string, pattern: string, from: number, flags: 'g' | 'gi'): number | null {
  const expression = new RegExp(pattern, flags)
  expression.lastIndex = from
  return expression.exec(text)?.index ?? null
}

/** Replaces code with spaces, so that links in code are not found. Offsets stay the same. */
function withoutCode(markdown: string): string {
  const lines = sourceLines(markdown).map(({ text, isCode }) => (isCode ? ' '.repeat(text.length) : text))
  return lines.join('\n').replace(/(?<!`)(`+)(?!`)[^`\n]*(?<!`)\1(?!`)/g, (span) => ' '.repeat(span.length))
}

function decoded(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    // Not a valid escape sequence.
    return url
  }
}

function offsetOfLine(text: string, line: number | null): number | null {
  if (line === null) return null
  let offset = 0
  for (let at = 1; at < line; at += 1) offset = text.indexOf('\n', offset) + 1
  return offset
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
