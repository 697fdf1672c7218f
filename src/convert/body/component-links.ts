import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { fieldText } from '../page/field-text.ts'

/** A longer list is more likely data of a program than something that the page shows. */
const MAX_ENTRIES = 500
const MAX_DEPTH = 5

/** The replacement of an unknown component without text inside of it. */
export interface ComponentTexts {
  /** A link, or a list on lines of its own. */
  readonly markdown: string
  /** Says what it is, as a sentence. */
  readonly message: string
}

/**
 * The texts and links that attributes of an unknown component name: its own link, or a list of what is in an array such
 * as `cards={[{ title, href }]}`, with lists in it. Null when there are none.
 */
export function textsOfComponent(attributes: Readonly<Record<string, JsonValue>>): ComponentTexts | null {
  const own = linkOf(attributes)
  if (own !== null) return { markdown: own, message: 'Its links stay.' }
  const lines = Object.values(attributes)
    .flatMap((value) => linesOf(value, 0))
    .slice(0, MAX_ENTRIES)
  if (lines.length === 0) return null
  const hasLink = lines.some((line) => line.includes(']('))
  return {
    markdown: `\n\n${lines.join('\n')}\n\n`,
    message: hasLink ? 'Its links stay.' : 'Its texts stay, as a list.',
  }
}

/** The entries of an array, each on a line, with the entries in them. */
function linesOf(value: JsonValue, depth: number): readonly string[] {
  if (!Array.isArray(value) || depth > MAX_DEPTH) return []
  return value
    .filter(isJsonObject)
    .slice(0, MAX_ENTRIES)
    .flatMap((entry) => {
      const shown = linkOf(entry) ?? textOf(entry)
      if (shown === null) return []
      const inner = Object.values(entry).flatMap((each) => linesOf(each, depth + 1))
      return [`${'  '.repeat(depth)}- ${shown}`, ...inner]
    })
}

function textOf(fields: JsonObject): string | null {
  const text = fieldText(fields['title'] ?? fields['label'] ?? fields['text'])
  const description = fieldText(fields['description'])
  if (text === undefined) return null
  return `${inLine(text)}${description === undefined ? '' : `: ${inLine(description)}`}`
}

function linkOf(fields: JsonObject): string | null {
  const href = fieldText(fields['href'] ?? fields['to'] ?? fields['link'] ?? fields['url'])
  const text = fieldText(fields['title'] ?? fields['label'] ?? fields['text'] ?? fields['name'])
  if (href === undefined || text === undefined || !/^([./#]|https?:|mailto:)/.test(href)) return null
  const description = fieldText(fields['description'])
  return `[${inLine(text)}](${linkTarget(href)})${description === undefined ? '' : `: ${inLine(description)}`}`
}

function inLine(text: string): string {
  return text.replace(/[[\]]/g, '\\$&').replace(/\s*\n\s*/g, ' ')
}

/** An address as Markdown can have it in a link. */
export function linkTarget(href: string): string {
  return /[\s()]/.test(href) ? `<${href}>` : href
}
