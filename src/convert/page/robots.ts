import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { listOf, textOf } from '../config/config-values.ts'

/** Fields by which themes and plugins keep a page out of search engines. */
const SWITCHES = ['noindex', 'noIndex', 'no_index', 'robotsNoIndex', 'robotsnoindex']

/** The directives for search engines in the front matter of a page. Undefined when there are none. */
export function robotsOf(fields: JsonObject): string | undefined {
  const { robots, sitemap, head } = fields
  const stated = textOf(robots) ?? inHead(head)
  const isHidden = SWITCHES.some((name) => fields[name] === true) || sitemap === false || isDisabled(sitemap)
  return stated ?? (isHidden ? 'noindex' : undefined)
}

/** `sitemap.disable` of Hugo, and `sitemap.exclude` of plugins. */
function isDisabled(sitemap: JsonObject[string] | undefined): boolean {
  return isJsonObject(sitemap) && (sitemap['disable'] === true || sitemap['exclude'] === true)
}

/** `meta` elements of VitePress, `[meta, { name, content }]`, and of Starlight, `{ tag, attrs }`. */
function inHead(head: JsonObject[string] | undefined): string | undefined {
  const elements = Array.isArray(head) ? head : []
  const attributes = [
    ...listOf(elements).map(({ attrs }) => attrs),
    ...elements.flatMap((element) => (Array.isArray(element) ? [element[1]] : [])),
  ]
  const meta = attributes.find((given) => isJsonObject(given) && given['name'] === 'robots')
  return isJsonObject(meta) ? textOf(meta['content']) : undefined
}

/** Reports whether `robotsOf` reads the field. */
export function isRobotsField(field: string): boolean {
  return field === 'robots' || SWITCHES.includes(field)
}
