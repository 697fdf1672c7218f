import { isJsonObject, type JsonValue } from '../domain/json.ts'
import type { Page } from '../domain/page.ts'
import { type Variables, withValues } from '../domain/variables.ts'
import { bodyOf } from './front-matter.ts'
import { mapFencedCode, mapProse } from './map-prose.ts'

/**
 * The page with the values of the variables of its site, in titles, descriptions, Markdown and the texts of sections. Front
 * matter and code stay as they are written, except fenced code whose first line says `variables`.
 */
export function withVariables(page: Page, variables: Variables): Page {
  if (Object.keys(variables).length === 0) return page
  const { title, description, markdown, meta, config } = page
  const prose = (text: string) => proseWithValues(text, variables)
  const shown = {
    title: withValues(title, variables),
    description: withValues(description, variables),
    markdown: bodyWithValues(markdown, variables),
  }
  const shownMeta = mapTexts(meta as unknown as JsonValue, (text) => withValues(text, variables))
  const sections = config['sections']
  const shownSections = sections === undefined ? undefined : mapTexts(sections, prose)
  const isSame =
    shown.title === title &&
    shown.description === description &&
    shown.markdown === markdown &&
    shownMeta === (meta as unknown as JsonValue) &&
    shownSections === sections
  if (isSame) return page
  return {
    ...page,
    ...shown,
    meta: shownMeta as unknown as Page['meta'],
    config: shownSections === undefined ? config : { ...config, sections: shownSections },
  }
}

/** The Markdown of a page, whose front matter is read as it is written. */
function bodyWithValues(markdown: string, variables: Variables): string {
  if (!markdown.includes('{{')) return markdown
  const body = bodyOf(markdown)
  return markdown.slice(0, markdown.length - body.length) + proseWithValues(body, variables)
}

function proseWithValues(markdown: string, variables: Variables): string {
  if (!markdown.includes('{{')) return markdown
  const prose = mapProse(markdown, (text) => withValues(text, variables))
  return mapFencedCode(prose, (code, info) => {
    const first = code.indexOf('\n') + 1
    return ASKS.test(info) ? code.slice(0, first) + withValues(code.slice(first), variables) : code
  })
}

const ASKS = /\svariables(?:\s|$)/

/** Unchanged values stay the same objects. */
function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) {
    const next = value.map((inner) => mapTexts(inner, change))
    return next.every((inner, index) => inner === value[index]) ? value : next
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, change)] as const)
  return entries.every(([name, inner]) => inner === value[name]) ? value : Object.fromEntries(entries)
}
