/** A property of a page of a database. */
export interface Property {
  readonly name: string
  /** As the export writes it. Lines of a longer text stay apart. */
  readonly value: string
}

/** The parts of a page of an export. */
export interface PageParts {
  /** The text of the first heading. Null without one. */
  readonly title: string | null
  readonly properties: readonly Property[]
  /** The text after title and properties. */
  readonly text: string
  /** The first line of the text in the file, from 1. */
  readonly textLine: number
}

/** Properties that tell a page of a database where the table of the database is missing. */
const USUAL =
  /^(?:status|tags?|date|created(?: time| by| at)?|last edited (?:time|by)|owner|author|category|type|url|priority|assignee|person)$/i
const LINE = /^([^:]{1,60}): (?=\S)(.*)$/

/** @param columns of the database of the page. Null when it has none. */
export function readPageParts(written: string, columns: readonly string[] | null): PageParts {
  const lines = written
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
  const first = nextText(lines, 0)
  const isTitled = /^#(?:[ \t]|$)/.test(lines[first] ?? '')
  const start = isTitled ? nextText(lines, first + 1) : lines.length
  const block = lines.slice(start, nextBlank(lines, start))
  const properties = columns === null ? usualProperties(block) : namedProperties(block, columns)
  const textStart = isTitled ? (properties.length > 0 ? start + block.length : first + 1) : 0
  return {
    title: isTitled ? (lines[first] ?? '').slice(1).trim() : null,
    properties,
    text: lines.slice(textStart).join('\n'),
    textLine: textStart + 1,
  }
}

function namedProperties(block: readonly string[], columns: readonly string[]): readonly Property[] {
  const names = new Set(columns)
  const properties: { name: string; value: string }[] = []
  for (const line of block) {
    const name = nameIn(line, names)
    const last = properties.at(-1)
    if (name !== null) properties.push({ name, value: line.slice(name.length + 1).trim() })
    else if (last === undefined) return []
    else last.value += `\n${line}`
  }
  return properties
}

/** The name of the property of a line. Names may have colons. */
function nameIn(line: string, names: ReadonlySet<string>): string | null {
  for (let at = line.indexOf(':'); at !== -1 && at <= MAX_NAME; at = line.indexOf(':', at + 1))
    if (names.has(line.slice(0, at))) return line.slice(0, at)
  return null
}

const MAX_NAME = 200

function usualProperties(block: readonly string[]): readonly Property[] {
  const properties = block.flatMap((line): readonly Property[] => {
    const [, name, value = ''] = LINE.exec(line) ?? []
    return name === undefined ? [] : [{ name, value: value.trim() }]
  })
  const isBlock = properties.length === block.length && properties.some(({ name }) => USUAL.test(name))
  return isBlock ? properties : []
}

function nextText(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && lines[at]?.trim() === '') at++
  return at
}

function nextBlank(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && lines[at]?.trim() !== '') at++
  return at
}
