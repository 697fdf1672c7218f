import { isJsonObject, type JsonValue } from '../domain/json.ts'
import type { Page } from '../domain/page.ts'
import { type Variables, withValues } from '../domain/variables.ts'
import { mapProse } from './map-prose.ts'

/**
 * The page with the values of the variables of its site, in titles, descriptions, Markdown and the texts of sections. Code
 * stays as it is written, except fenced code whose first line says `variables`.
 */
export function withVariables(page: Page, variables: Variables): Page {
  if (Object.keys(variables).length === 0) return page
  const { title, description, markdown, meta, config } = page
  const prose = (text: string) => proseWithValues(text, variables)
  const shown = {
    title: withValues(title, variables),
    description: withValues(description, variables),
    markdown: prose(markdown),
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

const ASKING_FENCE = /^[ \t>]*(?:`{3,}|~{3,})[^\n`]*\svariables(?:\s[^\n`]*)?$/m

function proseWithValues(markdown: string, variables: Variables): string {
  if (!markdown.includes('{{')) return markdown
  const prose = mapProse(markdown, (text) => withValues(text, variables))
  return ASKING_FENCE.test(prose) ? codeWithValues(prose, variables) : prose
}

/** The code of fences that say `variables` with their values. */
function codeWithValues(markdown: string, variables: Variables): string {
  let fence: { readonly marks: string; readonly asks: boolean } | null = null
  return markdown
    .split('\n')
    .map((line) => {
      const [, marks = '', info = ''] = /^[ \t>]*(`{3,}|~{3,})([^\n]*)$/.exec(line) ?? []
      if (fence === null) {
        if (marks !== '') fence = { marks, asks: /(?:^|\s)variables(?:\s|$)/.test(info) }
        return line
      }
      const isEnd = marks.startsWith(fence.marks) && info.trim() === ''
      const shown = fence.asks && !isEnd ? withValues(line, variables) : line
      if (isEnd) fence = null
      return shown
    })
    .join('\n')
}

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
