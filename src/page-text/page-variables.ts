import { isJsonObject, type JsonValue } from '../domain/json.ts'
import type { Page } from '../domain/page.ts'
import { type Variables, withValues } from '../domain/variables.ts'
import { bodyOf } from './front-matter.ts'
import { mapFencedCode, mapProse } from './map-prose.ts'

/** The texts of a page that variables are in. */
export type VariableTexts = Pick<Page, 'title' | 'description' | 'markdown' | 'meta' | 'config'>

/** UTF-16 code units that values add to a page: a value of 500 is named in five. */
const MAX_VALUES = 2 * 2 ** 20
/** UTF-16 code units of texts that are read in the main process: less than 10 ms. */
const SHORT = 32_768

/**
 * The page with the values of the variables of its site, in titles, descriptions, Markdown and the texts of sections. Front
 * matter and code stay as they are written, except fenced code whose first line says `variables`.
 */
export function withVariables<Texts extends VariableTexts>(page: Texts, variables: Variables): Texts {
  if (Object.keys(variables).length === 0) return page
  return withTexts(page, (text) => withValues(text, variables))
}

/** Does the same as `withVariables` for a page of the service. Null when the values are longer than a page may show. */
export function shownTexts(page: VariableTexts, variables: Variables): VariableTexts | null {
  let sum = 0
  // Nothing is put in once there is too much: texts of megabytes would become gigabytes.
  const fits = (value: string) => {
    sum += value.length
    return sum <= MAX_VALUES
  }
  const shown = withTexts(page, (text) => (sum > MAX_VALUES ? text : withValues(text, variables, fits)))
  return sum > MAX_VALUES ? null : shown
}

/** Reports whether `shownTexts` is fast enough to run without a process of its own. */
export function isShortShown({ markdown, config }: VariableTexts, variables: Variables): boolean {
  if (Object.keys(variables).length === 0) return true
  return markdown.length + JSON.stringify(config['sections'] ?? '').length <= SHORT
}

function withTexts<Texts extends VariableTexts>(page: Texts, change: (text: string) => string): Texts {
  const { title, description, markdown, meta, config } = page
  const prose = (text: string) => changedProse(text, change)
  const shown = {
    title: change(title),
    description: change(description),
    markdown: changedBody(markdown, change),
  }
  const shownMeta = mapTexts(meta as unknown as JsonValue, change)
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
function changedBody(markdown: string, change: (text: string) => string): string {
  if (!markdown.includes('{{')) return markdown
  const body = bodyOf(markdown)
  return markdown.slice(0, markdown.length - body.length) + changedProse(body, change)
}

function changedProse(markdown: string, change: (text: string) => string): string {
  if (!markdown.includes('{{')) return markdown
  const prose = mapProse(markdown, change)
  return mapFencedCode(prose, (code, info) => {
    const first = code.indexOf('\n') + 1
    return ASKS.test(info) ? code.slice(0, first) + change(code.slice(first)) : code
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
