import { isDeepStrictEqual } from 'node:util'
import type { DataOf } from '../client/routes.ts'
import { unstatedFeedGuid } from '../content-folder/feed-guid.ts'
import type { Site, SitePage } from '../content-folder/site.ts'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import type { TypeFields } from '../domain/page.ts'
import type { Addressed } from '../domain/route.ts'
import type { FieldDigests } from '../domain/source.ts'
import { resolvedFields } from '../page-text/derive.ts'
import { pageDigests } from '../page-text/page-digests.ts'

/** The id of a page, or the name of an earlier item of the same request. */
export type ParentPage = string | { readonly ref: string }

/** A page as the API shows it. */
type ApiPage = DataOf<'GET /pages/{id}'>

/** The digests of the page of a file. */
export function digestsOf(page: SitePage): FieldDigests {
  return pageDigests(page, page.parent)
}

/** The body of a request that creates a page. */
export function createBody<Parent extends ParentPage>(page: SitePage, parent: Parent | null) {
  const { publishDate, author, feedGuid, navOrder, tags, locale, translationKey } = page.ownFields
  return {
    title: page.title,
    slug: page.slug,
    subroute: page.subroute,
    description: page.description,
    og_image_url: page.ogImageUrl,
    meta: page.meta,
    config: page.config,
    markdown_content: page.markdown,
    publish_date: publishDate,
    author,
    feed_guid: feedGuid,
    nav_order: navOrder,
    parent_page: parent ?? undefined,
    tags,
    locale,
    translation_key: translationKey,
  }
}

/**
 * The fields of a new page. An article keeps its id in builds of the folder, wherever it moves. An import gives none,
 * because an exported article that was never published has none yet.
 */
export function newBody<Parent extends ParentPage>(
  page: SitePage,
  parent: Parent | null,
  { folder, site }: { readonly folder: string | null; readonly site: Pick<Site, 'origin' | 'settings'> },
) {
  const body = { ...createBody(page, parent), type: page.type, ...sourceOf(page, folder) }
  const given = folder === null || body.feed_guid != null ? null : unstatedFeedGuid(page, site)
  return given === null ? body : { ...body, feed_guid: given }
}

/** The record of the push for the server; nothing for an import. */
export function sourceOf({ source: path }: SitePage, folder: string | null) {
  return folder === null ? {} : { source: { folder, path } }
}

/** The body of a request that updates a page. Fields that the file does not have are reset. */
export function updateBody<Parent extends ParentPage>(page: SitePage, parent: Parent | null) {
  const { publishDate = null, author = null } = page.ownFields
  const { title = null, description = null, keywords = null, robots = null } = page.meta
  const { tags, locale, translationKey, navOrder } = effectiveFields(page)
  return {
    ...createBody(page, parent),
    meta: { title, description, keywords, robots },
    tags: [...tags],
    locale,
    translation_key: translationKey,
    ...(page.type === 'article' && { publish_date: publishDate, author }),
    ...(page.type === 'docs' && { nav_order: navOrder, parent_page: parent }),
  }
}

export type UpdateBody = ReturnType<typeof updateBody>

/**
 * The fields of the page on the server that sending this body would change, e.g. `title` or `config.sections`.
 * Empty when the page would stay the same.
 */
export function differentFields(body: UpdateBody, page: SitePage, current: ApiPage): readonly string[] {
  const { title, markdown_content: markdown, publish_date: _, author: __, feed_guid: guid, ...fields } = body
  const { publishDate, author } = effectiveFields(page)
  const others = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : differences(name, value, current[name as keyof ApiPage]),
  )
  return [
    ...(title === current.page_name ? [] : ['title']),
    ...(markdown === (current.markdown_content ?? '') ? [] : ['markdown_content']),
    // An article without a date shows the date of its first publish.
    ...(publishDate === null || publishDate === current.publish_date ? [] : ['publish_date']),
    ...(isDeepStrictEqual(author, current.author ?? null) ? [] : ['author']),
    // A file may state an id that readers of the feed have from the server, as in an export.
    ...(guid === undefined || guid === (current.feed_guid ?? null) || guid === current.feed_id
      ? []
      : ['feed_guid']),
    ...others,
  ]
}

/** One level deep: `config.sections` rather than `config`. */
function differences(name: string, ours: unknown, theirs: unknown): readonly string[] {
  if (isDeepStrictEqual(ours, theirs)) return []
  if (!isJsonObject(ours) || !isJsonObject(theirs)) return [name]
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])]
  return keys.filter((key) => !isDeepStrictEqual(ours[key], theirs[key])).map((key) => `${name}.${key}`)
}

/** The fields of the page's type. Values in the file win over values in its config or Markdown. */
function effectiveFields(page: SitePage): TypeFields {
  return resolvedFields({ ...page, firstPublishedAt: null })
}

/**
 * The digests of a page on the server.
 *
 * @param file the digests of its file. An article without a date shows the date of its first publish: no edit.
 * @param addressOfPage reads the address of the parent.
 */
export async function storedDigests(
  page: ApiPage,
  file: FieldDigests,
  addressOfPage: (id: string) => Promise<Addressed>,
): Promise<FieldDigests> {
  const { title, description, keywords, robots } = page.meta
  const meta = { title, description, keywords, robots }
  const showsFirstPublish = page.published_at !== null && file.fields['publish_date'] === undefined
  const publishDate = showsFirstPublish ? undefined : page.publish_date
  const { parent_page: parent = null, author, nav_order: navOrder } = page
  const content = {
    title: page.page_name,
    slug: page.slug,
    subroute: page.subroute,
    type: page.type,
    description: page.description,
    ogImageUrl: page.og_image_url,
    meta: Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== null)),
    config: page.config as JsonObject,
    markdown: page.markdown_content ?? '',
    ownFields: {
      tags: page.tags,
      locale: page.locale,
      translationKey: page.translation_key,
      ...(publishDate != null && { publishDate }),
      ...(author != null && { author }),
      ...(navOrder !== undefined && { navOrder }),
    },
  }
  return pageDigests(content, parent === null ? null : await addressOfPage(parent))
}
