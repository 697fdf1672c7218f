import { z } from 'zod'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import { isLanguageTag } from '../domain/language-tag.ts'
import type { Author, PageType } from '../domain/page.ts'
import { MAX_REDIRECT_PATHS, REDIRECT_PATH_RULE, readRedirectPath } from '../domain/redirect-path.ts'
import { converted, json, line, name, text, timestamp, title, trimmed, url } from '../fields/values.ts'
import { slug, subroute } from './fields.ts'

/** What the file of a page may say. Every field but `title` may be left out. */

const type = z.enum(['page', 'article', 'docs', 'item'], 'must be page, article, docs or item.')

const author = z.union(
  [
    name(200).transform((name): Author => ({ name, avatar: null })),
    z
      .strictObject({ name: name(200), avatar: url.optional() })
      .transform(({ name, avatar }): Author => ({ name, avatar: avatar ?? null })),
  ],
  'must be a name, or an object with a name and an avatar.',
)

const LANGUAGE_RULE = 'must be a language tag, e.g. en or zh-Hans.'

const config = z.record(z.string(), json).transform((value): JsonObject => value)

const redirectPath = converted(readRedirectPath, REDIRECT_PATH_RULE)

const redirectPaths = z
  .array(redirectPath, 'must be a list of paths.')
  .max(MAX_REDIRECT_PATHS, `must have at most ${MAX_REDIRECT_PATHS} paths.`)

const common = {
  type: type.optional(),
  title,
  description: text(500).default(''),
  slug: slug.optional(),
  subroute: subroute.optional(),
  og_image_url: url.nullable().default(null),
  meta: z
    .strictObject({
      title: line(0, 60).exactOptional(),
      description: text(160).exactOptional(),
      keywords: text(1000).exactOptional(),
      robots: line(0, 100).exactOptional(),
    })
    .default({}),
  lang: z
    .string(LANGUAGE_RULE)
    .refine(isLanguageTag, LANGUAGE_RULE)
    .meta({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' })
    .optional(),
  redirect_from: z
    .union([redirectPath.transform((path) => [path]), redirectPaths], 'must be a list of paths.')
    .optional(),
  draft: z.boolean('must be true or false.').default(false),
}

/** The fields of a file, by the type of its page. */
export const PAGE_SCHEMAS = {
  page: z.strictObject({
    ...common,
    theme: name(100).optional(),
    sections: json.optional(),
    config: config.default({}),
  }),
  article: z.strictObject({
    ...common,
    edit_url: url.optional(),
    last_updated: timestamp.optional(),
    publish_date: timestamp.optional(),
    author: author.optional(),
    config: config.default({}),
  }),
  docs: z.strictObject({
    ...common,
    /** `slug`, or `subroute/slug`; null for a page at the top of the tree. */
    parent: z.string().nullable().optional(),
    edit_url: url.optional(),
    last_updated: timestamp.optional(),
    nav_order: z.int('must be a whole number.').optional(),
    /** A short mark beside the title in the sidebar. */
    badge: name(20).optional(),
    config: config.default({}),
  }),
  item: z.strictObject({ ...common, fields: config.default({}) }),
} as const satisfies Record<PageType, z.ZodObject>

/** The written fields of a page, by type. */
export type PageFields = {
  readonly [K in PageType]: { readonly type: K; readonly given: z.output<(typeof PAGE_SCHEMAS)[K]> }
}[PageType]

export function readPageFields(
  type: PageType,
  written: JsonObject,
): { fields: PageFields } | { error: z.ZodError } {
  const fields = type === 'item' ? gathered(written) : written
  const result = PAGE_SCHEMAS[type].safeParse(trimmedFields(fields))
  return result.success ? { fields: { type, given: result.data } as PageFields } : { error: result.error }
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

/** An item's own fields may stand beside its title; gathered, they stand under `fields`. */
function gathered(written: JsonObject): JsonObject {
  if ('fields' in written) return written
  const isCommon = ([name]: [string, JsonValue]) => Object.hasOwn(common, name)
  const entries = Object.entries(written)
  return {
    ...Object.fromEntries(entries.filter(isCommon)),
    fields: Object.fromEntries(entries.filter((entry) => !isCommon(entry))),
  }
}
