import type { Control } from '../frame/controls.ts'
import type { Words } from '../words/en.ts'

/** A group of fields next to the text of a page. */
export interface DetailGroup {
  readonly label: string
  readonly controls: readonly Control[]
  readonly isOpen: boolean
  /** True if a field of it was refused, or changed by another person too. */
  readonly isInvolved: boolean
}

/** Names of the fields of each group. Fields that are in none are in the first one. */
const GROUPS = {
  search: (name: string) => name.startsWith('meta.'),
  languages: (name: string) => name === 'locale' || name === 'translation_key',
  former: (name: string) => name === 'redirect_from' || name === 'feed_guid',
  config: (name: string) => name === 'config',
} as const

/** Fields that are written in the page itself. */
const WRITTEN = ['title', 'markdown_content']

/** The groups of fields in the order of the drawer. Groups without fields are left out. */
export function detailGroups(
  controls: readonly Control[],
  contested: ReadonlyMap<string, unknown>,
  { writing, page }: Words,
): readonly DetailGroup[] {
  const others = controls.filter(({ name }) => !WRITTEN.includes(name))
  const isGrouped = ({ name }: Control) => Object.values(GROUPS).some((isOf) => isOf(name))
  const groupOf = (label: string, isOf: (control: Control) => boolean, isFirst = false): DetailGroup => {
    const own = others.filter(isOf)
    const isInvolved = own.some(({ name, fault }) => fault !== null || contested.has(name))
    return { label, controls: own, isOpen: isFirst || isInvolved, isInvolved }
  }
  const groups = [
    groupOf(writing.groups.page, (control) => !isGrouped(control), true),
    groupOf(page.more, ({ name }) => GROUPS.search(name)),
    groupOf(writing.groups.languages, ({ name }) => GROUPS.languages(name)),
    groupOf(writing.groups.former, ({ name }) => GROUPS.former(name)),
    groupOf(page.config, ({ name }) => GROUPS.config(name)),
  ]
  return groups.filter(({ controls: own }) => own.length > 0)
}
