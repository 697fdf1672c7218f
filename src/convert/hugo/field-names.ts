import { isJsonObject, type JsonObject } from '../../domain/json.ts'

/** Names of fields that are written in capitals where they are read. */
const NAMES = ['publishDate', 'expiryDate', 'linkTitle']
/** Other names of Hugo for a field. Source: https://gohugo.io/content-management/front-matter/. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  pubdate: 'publishDate',
  unpublishdate: 'expiryDate',
  modified: 'lastmod',
}
const BY_LOWER_CASE: ReadonlyMap<string, string> = new Map([
  ...NAMES.map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(OTHER_NAMES),
])

/** The fields of a page as they are read here: Hugo reads names without regard to case, also those within others. */
export function hugoFields(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const lower = name.toLowerCase()
      const known = BY_LOWER_CASE.get(lower) ?? lower
      // Entries of menus are parts of the site.
      if (/^menus?$/.test(known)) return []
      return [[known, NESTED.has(known) && isJsonObject(value) ? hugoFields(value) : value] as const]
    }),
  )
}

const NESTED: ReadonlySet<string> = new Set(['build', '_build', 'params', 'author'])
