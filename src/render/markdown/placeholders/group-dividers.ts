import { didYouMean } from '../../../domain/nearest-name.ts'
import { readAttributes } from '../../../page-text/player-directive.ts'
import type { ContainerName, DividerPlaceholder } from './placeholder.ts'

/*
 * The lines that divide a container into parts: `::tab[Name]`, `::card[Title]{href="/install" icon="rocket"}`,
 * `::column`, `::field[timeout]{type="number" default="30" required}`.
 */

/** The name of the parts of a group. */
const PARTS = { tabs: 'tab', cards: 'card', columns: 'column', fields: 'field' } as const
export type PartName = (typeof PARTS)[keyof typeof PARTS]

const ATTRIBUTES: Readonly<Record<PartName, { valued: readonly string[]; flags: readonly string[] }>> = {
  tab: { valued: ['icon'], flags: [] },
  card: { valued: ['href', 'icon'], flags: [] },
  column: { valued: [], flags: [] },
  field: { valued: ['type', 'default'], flags: ['required', 'deprecated'] },
}

const LINE =
  /^([ \t>]*)(::(tab|card|column|field))(?:[ \t]*(\[.+\]))?(?:[ \t]*\{((?:[^{}"'\n]|"[^"\n]*"|'[^'\n]*')*)\})?$/i

/** The name of the parts that a container has; null for one that is not a group. */
export function partsOf(container: ContainerName | 'component'): PartName | null {
  return Object.hasOwn(PARTS, container) ? PARTS[container as keyof typeof PARTS] : null
}

export interface WrittenDivider {
  readonly part: PartName
  /** The line up to the divider. */
  readonly before: string
  /** The text in brackets, with them; empty for none. */
  readonly label: string
  readonly placeholder: DividerPlaceholder
  /** Attributes that have no effect. */
  readonly faults: readonly string[]
}

/** Reads a line that is a whole divider; null for any other. */
export function readDivider(line: string): WrittenDivider | null {
  const [, before = '', source = '', name = '', label = '', written = ''] = LINE.exec(line.trimEnd()) ?? []
  const part = name.toLowerCase() as PartName
  if (source === '' || (label === '' && part !== 'column')) return null
  const { valued, flags } = ATTRIBUTES[part]
  const values = new Map<string, string>()
  const faults: string[] = []
  for (const { name: attribute, value } of readAttributes(written)) {
    if ([...valued, ...flags].includes(attribute)) values.set(attribute, value?.trim() ?? '')
    else
      faults.push(
        `has an attribute without effect, ${attribute}.${didYouMean(attribute, [...valued, ...flags])}`,
      )
  }
  const stated = (attribute: string): string | undefined => values.get(attribute) || undefined
  const given = {
    href: stated('href'),
    icon: stated('icon'),
    valueType: stated('type'),
    defaultValue: stated('default'),
    flags: flags.filter((flag) => values.has(flag)).join(' ') || undefined,
  }
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { part, before, label, placeholder: { type: 'divider', source, ...set }, faults }
}
