import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { PageFilter } from '../../db/repositories/pages.ts'
import type { InvalidField } from '../../domain/invalid-field.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { normalForm } from '../../domain/normal-form.ts'
import { PAGE_STATUSES, type Page, type PageType, type TypeFields } from '../../domain/page.ts'
import { foldedAddress, readSlug, type SlugAlphabet } from '../../domain/slug.ts'
import { META_FIELDS, PAGE_FIELDS, readTypeFields, TYPE_FIELDS } from '../../fields/page-fields.ts'
import { slug, subroute, timestamp, WIDE_HINT, WIDE_SEGMENT, wideSubroute } from '../../fields/values.ts'
import type { ShownFields } from '../../services/pages/pages.ts'
import type { NewPage, PageChange } from '../../services/pages/write-page.ts'
import {
  config,
  configErrors,
  pageType,
  pageTypeOf,
  presentTypeFields,
  TYPE_NAMES,
  titleErrors,
  withTitleAs,
} from '../page-fields.ts'
import { parseBody } from '../parse.ts'
import { flag, paging, projectRef, tagQuery } from '../query-fields.ts'
import { pageSource, sourceFile, withoutEchoedSource } from './source-schemas.ts'

const meta = z
  .strictObject({
    title: META_FIELDS.title.nullable().optional(),
    description: META_FIELDS.description.nullable().optional(),
    keywords: META_FIELDS.keywords.nullable().optional(),
    robots: META_FIELDS.robots.nullable().optional(),
  })
  .meta({
    description: 'Metadata for search engines. An update merges it with the stored values; null clears one.',
  })

const typeFields = {
  tags: TYPE_FIELDS.tags.schema.optional(),
  locale: TYPE_FIELDS.locale.schema.nullable().optional(),
  translation_key: TYPE_FIELDS.translationKey.schema.nullable().optional(),
  publish_date: TYPE_FIELDS.publishDate.schema.nullable().optional(),
  author: TYPE_FIELDS.author.schema.nullable().optional(),
  feed_guid: TYPE_FIELDS.feedGuid.schema.nullable().optional(),
  nav_order: TYPE_FIELDS.navOrder.schema.optional(),
  parent_page: TYPE_FIELDS.parentPage.schema.nullable().optional(),
}

export const CreatePage = z.strictObject({
  project_id: projectRef,
  ...PAGE_FIELDS,
  type: pageType,
  description: PAGE_FIELDS.description.default(''),
  og_image_url: PAGE_FIELDS.og_image_url.default(null),
  meta: meta.default({}),
  config: config.default({}),
  markdown_content: z.string().nullable().default(''),
  ...typeFields,
  source: sourceFile,
})

/** For projects with standard addresses. */
const CreateStandardPage = CreatePage.extend({ slug, subroute })

export const UpdatePage = z.strictObject({
  title: PAGE_FIELDS.title.optional(),
  /** Stricter than on create; see `slugErrors`. */
  slug: z
    .string()
    .meta({
      description:
        '3 to 100 lower-case letters, digits and hyphens, with the further characters of wide addresses where `hosting.slugs` is `wide`; the stored slug is always accepted.',
      pattern: WIDE_SEGMENT,
      examples: ['opening-hours'],
    })
    .optional(),
  subroute: PAGE_FIELDS.subroute.optional(),
  type: pageType.optional(),
  status: z.enum(PAGE_STATUSES).optional(),
  description: PAGE_FIELDS.description.optional(),
  og_image_url: PAGE_FIELDS.og_image_url.optional(),
  meta: meta.optional(),
  config: config.optional(),
  markdown_content: z.string().nullable().optional(),
  ...typeFields,
  source: sourceFile,
})

const UpdateStandardPage = UpdatePage.extend({ subroute: subroute.optional() })

/** Read-only fields, which a body may contain without an effect. */
export const READ_ONLY = [
  'id',
  'project_id',
  'url',
  'sections_count',
  'word_count',
  'feed_id',
  'published_at',
  'scheduled_at',
  'created_at',
  'updated_at',
  'has_unpublished_changes',
  'stale',
]

const sorts = ['created_at', 'updated_at', 'page_name', 'slug'] as const

export const ListPages = z.object({
  project_id: projectRef,
  type: z.enum([...TYPE_NAMES, 'all']).default('all'),
  subroute: wideSubroute.optional(),
  status: z.enum([...PAGE_STATUSES, 'all']).default('all'),
  slug: z
    .string()
    .max(200)
    .transform(foldedAddress)
    .meta({
      description: 'An exact slug, or a pattern in which `*` matches any characters.',
      examples: ['opening-*'],
    })
    .optional(),
  tag: tagQuery.optional(),
  sort: z.enum(sorts).default('updated_at'),
  ...paging,
  created_after: timestamp.optional(),
  created_before: timestamp.optional(),
  updated_after: timestamp.optional(),
  updated_before: timestamp.optional(),
  include_content: flag.default(false),
})

export const GetPage = z.object({
  include_sections: flag.default(true),
  include_markdown: flag.default(true),
  format: z.enum(['json', 'markdown']).default('json'),
})

/** Filter and paging of a list of pages, and the filters that the answer repeats. */
export function readListPages(query: z.output<typeof ListPages>) {
  const filter: Omit<PageFilter, 'projectId'> = {
    type: query.type === 'all' ? null : pageTypeOf(query.type),
    status: query.status === 'all' ? null : query.status,
    subroute: query.subroute ?? null,
    slug: query.slug ?? null,
    tag: query.tag ?? null,
    createdAfter: query.created_after ?? null,
    createdBefore: query.created_before ?? null,
    updatedAfter: query.updated_after ?? null,
    updatedBefore: query.updated_before ?? null,
  }
  const { sort, order, limit, offset } = query
  return {
    filter,
    paging: { sort, order, limit, offset },
    meta: { type: filter.type ?? 'all', status: query.status },
  }
}

/** @throws {ServiceError} that names every invalid field. */
export function readCreatePage(body: JsonObject, themes: readonly string[], alphabet: SlugAlphabet): NewPage {
  const schema = alphabet === 'wide' ? CreatePage : CreateStandardPage
  const given = parseBody(schema, withTitleAs('title', withoutEchoedSource(body), null), {
    readOnly: READ_ONLY.filter((field) => field !== 'project_id'),
    also: () => [
      ...titleErrors(body, null),
      ...configErrors(pageTypeOf(body['type']), body['config'], themes),
    ],
  })
  return {
    title: given.title,
    slug: given.slug,
    subroute: given.subroute,
    type: given.type,
    description: given.description,
    ogImageUrl: given.og_image_url,
    meta: Object.fromEntries(Object.entries(given.meta).filter(([, value]) => value != null)),
    config: given.config,
    markdown: given.markdown_content ?? '',
    ownFields: readTypeFields(given),
    source: given.source && { folder: given.source.folder, path: given.source.path },
  }
}

/**
 * @param shown the type's own fields.
 * @throws {ServiceError} that names every invalid field.
 */
export function readUpdatePage(
  body: JsonObject,
  page: Page,
  shown: ShownFields,
  themes: readonly string[],
  alphabet: SlugAlphabet,
): PageChange {
  const schema = alphabet === 'wide' ? UpdatePage : UpdateStandardPage
  const wanted = withoutEchoes(withoutEchoedSource(body), page.type, shown)
  const given = parseBody(schema, withTitleAs('title', wanted, page.title), {
    readOnly: READ_ONLY,
    also: () => [
      ...titleErrors(body, page.title),
      ...slugErrors(body['slug'], page.slug, alphabet),
      ...typeErrors(body['type'], page.type),
      ...configErrors(page.type, body['config'], themes),
    ],
  })
  return {
    status: given.status ?? null,
    source: pageSource(given.source, body, [...READ_ONLY, 'status']),
    edit: {
      title: given.title,
      slug: given.slug === undefined ? undefined : normalForm(given.slug),
      subroute: given.subroute,
      description: given.description,
      ogImageUrl: given.og_image_url,
      meta: given.meta as PageChange['edit']['meta'],
      config: given.config,
      markdown: given.markdown_content === null ? '' : given.markdown_content,
      ownFields: readTypeFields(given),
    },
  }
}

/**
 * Removes fields that equal their shown values: such a value may come from `config` or front matter, and must not be
 * stored on the page as well. Stays a field whose value the new content no longer has: it would be lost.
 */
function withoutEchoes(body: JsonObject, type: PageType, { now, withContent }: ShownFields): JsonObject {
  const named = (fields: TypeFields) => new Map(Object.entries(presentTypeFields(type, fields)))
  const { config, markdown_content: markdown } = body
  const shown = named(now)
  const next = named(
    withContent({
      ...(isJsonObject(config) && { config }),
      ...(typeof markdown === 'string' && { markdown }),
    }),
  )
  const unset = named(withContent({ config: {}, markdown: '' }))
  const isLost = (name: string) =>
    !isDeepStrictEqual(next.get(name), shown.get(name)) && isDeepStrictEqual(next.get(name), unset.get(name))
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => !shown.has(name) || !isDeepStrictEqual(value, shown.get(name)) || isLost(name),
    ),
  )
}

/** On update a slug has 3–100 lower-case characters; the stored slug is always accepted. */
function slugErrors(given: unknown, stored: string, alphabet: SlugAlphabet): readonly InvalidField[] {
  if (typeof given !== 'string' || given === stored) return []
  const slug = readSlug(given, alphabet)
  if (slug !== null && slug === normalForm(given) && [...slug].length >= MIN_LENGTH) return []
  const letters =
    alphabet === 'wide'
      ? `${MIN_LENGTH} to 100 lower-case letters and digits of any script, "-", "_" and ".", with at least one letter or digit, without a "_" at its start or a "." at either end, and not the name of a file that Quoin writes.`
      : `${MIN_LENGTH} to 100 lower-case letters, digits and hyphens, with at least one letter or digit.${readSlug(given, 'wide') === null || slug !== null ? '' : ` ${WIDE_HINT}`}`
  return [{ path: 'slug', message: `must be ${letters}`, code: 'wrong_format' }]
}

const MIN_LENGTH = 3

function typeErrors(given: unknown, stored: PageType): readonly InvalidField[] {
  const wanted = pageTypeOf(given)
  return wanted === null || wanted === stored
    ? []
    : [{ path: 'type', message: `is ${stored} and cannot change.`, code: 'cannot_change' }]
}
