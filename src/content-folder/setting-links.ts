import { isJsonObject, type JsonValue } from '../domain/json.ts'
import type { SettingContent } from '../fields/locale-fields.ts'
import { mapCssUrls } from '../page-text/css-links.ts'
import { mapLinks } from '../page-text/map-links.ts'
import { type Addresses, assetsIn, linkResolved } from './file-links.ts'

/**
 * Resolves the addresses of files in the value of a setting to paths on the site. A value of a wrong shape, which is
 * validated later, stays as it is.
 *
 * @param source the file that relative paths start from.
 */
export function withSettingLinks(
  value: JsonValue,
  holds: SettingContent,
  source: string,
  addresses: Addresses,
): JsonValue {
  const resolved = (target: string) => linkResolved(target, source, addresses)
  switch (holds) {
    case 'plain':
      return value
    case 'html':
      return typeof value === 'string' ? mapLinks(value, resolved) : value
    case 'css':
      return typeof value === 'string' ? mapCssUrls(value, resolved) : value
    case 'link':
      return mapLinkFields(value, (target) => assetsIn(target, source, addresses))
    case 'file':
    case 'media':
      return assetsIn(value, source, addresses)
  }
}

/** Fields of a link that are addresses. Its label is a text, also where a file has that name. */
const ADDRESS_FIELDS: readonly string[] = ['href', 'icon']

function mapLinkFields(value: JsonValue, change: (target: JsonValue) => JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((inner) => mapLinkFields(inner, change))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    ADDRESS_FIELDS.includes(name) ? change(inner) : mapLinkFields(inner, change),
  ])
  return Object.fromEntries(entries) as JsonValue
}
