import { BUILT_IN_DIRECTIVES } from '../../../domain/component.ts'
import { didYouMean } from '../../../domain/nearest-name.ts'
import { readComponentLine } from '../../../page-text/component-directive.ts'
import { MAX_DIAGNOSTICS, type MarkdownDiagnostic } from '../markdown-diagnostic.ts'
import { partsOf, readDivider, type WrittenDivider } from './group-dividers.ts'
import { type ContainerName, type Placeholder, placeholderText } from './placeholder.ts'
import type { SourceLine } from './source-lines.ts'

/** Maximum nesting. Deeper containers stay text. */
const MAX_DEPTH = 8

/** The names of GitHub's alerts, and those of Docusaurus, VitePress and Starlight. */
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
  cards: 'cards',
  columns: 'columns',
  fields: 'fields',
  'file-tree': 'file-tree',
  'code-group': 'code-group',
}

/** The colons and the name of a line that looks like an opening line. */
const ATTEMPTED_OPENING = /^[ \t>]*(:{3,}[ \t]*([^\s:[{]*)\S*)/
/** A container may begin an entry of a list. */
const OPENING =
  /^([ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)?)((:{3,})[ \t]*([a-z][a-z-]*))(?:[ \t]+(\S.*)|[ \t]*(\[.*))?$/i
const CLOSING = /^([ \t>]*)(:{3,})[ \t]*$/

interface OpenContainer {
  readonly line: number
  readonly colons: number
  /** Number of blockquotes around it. */
  readonly quotes: number
  readonly container: ContainerName | 'component'
  /** The line of a component as JSON. */
  readonly component?: string
  /** The line up to the placeholder. */
  readonly before: string
  readonly source: string
  readonly after: string
  readonly dividers: { readonly line: number; readonly divider: WrittenDivider }[]
}

/** The names of the components of a theme. */
export type ComponentNames = Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>

export interface FoundContainers {
  /** The new text of each line that opens, closes or divides a container, by line index. */
  readonly lines: ReadonlyMap<number, string>
  /** Containers that stay text. */
  readonly diagnostics: readonly MarkdownDiagnostic[]
}

/**
 * Finds the containers of a source. Unclosed and unknown ones stay text and are reported.
 *
 * @param placeholders new placeholders are appended.
 * @param components null for none.
 */
export function findContainers(
  lines: readonly SourceLine[],
  placeholders: Placeholder[],
  components: ComponentNames | null = null,
): FoundContainers {
  const found = new Map<number, string>()
  const diagnostics: MarkdownDiagnostic[] = []
  const open: OpenContainer[] = []

  lines.forEach(({ text, isCode }, line) => {
    if (isCode || !text.includes('::')) return
    const opening = openingOf(text, line, components)
    if (opening !== null) {
      open.push(opening)
      return
    }
    const divider = readDivider(text)
    if (divider !== null) {
      const group = open.at(-1)
      const isInGroup =
        group !== undefined && partsOf(group.container) === divider.part && group.quotes === quotesIn(text)
      if (isInGroup) group.dividers.push({ line, divider })
      if (isInGroup || components?.has(divider.part) !== true) return
    }
    if (addLeaf(text, line)) return
    const closing = CLOSING.exec(text)
    const index = closing === null ? -1 : closedBy(closing, open)
    const closed = open[index]
    if (closing === null) {
      const fault = unknownOpening(text, components)
      if (fault !== null) reportUnopened(...fault)
      return
    }
    if (closed === undefined) return
    for (const { source } of open.splice(index).slice(1)) reportUnopened(source, NOT_CLOSED)
    if (index < MAX_DEPTH) addPlaceholders(closed, { line, match: closing })
    else reportUnopened(closed.source, `containers nest up to ${MAX_DEPTH} levels deep.`)
  })
  for (const { source } of open) reportUnopened(source, NOT_CLOSED)
  return { lines: found, diagnostics }

  function reportUnopened(written: string, reason: string): void {
    const message = `The container ${JSON.stringify(written.slice(0, 100))} stays text: ${reason}`
    if (diagnostics.length < MAX_DIAGNOSTICS)
      diagnostics.push({ code: 'QN-BAD-CONTAINER', excerpt: written, message })
  }

  /** Adds a component without a body. @returns whether the line is one, or looks like one that does not exist. */
  function addLeaf(text: string, line: number): boolean {
    const read = components === null ? null : readComponentLine(text)
    if (components === null || read === null || read.colons !== 2) return false
    const { component, before, label } = read
    if (components.has(component.name)) {
      placeholders.push({ type: 'component', source: component.source, component: JSON.stringify(component) })
      found.set(line, before + placeholderText(placeholders.length - 1) + label)
      return true
    }
    if (FOLDER_ONLY.has(component.name) && read.hasBraces) {
      reportDirective(component.source, 'stays text: it works in the Markdown of a content folder only.')
      return true
    }
    const isUnknown = (read.hasBraces || label !== '') && !BUILT_IN_DIRECTIVES.has(component.name)
    if (isUnknown) reportUnknown(component.source, unknownName(component.name, components.keys()))
    return isUnknown
  }

  function reportUnknown(source: string, reason: string): void {
    const message = `The component ${JSON.stringify(source.slice(0, 100))} stays text: ${reason}`
    if (diagnostics.length < MAX_DIAGNOSTICS)
      diagnostics.push({ code: 'QN-UNKNOWN-COMPONENT', excerpt: source, message })
  }

  function reportDirective(source: string, fault: string): void {
    const message = `The directive ${JSON.stringify(source.slice(0, 100))} ${fault}`
    if (diagnostics.length < MAX_DIAGNOSTICS)
      diagnostics.push({ code: 'QN-BAD-DIRECTIVE', excerpt: source, message })
  }

  function addPlaceholders(
    container: OpenContainer,
    closing: { line: number; match: RegExpExecArray },
  ): void {
    const [, before = '', source = ''] = closing.match
    placeholders.push({ type: 'closing', source })
    found.set(closing.line, before + placeholderText(placeholders.length - 1))
    const mark = {
      type: 'opening',
      container: container.container,
      ...(container.component !== undefined && { component: container.component }),
      closedBy: placeholders.length - 1,
    } as const
    placeholders.push({ ...mark, source: container.source })
    found.set(
      container.line,
      `${container.before}${placeholderText(placeholders.length - 1)}${container.after}`,
    )
    for (const { line, divider } of container.dividers) {
      placeholders.push(divider.placeholder)
      found.set(line, `${divider.before}${placeholderText(placeholders.length - 1)}${divider.label}`)
      for (const fault of divider.faults) reportDirective(divider.placeholder.source + divider.label, fault)
    }
  }
}

function openingOf(text: string, line: number, components: ComponentNames | null): OpenContainer | null {
  const [, before = '', source = '', colons = '', name = '', title, bracketed] = OPENING.exec(text) ?? []
  const container = Object.hasOwn(NAMES, name.toLowerCase()) ? NAMES[name.toLowerCase()] : undefined
  if (container === undefined) return componentOpening(text, line, components)
  const after = bracketed ?? (title === undefined ? '' : ` ${title}`)
  return {
    line,
    colons: colons.length,
    quotes: quotesIn(text),
    container,
    before,
    source,
    after,
    dividers: [],
  }
}

function componentOpening(
  text: string,
  line: number,
  components: ComponentNames | null,
): OpenContainer | null {
  const read = components === null ? null : readComponentLine(text)
  if (read === null || read.colons === 2 || components?.has(read.component.name) !== true) return null
  const { before, label, colons, component } = read
  return {
    line,
    colons,
    quotes: quotesIn(text),
    container: 'component',
    component: JSON.stringify(component),
    before,
    source: component.source,
    after: label,
    dividers: [],
  }
}

/** Explains why a line that looks like an opening line is none; null for other lines. */
function unknownOpening(
  text: string,
  components: ComponentNames | null,
): readonly [written: string, reason: string] | null {
  const [, written = '', name = ''] = ATTEMPTED_OPENING.exec(text) ?? []
  if (written === '') return null
  if (components?.has(name) === true)
    return [written, `write it as :::${name}[Label]{attribute="value"}, on one line.`]
  const names = Object.keys(NAMES)
  if (names.includes(name.toLowerCase()))
    return [written, `a space must precede its title, ":::${name} Title".`]
  return [written, unknownName(name, [...names, ...(components?.keys() ?? [])], 'container')]
}

function unknownName(name: string, names: Iterable<string>, kind = 'component'): string {
  return `no ${kind} has this name.${didYouMean(name, names)}`
}

/** Lines that are resolved when a content folder is read. */
const FOLDER_ONLY: ReadonlySet<string> = new Set(['include', 'code', 'openapi'])

const NOT_CLOSED = 'no line with as many colons closes it.'

/** Index of the innermost container with as many colons, else of the innermost with fewer; -1 for none. */
function closedBy([text, , colons = '']: RegExpExecArray, open: readonly OpenContainer[]): number {
  const fits = ({ quotes }: OpenContainer): boolean => quotes === quotesIn(text)
  const exact = open.findLastIndex((entry) => fits(entry) && entry.colons === colons.length)
  return exact >= 0 ? exact : open.findLastIndex((entry) => fits(entry) && entry.colons < colons.length)
}

function quotesIn(line: string): number {
  return (/^[ \t>]*/.exec(line)?.[0] ?? '').replace(/[^>]/g, '').length
}
