import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonValue } from '../../domain/json.ts'
import type { NavEntry, NavLink } from '../../domain/settings.ts'

/*
 * The legacy surface has no menus, buttons and icons. It shows a menu as its links. A client that sends these links
 * back must not lose the menu.
 */

/** The links of a header as the legacy surface shows them. */
export function plainNavLinks(entries: readonly NavEntry[]): readonly NavLink[] {
  return entries.flatMap((entry) =>
    ('links' in entry ? entry.links : [entry]).map(({ label, href, external }) => ({
      label,
      href,
      ...(external !== undefined && { external }),
    })),
  )
}

/** The links of a footer as the legacy surface shows them. */
export function plainFooterLinks(links: readonly JsonValue[]): readonly JsonValue[] {
  return links.map((entry) => {
    if (!isJsonObject(entry)) return entry
    const { icon: _, links: inner, ...rest } = entry
    return Array.isArray(inner) ? { ...rest, links: plainFooterLinks(inner) } : rest
  })
}

/** Returns the stored links where a client sends back the result of `show` for them, else the given ones. */
export function unlessShown<Link>(
  given: readonly Link[] | undefined,
  stored: readonly Link[],
  show: (links: readonly Link[]) => readonly unknown[],
): readonly Link[] | undefined {
  return given !== undefined && isDeepStrictEqual(given, show(stored)) ? stored : given
}
