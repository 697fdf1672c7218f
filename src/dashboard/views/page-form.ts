import { z } from 'zod'
import { prefixed } from '../../domain/ids.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { Author, Page, PageType } from '../../domain/page.ts'
import { META_FIELDS, PAGE_FIELDS, TYPE_FIELDS } from '../../fields/page-fields.ts'
import type { PageDetails } from '../../services/pages/pages.ts'
import { type Control, controlOf, type FieldShape, readValue } from '../frame/controls.ts'
import type { Words } from '../words/en.ts'

/** Fields in the order of the form; the other fields of the table follow. */
const FIRST = [
  'title',
  'markdown_content',
  'og_image_url',
  'slug',
  'subroute',
  'description',
  'tags',
  'author',
  'publish_date',
]

const MARKDOWN: FieldShape = { name: 'markdown_content', schema: z.string(), kind: 'markdown' }
/** Paths that lead to the page too. They are stored in `config`, where the API has them. */
const REDIRECTS: FieldShape = { name: 'redirect_from', schema: z.array(z.string()), kind: 'lines' }
const CONFIG: FieldShape = { name: 'config', schema: z.looseObject({}), kind: 'json' }

/** The fields of a page of this type, from the one table of them. */
function pageFields(type: PageType, author: Author | null): readonly FieldShape[] {
  const own = Object.values(TYPE_FIELDS)
    .filter((field) => field.type === null || field.type === type)
    .map(
      ({ name, schema }): FieldShape => ({
        name,
        schema,
        ...(name === 'tags' && { kind: 'names' }),
        ...(name === 'author' && { kind: isNameOnly(author) ? 'line' : 'json' }),
      }),
    )
  const fields = [
    ...Object.entries(PAGE_FIELDS).map(([name, schema]): FieldShape => ({ name, schema })),
    MARKDOWN,
    ...own,
    REDIRECTS,
    ...Object.entries(META_FIELDS).map(([name, schema]): FieldShape => ({ name: `meta.${name}`, schema })),
    ...(type === 'page' || type === 'item' ? [CONFIG] : []),
  ]
  const position = ({ name }: FieldShape) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
  return [...fields].sort((a, b) => position(a) - position(b))
}

/** The controls of a stored page. */
export function pageControls(found: Pick<PageDetails, 'page' | 'fields'>, words: Words): readonly Control[] {
  const values = valuesOf(found)
  const isDay = /^(\d{4}-\d\d-\d\d)?$/.test(found.page.ownFields.publishDate ?? '')
  return pageFields(found.page.type, found.fields.author).map((field) => ({
    ...controlOf(field, values[field.name], words),
    // Browsers offer a calendar for days, and none for times with a zone, which the API takes too.
    ...(field.name === 'publish_date' && isDay && { kind: 'date' as const }),
    ...(field.name === 'title' && { kind: 'title' as const, isRequired: true }),
  }))
}

/** Most authors are a name. An author with an image or a text is shown as in the API. */
function isNameOnly(author: Author | null): boolean {
  return author === null || (author.avatar === null && author.bio === undefined && author.url === undefined)
}

function valuesOf({ page, fields }: Pick<PageDetails, 'page' | 'fields'>): Readonly<Record<string, unknown>> {
  const { author, parentPage } = fields
  return {
    title: page.title,
    slug: page.slug,
    subroute: page.subroute,
    description: page.description,
    og_image_url: page.ogImageUrl,
    markdown_content: page.markdown,
    config: Object.fromEntries(Object.entries(page.config).filter(([name]) => name !== REDIRECTS.name)),
    redirect_from: fields.redirectFrom,
    tags: fields.tags,
    locale: fields.locale,
    translation_key: fields.translationKey,
    publish_date: page.ownFields.publishDate ?? null,
    feed_guid: fields.feedGuid ?? null,
    author: isNameOnly(author) ? (author?.name ?? null) : author,
    nav_order: fields.navOrder,
    parent_page: parentPage === null ? null : prefixed('page', parentPage),
    ...Object.fromEntries(Object.entries(page.meta).map(([name, value]) => [`meta.${name}`, value])),
  }
}

/** Values of empty controls. Optional fields are cleared. */
const EMPTY: Readonly<Record<string, JsonValue>> = {
  title: '',
  slug: '',
  subroute: '',
  description: '',
  markdown_content: '',
  tags: [],
  nav_order: 0,
  config: {},
  redirect_from: [],
}

/**
 * Returns the changes in the form of a stored page, as the body of an update.
 *
 * @throws {ServiceError} as `readValue`.
 */
export function pageUpdate(controls: readonly Control[], { config }: Pick<Page, 'config'>): JsonObject {
  const { redirect_from: paths, ...body } = pageBody(controls)
  const kept = paths ?? config[REDIRECTS.name]
  if (paths === undefined && body['config'] === undefined) return body
  const written = isJsonObject(body['config']) ? body['config'] : config
  return { ...body, config: { ...written, ...(kept !== undefined && { [REDIRECTS.name]: kept }) } }
}

/**
 * The controls as the body of a page in the words of the API.
 *
 * @throws {ServiceError} as `readValue`.
 */
export function pageBody(controls: readonly Control[]): JsonObject {
  const body: Record<string, JsonValue> = {}
  for (const control of controls) {
    const { name, value } = control
    const read = readValue(control, value, Object.hasOwn(EMPTY, name) ? (EMPTY[name] ?? null) : null)
    if (!name.startsWith('meta.')) body[name] = read
    else
      body['meta'] = {
        ...(isJsonObject(body['meta']) ? body['meta'] : {}),
        [name.slice('meta.'.length)]: read,
      }
  }
  return body
}
