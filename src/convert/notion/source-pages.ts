import { isTagName, MAX_TAGS } from '../../domain/tag.ts'
import type { JsonObject } from '../../domain/json.ts'
import { MAX_AUTHOR_LENGTH, MAX_DESCRIPTION_LENGTH } from '../../domain/page-limits.ts'
import { headingText } from '../../page-text/first-heading.ts'
import { mapLinks } from '../../page-text/map-links.ts'
import { mapProse } from '../../page-text/map-prose.ts'
import type { SourcePage } from '../page/source-front-matter.ts'
import { markIcons } from './callouts.ts'
import type { Database } from './databases.ts'
import { type PageParts, type Property, readPageParts } from './page-parts.ts'
import { saysWhetherPublished } from './publication-status.ts'
import { listedValues, markdownValue, propertyDate } from './property-values.ts'
import { markdownTable } from './tables.ts'

const TAGS = /^(?:tags?|keywords?|topics?|labels?|categor(?:y|ies)|schlagwörter|schlagworte)$/i
const UPDATED = /^(?:last edited(?: time)?|last updated|last modified|updated(?: at)?)$/i
const AUTHOR = /^(?:authors?|writer|written by|person|autor(?:in)?)$/i
const DESCRIPTION = /^(?:description|summary|excerpt|subtitle|beschreibung)$/i
/** Headings that are longer are cut before they are read. */
const MAX_HEADING = 2_000

/** The address of the page or file of the export that a link names. Null for other links. */
type AddressOf = (target: string) => string | null

/**
 * A page of the export: the properties that pages of Quoin have too as fields, the others as the first lines of the body,
 * up to the first empty line.
 */
export function sourcePage(
  text: string,
  {
    database,
    isArticle,
    addressOf,
  }: {
    readonly database: Database | null
    readonly isArticle: boolean
    readonly addressOf: AddressOf
  },
): SourcePage {
  const parts = readPageParts(text, database?.columns ?? null)
  const fields: Record<string, JsonObject[string]> = {}
  const title = titleOf(parts)
  if (title !== '') fields['title'] = title
  const others = parts.properties.filter((property) => {
    const field = fieldOf(property, { database, isArticle })
    if (field === null || Object.hasOwn(fields, field.name)) return true
    fields[field.name] = field.value
    return field.isPart
  })
  const lines = others.map(
    ({ name, value }) => `${name}: ${markdownValue(value, addressOf).replaceAll('\n', '<br>')}`,
  )
  const linked = mapProse(markIcons(parts.text), (prose) =>
    mapLinks(prose, (target) => addressOf(target) ?? target),
  )
  return {
    fields,
    body: [...lines, '', linked].join('\n'),
    bodyLine: parts.textLine - lines.length - 1,
    error: null,
  }
}

/** The title of a page without marks of Markdown. Empty for a page without one. */
export function titleOf({ title }: Pick<PageParts, 'title'>): string {
  return headingText((title ?? '').slice(0, MAX_HEADING))
}

interface Field {
  readonly name: string
  readonly value: JsonObject[string]
  /** The field has a part of the property, which stays in the text. */
  readonly isPart: boolean
}

/** The field of a page that a property becomes. Null when no field holds it. */
function fieldOf(
  { name, value }: Property,
  { database, isArticle }: { readonly database: Database | null; readonly isArticle: boolean },
): Field | null {
  const whole = (field: string, given: Field['value']): Field => ({
    name: field,
    value: given,
    isPart: false,
  })
  if (value === '') return null
  if (name === database?.status?.name)
    return { name: 'published', value: true, isPart: !saysWhetherPublished(value) }
  if (isArticle && name === database?.dates) return dateField(value)
  if (TAGS.test(name)) {
    const tags = listedValues(value)
    return tags.length <= MAX_TAGS && tags.every((tag) => isTagName(tag) && !tag.includes('('))
      ? whole('tags', [...tags])
      : null
  }
  if (UPDATED.test(name)) {
    const date = propertyDate(value)
    return date === null ? null : whole('last_updated', date)
  }
  if (isArticle && AUTHOR.test(name))
    return /[,(\n]/.test(value) || value.length > MAX_AUTHOR_LENGTH ? null : whole('author', value)
  return DESCRIPTION.test(name) && value.length <= MAX_DESCRIPTION_LENGTH && !value.includes('\n')
    ? whole('description', value)
    : null
}

/** The start of a range. The whole range stays in the text. */
function dateField(value: string): Field | null {
  const date = propertyDate(value)
  const start = date ?? propertyDate((value.split('→')[0] ?? '').trim())
  return start === null ? null : { name: 'date', value: start, isPart: date === null }
}

/** The page of a database: a list of its pages, or a table when rows have no page. */
export function databasePage(
  { title, columns, rows }: Database,
  pages: readonly { readonly title: string; readonly path: string }[],
  { addressOf, addressIn }: { readonly addressOf: AddressOf; readonly addressIn: (path: string) => string },
): SourcePage {
  const waiting = new Map<string, string[]>()
  for (const page of pages.toReversed()) {
    const others = waiting.get(page.title)
    if (others === undefined) waiting.set(page.title, [page.path])
    else others.push(page.path)
  }
  const linked = rows.map(([name = '', ...cells]) => {
    const path = waiting.get(name)?.pop()
    return { name, cells, path: path === undefined ? null : addressIn(path) }
  })
  const rest = [...waiting].flatMap(([name, paths]) =>
    paths.toReversed().map((path) => ({ name, cells: [], path: addressIn(path) })),
  )
  const all = [...linked, ...rest]
  const named = ({ name, path }: (typeof all)[number]) =>
    path === null ? name : `[${name.replace(/[[\]]/g, '\\$&')}](${path})`
  const body = all.every(({ path }) => path !== null)
    ? all.map((row) => `- ${named(row)}`).join('\n')
    : markdownTable(
        columns,
        all.map((row) => [named(row), ...row.cells.map((cell) => markdownValue(cell, addressOf))]),
      )
  return { fields: { title }, body: `\n${body}\n`, bodyLine: 1, error: null }
}
