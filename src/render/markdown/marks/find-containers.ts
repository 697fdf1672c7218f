import { type ContainerName, type Mark, placeholder } from './mark.ts'
import type { SourceLine } from './source-lines.ts'

/** Deeper ones stay text. */
const MAX_DEPTH = 8

/** The names of GitHub's alerts, and what Docusaurus, VitePress and Starlight call theirs. */
const NAMES: Readonly<Record<string, ContainerName>> = {
  note: 'note',
  info: 'note',
  tip: 'tip',
  important: 'important',
  warning: 'warning',
  caution: 'caution',
  danger: 'caution',
  details: 'details',
  steps: 'steps',
  tabs: 'tabs',
  'code-group': 'code-group',
}

const OPENING = /^([ \t>]*)((:{3,})[ \t]*([a-z][a-z-]*))(?:[ \t]+(\S.*)|[ \t]*(\[.*))?$/i
const CLOSING = /^([ \t>]*)(:{3,})[ \t]*$/
const TAB = /^([ \t>]*)(::tab)[ \t]*(\[.+\])[ \t]*$/i

interface OpenContainer {
  readonly line: number
  readonly colons: number
  /** How many quotes it stands in. */
  readonly quotes: number
  readonly container: ContainerName
  /** The line as it will be, around its mark. */
  readonly before: string
  readonly source: string
  readonly after: string
  readonly tabs: { readonly line: number; readonly match: RegExpExecArray }[]
}

/**
 * The lines that open, close and divide containers, each with its mark in place; a container that is not
 * closed has none, and stays text.
 *
 * @param marks is added to.
 */
export function findContainers(lines: readonly SourceLine[], marks: Mark[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  const open: OpenContainer[] = []

  lines.forEach(({ text, isCode }, line) => {
    if (isCode || !text.includes('::')) return
    const opening = openingOf(text, line)
    if (opening !== null) {
      open.push(opening)
      return
    }
    const tab = TAB.exec(text)
    const group = open.at(-1)
    if (tab !== null && group?.container === 'tabs' && group.quotes === quotesIn(text)) {
      group.tabs.push({ line, match: tab })
      return
    }
    const closing = CLOSING.exec(text)
    const index = closing === null ? -1 : closedBy(closing, open)
    const closed = open[index]
    if (closing === null || closed === undefined) return
    open.length = index
    if (index < MAX_DEPTH) note(closed, { line, match: closing })
  })
  return found

  function note(container: OpenContainer, closing: { line: number; match: RegExpExecArray }): void {
    const [, before = '', source = ''] = closing.match
    marks.push({ type: 'closing', source })
    found.set(closing.line, before + placeholder(marks.length - 1))
    const mark = { type: 'opening', container: container.container, closedBy: marks.length - 1 } as const
    marks.push({ ...mark, source: container.source })
    found.set(container.line, `${container.before}${placeholder(marks.length - 1)}${container.after}`)
    for (const { line, match } of container.tabs) {
      const [, indent = '', name = '', label = ''] = match
      marks.push({ type: 'tab', source: name })
      found.set(line, `${indent}${placeholder(marks.length - 1)}${label}`)
    }
  }
}

function openingOf(text: string, line: number): OpenContainer | null {
  const [, before = '', source = '', colons = '', name = '', title, bracketed] = OPENING.exec(text) ?? []
  const container = Object.hasOwn(NAMES, name.toLowerCase()) ? NAMES[name.toLowerCase()] : undefined
  if (container === undefined) return null
  const after = bracketed ?? (title === undefined ? '' : ` ${title}`)
  return { line, colons: colons.length, quotes: quotesIn(text), container, before, source, after, tabs: [] }
}

/** Index of the innermost container with as many colons, else of the innermost with fewer; -1 for none. */
function closedBy([text, , colons = '']: RegExpExecArray, open: readonly OpenContainer[]): number {
  const fits = ({ quotes }: OpenContainer): boolean => quotes === quotesIn(text)
  const exact = open.findLastIndex((entry) => fits(entry) && entry.colons === colons.length)
  return exact >= 0 ? exact : open.findLastIndex((entry) => fits(entry) && entry.colons < colons.length)
}

function quotesIn(line: string): number {
  return (/^[ \t>]*/.exec(line)?.[0] ?? '').replace(/[^>]/g, '').length
}
