import { z } from 'zod'
import { type PageId, readId } from '../domain/ids.ts'
import { ruleOf } from '../domain/invalid-field.ts'
import { isJsonObject, type JsonValue } from '../domain/json.ts'
import { isLanguageTag, LANGUAGE_TAG } from '../domain/language-tag.ts'
import type { Author, PageType, TypeFields } from '../domain/page.ts'
import {
  MAX_AUTHOR_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_FEED_GUID,
  MAX_NAV_ORDER,
  MAX_TRANSLATION_KEY,
} from '../domain/page-limits.ts'
import { distinctTags, isTagName, MAX_TAG_ADDRESS_BYTES, MAX_TAG_LENGTH, MAX_TAGS } from '../domain/tag.ts'
import { converted, line, localTimestamp, name, text, title, url, wideSlug, wideSubroute } from './values.ts'

/*
 * Fields of a page that clients and authors write under the same name. The API and the files of a content
 * folder add what only they have: ids, `config`, Markdown, defaults.
 */

/** @param avatar the URL of the author's image. */
export function authorWith(avatar: z.ZodType<string>) {
  return z.union(
    [
      name(MAX_AUTHOR_LENGTH).transform((given): Author => ({ name: given, avatar: null })),
      z
        .strictObject({
          name: name(MAX_AUTHOR_LENGTH),
          avatar: avatar.nullable().optional(),
          bio: text(500).optional(),
          url: url.optional(),
        })
        .transform(
          ({ name, avatar, bio, url }): Author => ({
            name,
            avatar: avatar ?? null,
            ...(bio && { bio }),
            ...(url && { url }),
          }),
        ),
    ],
    'must be a name, or an object with name, avatar, bio and url.',
  )
}

const LANGUAGE_RULE = 'must be a language tag, e.g. en or zh-Hans.'

/** A BCP 47 language tag. */
export const language = z
  .string(LANGUAGE_RULE)
  .refine(isLanguageTag, { error: LANGUAGE_RULE, ...ruleOf('wrong_format') })
  .meta({ pattern: LANGUAGE_TAG })

export const PAGE_FIELDS = {
  title: title.meta({ description: 'The title of the page.' }),
  slug: wideSlug.meta({
    description:
      'The last segment of the path. Stored in lower case; unique within project and subroute. ASCII letters, digits and hyphens, unless `hosting.slugs` of the project is `wide`.',
  }),
  subroute: wideSubroute.meta({
    description:
      'The segments of the path before the slug: up to 8, joined by `/`, or empty, in the characters of a slug. Stored in lower case, without slashes around it.',
  }),
  description: text(MAX_DESCRIPTION_LENGTH).meta({
    description: 'One or two sentences for search engines, link previews and lists.',
  }),
  og_image_url: url.nullable().meta({ description: 'The picture of link previews of the page.' }),
}

/** Fields of `meta`, for search engines. */
export const META_FIELDS = {
  title: line(0, 60),
  description: text(160),
  keywords: text(1000),
  robots: line(0, 100),
}

const parentPage: z.ZodType<PageId> = converted(
  (ref) => readId('page', ref),
  'must be the id of a docs page of the same project.',
).meta({ description: 'The id of the parent of a `docs` page, in the same project.' })

const TAG_RULE = `must have 1 to ${MAX_TAG_LENGTH} characters, with a letter or a digit, and an address of at most ${MAX_TAG_ADDRESS_BYTES} bytes in UTF-8.`

const tag = z
  .string(TAG_RULE)
  .transform((text) => text.trim())
  .refine(isTagName, TAG_RULE)
  .meta({ minLength: 1, maxLength: MAX_TAG_LENGTH, examples: ['Node.js'] })

/** Several spellings of one tag are one. */
const tags = z
  .array(tag, 'must be a list of names.')
  .max(MAX_TAGS, `must have at most ${MAX_TAGS} names.`)
  .transform(distinctTags)
  .meta({
    description:
      'Names of up to 20 tags. Names with one address, such as `Node JS` and `node-js`, are one tag. Each tag of the articles of a blog has a list and a feed at `{blog}/tags/{tag}`.',
  })

/**
 * A field of pages of one type, or of all. Code that reads, writes or moves pages derives its fields from these rows.
 */
interface TypeField<Value> {
  readonly name: string
  /** Its name in files; that of the API by default. */
  readonly fileName?: string
  /** The only type of pages with the field; null for all types. */
  readonly type: PageType | null
  readonly schema: z.ZodType
  /** Describes a stored value, which may be older than today's rules. */
  readonly stored: z.ZodType<Value>
}

const storedText = z.string().nullable()

const storedAuthor: z.ZodType<Author> = z.object({
  name: z.string(),
  avatar: z.string().nullable(),
  bio: z.string().optional(),
  url: z.string().optional(),
})

/** On pages of another type the field is stored and has no effect. */
export const TYPE_FIELDS = {
  tags: {
    name: 'tags',
    type: null,
    schema: tags,
    stored: z.array(z.string()).readonly(),
  },
  locale: {
    name: 'locale',
    type: null,
    schema: language
      .transform((written) => written.replaceAll('_', '-'))
      .meta({
        description:
          'The code of the language of the page, one of the setting `locales`. By default that of the longest subroute of a locale which the path starts with.',
        pattern: LANGUAGE_TAG,
        examples: ['fr'],
      }),
    stored: storedText,
  },
  translationKey: {
    name: 'translation_key',
    type: null,
    schema: name(MAX_TRANSLATION_KEY)
      .transform((written) => written.trim())
      .meta({
        description:
          'Pages in different languages with one key are translations of each other. By default the path without the subroute of its locale.',
        minLength: 1,
        maxLength: MAX_TRANSLATION_KEY,
        examples: ['about-us'],
      }),
    stored: storedText,
  },
  publishDate: {
    name: 'publish_date',
    type: 'article',
    schema: localTimestamp.meta({
      description:
        'The date of an `article` in ISO 8601, kept with its offset: readers see the day as written. A bare date such as `2026-03-01` is midnight UTC, and a time without a zone is in UTC.',
    }),
    stored: storedText,
  },
  author: {
    name: 'author',
    type: 'article',
    schema: authorWith(url).meta({
      description:
        'The author of an `article`: a name, or an object with `name`, `avatar`, `bio` and `url`, which a box at its end shows.',
    }),
    stored: storedAuthor.nullable(),
  },
  feedGuid: {
    name: 'feed_guid',
    fileName: 'guid',
    type: 'article',
    schema: line(1, MAX_FEED_GUID).meta({
      description:
        'The id of an `article` in every feed that has it, such as the one that it had in the feed of a former site; unique in the project. By default an id that the first publish gives it for good. A change of the id shows the article to readers of feeds as a new one.',
      examples: ['https://blog.example.com/?p=41'],
    }),
    stored: storedText,
  },
  navOrder: {
    name: 'nav_order',
    type: 'docs',
    schema: z
      .int()
      .min(-MAX_NAV_ORDER)
      .max(MAX_NAV_ORDER)
      .meta({ description: 'Position of a `docs` page among its siblings; lower comes first.' }),
    stored: z.number(),
  },
  parentPage: {
    name: 'parent_page',
    type: 'docs',
    schema: parentPage,
    stored: z.custom<PageId>((value) => typeof value === 'string').nullable(),
  },
} as const satisfies { readonly [Key in keyof TypeFields]?: TypeField<TypeFields[Key]> }

type TypeFieldKey = keyof typeof TYPE_FIELDS
const TYPE_FIELD_KEYS = Object.keys(TYPE_FIELDS) as readonly TypeFieldKey[]

/** The fields that a file or an export holds by value; it names the parent of a page by its address. */
const VALUE_KEYS = TYPE_FIELD_KEYS.filter((key) => key !== 'parentPage')

/** Describes stored fields of a page, any of them, without its parent. */
export const storedValueFields = z.object(
  Object.fromEntries(VALUE_KEYS.map((key) => [key, TYPE_FIELDS[key].stored.optional()])),
) as unknown as z.ZodType<Partial<Omit<TypeFields, 'parentPage'>>>

/** Stored fields as their schemas read them, under their names in files; the parent is left out. */
export function writtenValueFields(
  fields: Partial<Omit<TypeFields, 'parentPage'>>,
): Readonly<Record<string, JsonValue>> {
  const values = new Map<string, unknown>(Object.entries(fields))
  return Object.fromEntries(
    VALUE_KEYS.flatMap((key) => {
      const value = values.get(key)
      return value === undefined ? [] : [[fileNameOf(TYPE_FIELDS[key]), writtenValue(value as JsonValue)]]
    }),
  )
}

function fileNameOf({ name, fileName }: { readonly name: string; readonly fileName?: string }): string {
  return fileName ?? name
}

/** Returns a value without null and undefined parts. An author with a name only becomes that name. */
function writtenValue(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value
  const known = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined)
  const [only, ...others] = known
  return only?.[0] === 'name' && others.length === 0 ? (only[1] ?? null) : Object.fromEntries(known)
}

/** The type's own fields that a validated page has; absent ones stay absent. */
export function readTypeFields(given: object): Partial<TypeFields> {
  const written = new Map(Object.entries(given))
  return Object.fromEntries(
    TYPE_FIELD_KEYS.flatMap((key) => {
      const value = written.get(TYPE_FIELDS[key].name)
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

/** The fields that pages of this type have, under their names in the API. */
export function namedTypeFields(type: PageType, fields: TypeFields): Readonly<Record<string, unknown>> {
  const own = TYPE_FIELD_KEYS.filter(
    (key) => TYPE_FIELDS[key].type === type || TYPE_FIELDS[key].type === null,
  )
  return Object.fromEntries(own.map((key) => [TYPE_FIELDS[key].name, fields[key]]))
}
