import { z } from 'zod'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import { isLanguageTag } from '../domain/language-tag.ts'
import type { Author, PageType } from '../domain/page.ts'
import { MAX_REDIRECT_PATHS, REDIRECT_PATH_RULE, readRedirectPath } from '../domain/redirect-path.ts'
import { date, json, line, slug, storedText, subroute, text, url } from './fields.ts'

/** What the file of a page may say. Every field but `title` may be left out. */

const type = z.enum(['page', 'article', 'docs', 'item'], 'must be page, article, docs or item.')

const author = z.union(
  [
    line(200).transform((name): Author => ({ name, avatar: null })),
    z
      .strictObject({ name: line(200), avatar: url.optional() })
      .transform(({ name, avatar }): Author => ({ name, avatar: avatar ?? null })),
  ],
  'must be a name, or an object with a name and an avatar.',
)

const LANGUAGE_RULE = 'must be a language tag, e.g. en or zh-Hans.'

const config = z.record(z.string(), json).transform((value): JsonObject => value)

const redirectPath = storedText(readRedirectPath, REDIRECT_PATH_RULE)

const redirectPaths = z
  .array(redirectPath, 'must be a list of paths.')
  .max(MAX_REDIRECT_PATHS, `must have at most ${MAX_REDIRECT_PATHS} paths.`)

const common = {
  type: type.optional(),
  title: line(200),
  description: text(500).default(''),
  slug: slug.optional(),
  subroute: subroute.optional(),
  og_image_url: url.nullable().default(null),
  meta: z
    .strictObject({
      title: text(60).exactOptional(),
      description: text(160).exactOptional(),
      keywords: text(1000).exactOptional(),
      robots: text(100).exactOptional(),
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
    theme: line(100).optional(),
    sections: json.optional(),
    config: config.default({}),
  }),
  article: z.strictObject({
    ...common,
    edit_url: url.optional(),
    last_updated: date.optional(),
    publish_date: date.optional(),
    author: author.optional(),
    config: config.default({}),
  }),
  docs: z.strictObject({
    ...common,
    /** `slug`, or `subroute/slug`; null for a page at the top of the tree. */
    parent: z.string('must be text.').nullable().optional(),
    edit_url: url.optional(),
    last_updated: date.optional(),
    nav_order: z.int('must be a whole number.').optional(),
    /** A short mark beside the title in the sidebar. */
    badge: line(20).optional(),
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
  const result = PAGE_SCHEMAS[type].safeParse(type === 'item' ? gathered(written) : written)
  return result.success ? { fields: { type, given: result.data } as PageFields } : { error: result.error }
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
