import type { JsonObject } from '../../domain/json.ts'
import { navLink } from '../config/config-values.ts'
import type { ItemOutline, WordpressTables } from './tables.ts'

/** Names that themes give the menu of the header. */
const MAIN = /main|primary|header|top|haupt|principal/i

interface Entry {
  readonly label: string
  readonly href: string
  readonly children: readonly Entry[]
}

/** The menu of the header as `nav_links`, and the labels of all menus: an export does not say where each one is. */
export function wordpressMenus(
  { menus, items, categories, tags }: WordpressTables,
  pathOf: (address: string) => string,
): { readonly links: readonly JsonObject[]; readonly labels: readonly string[] } {
  const byId = new Map(items.map((item) => [item.id, item]))
  const all = [...menus].map(([name, entries]) => ({ name, entries: entriesOf(entries) }))
  const main =
    all.find(({ name }) => MAIN.test(name)) ??
    all.toSorted((one, other) => other.entries.length - one.entries.length)[0]
  return {
    links: (main?.entries ?? []).flatMap(linkOf),
    labels: all.flatMap(({ entries }) =>
      entries.flatMap(({ label, children }) => [label, ...children.map((each) => each.label)]),
    ),
  }

  function entriesOf(menu: readonly ItemOutline[]): readonly Entry[] {
    const below = (parent: string, depth: number): readonly Entry[] =>
      menu
        .filter((item) => (item.meta.get('_menu_item_menu_item_parent') ?? '0') === parent)
        .flatMap((item): readonly Entry[] => {
          const { label, href } = targetOf(item)
          const inner = depth > 3 ? [] : below(item.id, depth + 1)
          // A menu has two levels: those below are in the second one.
          const children = inner
            .flatMap((each) => [each, ...each.children])
            .map((each) => ({ ...each, children: [] }))
          return label === '' ? children : [{ label, href, children }]
        })
    return below('0', 0)
  }

  function targetOf({ title, meta }: ItemOutline): { readonly label: string; readonly href: string } {
    const [kind, object, id] = ['_menu_item_type', '_menu_item_object', '_menu_item_object_id'].map(
      (name) => meta.get(name) ?? '',
    )
    if (kind === 'post_type') {
      const target = byId.get(id ?? '')
      return { label: title || target?.title || '', href: pathOf(target?.link ?? '') }
    }
    if (kind === 'taxonomy') {
      const term = [...(object === 'category' ? categories : tags).values()].find(
        ({ name }) => name === title,
      )
      return {
        label: title,
        href: term === undefined ? '' : `/${object === 'category' ? 'category' : 'tag'}/${term.slug}`,
      }
    }
    return { label: title, href: pathOf(meta.get('_menu_item_url') ?? '') }
  }
}

function linkOf({ label, href, children }: Entry): readonly JsonObject[] {
  const own = navLink(label, href)
  const inner = children.flatMap((each) => navLink(each.label, each.href) ?? [])
  if (inner.length === 0) return own === null ? [] : [own]
  return [{ label, links: [...(own === null ? [] : [own]), ...inner].slice(0, 20) }]
}
