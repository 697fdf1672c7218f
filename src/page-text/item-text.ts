import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'

/** Keys of a config that control the page or are shown elsewhere on it. */
const CONTROL_KEYS: ReadonlySet<string> = new Set([
  'lang',
  'dir',
  'theme',
  'layout',
  'sections',
  'image',
  'badge',
  'edit_url',
  'publish_date',
  'author',
  'nav_order',
  'parent_page',
  'redirect_from',
])

/** Matches a text that is a URL. */
export const ADDRESS = /^(https?:\/\/|mailto:|tel:|\/)\S*$/i
/** Matches a URL that is shown as an image. */
export const IMAGE_FILE = /\.(png|jpe?g|gif|webp|avif|svg)([?#]\S*)?$/i

/** The custom fields of an item, as written. */
export function customFields(config: JsonObject): readonly (readonly [key: string, value: JsonValue])[] {
  return Object.entries(config).filter(([key]) => !CONTROL_KEYS.has(key))
}

/** The values of the custom fields of an item, one per line, without names and URLs. */
export function itemText(config: JsonObject): string {
  return customFields(config)
    .flatMap(([, value]) => textsOf(value))
    .join('\n')
}

function textsOf(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return ADDRESS.test(value) ? [] : [value]
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : []
}
