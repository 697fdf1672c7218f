import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { fieldText } from '../page/field-text.ts'

/** A longer list is more likely data of a program than something that the page shows. */
const MAX_ENTRIES = 500

/**
 * The links that attributes of an unknown component name, as Markdown: its own, or a list of those in an array such as
 * `cards={[{ title, href }]}`. Null when there are none with a text.
 */
export function linksOfComponent(attributes: Readonly<Record<string, JsonValue>>): string | null {
  const own = linkOf(attributes)
  if (own !== null) return own
  const entries = Object.values(attributes)
    .flatMap((value) => (Array.isArray(value) ? value.filter(isJsonObject) : []))
    .slice(0, MAX_ENTRIES)
    .flatMap((entry) => linkOf(entry) ?? [])
  return entries.length === 0 ? null : `\n\n${entries.map((entry) => `- ${entry}`).join('\n')}\n\n`
}

function linkOf(fields: JsonObject): string | null {
  const href = fieldText(fields['href'] ?? fields['to'] ?? fields['link'] ?? fields['url'])
  const text = fieldText(fields['title'] ?? fields['label'] ?? fields['text'] ?? fields['name'])
  if (href === undefined || text === undefined || !/^([./#]|https?:|mailto:)/.test(href)) return null
  const description = fieldText(fields['description'])
  return `[${text.replace(/[[\]]/g, '\\$&')}](${linkTarget(href)})${description === undefined ? '' : `: ${description}`}`
}

/** An address as Markdown can have it in a link. */
export function linkTarget(href: string): string {
  return /[\s()]/.test(href) ? `<${href}>` : href
}
