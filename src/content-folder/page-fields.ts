import { z } from 'zod'
import { MAX_ENTRY_VERSION } from '../domain/changelog.ts'
import { ruleOf } from '../domain/invalid-field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { PAGE_TYPES, type PageType } from '../domain/page.ts'
import { MAX_REDIRECT_PATHS, REDIRECT_PATH_RULE, readRedirectPath } from '../domain/redirect-path.ts'
import { MAX_SERIES_NAME, readSeries } from '../domain/series.ts'
import { authorWith, language, META_FIELDS, PAGE_FIELDS, TYPE_FIELDS } from '../fields/page-fields.ts'
import {
  converted,
  json,
  localTimestamp,
  name,
  wideSlug as slug,
  wideSubroute as subroute,
  trimmed,
  url,
} from '../fields/values.ts'
import { pictureUrl } from './fields.ts'
import { withWholeDigits } from './short-dates.ts'
import { parsedAsWritten, withoutEmptyFields, withWrittenNumbers } from './written-texts.ts'
import type { YamlSource } from './yaml-source.ts'

/** Schemas of page files, by type. Only `title` is required, and a Markdown file may leave it to its first heading. */

const type = z.enum(['page', 'article', 'docs', 'item'], 'must be page, article, docs or item.')

const config = z.record(z.string(), json).transform((value): JsonObject => value)

const redirectPath = converted(readRedirectPath, REDIRECT_PATH_RULE)

/** YAML reads `2024` as a number, and `trains, steel` as one text, whose commas are between names. */
const tags = z.preprocess((written) => {
  if (typeof written === 'string') return written.split(',').flatMap((name) => name.trim() || [])
  return written === null ? [] : (Array.isArray(written) ? written : [written]).map(tagText)
}, TYPE_FIELDS.tags.schema)

function tagText(written: unknown): unknown {
  return typeof written === 'number' ? String(written) : written
}

const redirectPaths = z
  .array(redirectPath, 'must be a list of paths.')
  .max(MAX_REDIRECT_PATHS, `must have at most ${MAX_REDIRECT_PATHS} paths.`)

const described = (description: string) => ({ description })

const common = {
  ...PAGE_FIELDS,
  type: type
    .optional()
    .meta(described('The type of the page. By default the folder decides; see `types` in `site.yaml`.')),
  description: PAGE_FIELDS.description.default(''),
  slug: slug.optional().meta(described('The last segment of the path. By default the name of the file.')),
  subroute: subroute
    .optional()
    .meta(described('The segments of the path before the slug. By default the folder of the file.')),
  og_image_url: pictureUrl
    .nullable()
    .default(null)
    .meta({ ...PAGE_FIELDS.og_image_url.meta() }),
  meta: z
    .strictObject({
      title: META_FIELDS.title.exactOptional(),
      description: META_FIELDS.description.exactOptional(),
      keywords: META_FIELDS.keywords.exactOptional(),
      robots: META_FIELDS.robots.exactOptional(),
    })
    .default({})
    .meta(described('Metadata for search engines, in place of title and description.')),
  layout: name(100)
    .optional()
    .meta(described('A layout of the theme in place of the one of the type, e.g. `wide`.')),
  locale: TYPE_FIELDS.locale.schema.optional(),
  translation_key: TYPE_FIELDS.translationKey.schema.optional(),
  lang: language.optional().meta(described('The language of the page, e.g. `en` or `zh-Hans`.')),
  redirect_from: z
    .union([redirectPath.transform((path) => [path]), redirectPaths], 'must be a list of paths.')
    .optional()
    .meta(
      described('Paths that redirect to the page, e.g. its previous ones: `/old/page` or `/old/page.html`.'),
    ),
  tags: tags.optional(),
  draft: z
    .boolean('must be true or false.')
    .default(false)
    .meta(described('With `true` the page is not published.')),
}

/** The types of the pages in a folder: `changelog` means articles that their list shows in full. */
export const FOLDER_TYPES = [...PAGE_TYPES, 'changelog'] as const
export type FolderType = (typeof FOLDER_TYPES)[number]

const seriesName = name(MAX_SERIES_NAME).refine((text) => readSeries(text) !== null, {
  error: 'must have a letter or digit.',
  ...ruleOf('wrong_format'),
})

const oneSeries = z.union([seriesName, z.strictObject({ name: seriesName, order: z.int().exactOptional() })])

/** Other generators write a list. */
const series = z.union([oneSeries, z.tuple([oneSeries])])

const prose = {
  edit_url: url.optional().meta(described('The URL at which the page is edited.')),
  last_updated: localTimestamp
    .optional()
    .meta(described('When the text was last edited, e.g. `2026-03-01`.')),
}

const otherConfig = config.default({}).meta(described('Further values of the `config` of the page.'))

/** The fields of a file, by the type of its page. */
export const PAGE_SCHEMAS = {
  page: z.strictObject({
    ...common,
    theme: name(100).optional().meta(described('A theme for this page only.')),
    sections: json.optional().meta(described('The sections of the page, from the top down.')),
    config: otherConfig,
  }),
  article: z.strictObject({
    ...common,
    ...prose,
    publish_date: TYPE_FIELDS.publishDate.schema.optional(),
    date: TYPE_FIELDS.publishDate.schema
      .optional()
      .meta(described('Another name of `publish_date`, which other generators use.')),
    guid: TYPE_FIELDS.feedGuid.schema.optional(),
    blog: subroute
      .optional()
      .meta(
        described(
          'The folder of the blog whose list has the article. By default the folder above it that `types` in `site.yaml` names, or one named `blog`, `posts`, `news`, `articles`, `notes` or `journal`, or its own folder.',
        ),
      ),
    list: z
      .enum(['changelog', 'articles'], 'must be changelog or articles.')
      .optional()
      .meta(
        described(
          'How the list of its blog shows the article: in full as an entry of a changelog, or as usual. By default as `types` in `site.yaml` says.',
        ),
      ),
    version: name(MAX_ENTRY_VERSION)
      .optional()
      .meta(described('What an entry of a changelog is about, e.g. `2.4.0`: its list shows it.')),
    series: series
      .optional()
      .meta(
        described(
          'The series that the article is a part of: its name, or `name` and `order`. Parts without an order follow by date. A box at the end of each part lists them.',
        ),
      ),
    author: authorWith(pictureUrl)
      .meta({ ...TYPE_FIELDS.author.schema.meta() })
      .optional(),
    config: otherConfig,
  }),
  docs: z.strictObject({
    ...common,
    ...prose,
    parent: z
      .string()
      .nullable()
      .optional()
      .meta(
        described(
          'The parent page in the docs tree: its slug, or its subroute and slug. `null` puts the page at the top of the tree.',
        ),
      ),
    nav_order: TYPE_FIELDS.navOrder.schema.optional(),
    badge: name(20).optional().meta(described('A short label next to the title in the sidebar, e.g. `new`.')),
    config: otherConfig,
  }),
  item: z.strictObject({
    ...common,
    fields: config.default({}).meta(described('Custom fields, shown as a list.')),
  }),
} as const satisfies Record<PageType, z.ZodObject>

/** The written fields of a page, by type. */
export type PageFields = {
  readonly [K in PageType]: { readonly type: K; readonly given: z.output<(typeof PAGE_SCHEMAS)[K]> }
}[PageType]

/**
 * Reads the fields of a page. Unknown fields become values of the page: of `config`, or of the `fields` of an item.
 *
 * @param source of the file, for texts that YAML reads as numbers.
 * @returns the fields, with the names of the unknown ones in `config`.
 */
export function readPageFields(
  type: PageType,
  written: JsonObject,
  source: Pick<YamlSource, 'writtenAt'>,
): { fields: PageFields; custom: readonly string[] } | { error: z.ZodError } {
  const shown = withShownNumbers(type, written, source)
  const custom = type === 'item' ? [] : Object.keys(written).filter((name) => !isFieldOf(type, name))
  const fields = type === 'item' ? gathered(shown) : withCustom(shown, custom)
  const result = parsedAsWritten(PAGE_SCHEMAS[type], filledFields(type, trimmedFields(fields)), source)
  if (!result.success) return { error: result.error }
  return { fields: { type, given: result.data } as PageFields, custom }
}

function isFieldOf(type: PageType, name: string): boolean {
  return Object.hasOwn(PAGE_SCHEMAS[type].shape, name)
}

/** A `config` that is no object stays, to be reported. */
function withCustom(written: JsonObject, custom: readonly string[]): JsonObject {
  const { config = {} } = written
  if (custom.length === 0 || !isJsonObject(config)) return written
  const isCustom = ([name]: [string, JsonValue]) => custom.includes(name)
  const entries = Object.entries(written)
  return {
    ...Object.fromEntries(entries.filter((entry) => !isCustom(entry))),
    config: { ...config, ...Object.fromEntries(entries.filter(isCustom)) },
  }
}

/** Sections and the fields of an item are shown as the author writes them. */
function withShownNumbers(
  type: PageType,
  written: JsonObject,
  source: Pick<YamlSource, 'writtenAt'>,
): JsonObject {
  const isShown = (name: string) => (type === 'item' ? !Object.hasOwn(common, name) : name === 'sections')
  const entries = Object.entries(written).map(([name, value]): [string, JsonValue] =>
    isShown(name) ? [name, withWrittenNumbers(value, [name], source)] : [name, value],
  )
  return Object.fromEntries(entries)
}

/** The fields without empty ones, and with whole dates. */
function filledFields(type: PageType, written: JsonObject): JsonObject {
  const { meta, author } = written
  const filled = {
    ...written,
    ...(isJsonObject(meta) && { meta: withoutNulls(meta) }),
    ...(isJsonObject(author) && { author: withoutNulls(author) }),
  }
  const shape: Readonly<Record<string, z.ZodType>> = PAGE_SCHEMAS[type].shape
  const isDate = (name: string) => DATES.includes(name) && shape[name] !== undefined
  return Object.fromEntries(
    Object.entries(withoutEmptyFields(filled, { shape })).map(([name, value]) => [
      name,
      isDate(name) ? withWholeDigits(value) : value,
    ]),
  )
}

const DATES: readonly string[] = ['publish_date', 'date', 'last_updated']

function withoutNulls(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

/** Everything but the content is trimmed. */
function trimmedFields({ config, sections, fields, ...others }: JsonObject): JsonObject {
  return {
    ...(trimmed(others) as JsonObject),
    ...(config !== undefined && { config }),
    ...(sections !== undefined && { sections }),
    ...(fields !== undefined && { fields }),
  }
}

/** Moves an item's own fields to `fields`. An author may write them next to the title. */
function gathered(written: JsonObject): JsonObject {
  if ('fields' in written) return written
  const isCommon = ([name]: [string, JsonValue]) => Object.hasOwn(common, name)
  const entries = Object.entries(written)
  return {
    ...Object.fromEntries(entries.filter(isCommon)),
    fields: Object.fromEntries(entries.filter((entry) => !isCommon(entry))),
  }
}
