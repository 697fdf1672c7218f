import { isDeepStrictEqual } from 'node:util'
import type { AnswerOf } from '../client/client.ts'
import type { SitePage } from '../content-folder/site.ts'
import { isJsonObject } from '../domain/json.ts'
import type { TypeFields } from '../domain/page.ts'
import { resolvedFields } from '../page-text/derive.ts'

/** A page as the API shows it. */
type ApiPage = AnswerOf<'GET /pages/{id}'>['data']

/** @param parent id of the page it stands beneath. */
export function createBody(page: SitePage, parent: string | null) {
  const { publishDate, author, navOrder } = page.ownFields
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
    nav_order: navOrder,
    parent_page: parent ?? undefined,
  }
}

/** The same for a page that is there: what the file does not say is taken back. */
export function updateBody(page: SitePage, parent: string | null) {
  const { publishDate = null, author = null } = page.ownFields
  const { title = null, description = null, keywords = null, robots = null } = page.meta
  return {
    ...createBody(page, parent),
    meta: { title, description, keywords, robots },
    ...(page.type === 'article' && { publish_date: publishDate, author }),
    ...(page.type === 'docs' && { nav_order: effectiveFields(page).navOrder, parent_page: parent }),
  }
}

export type UpdateBody = ReturnType<typeof updateBody>

/**
 * The fields that sending this body of the page would change in what is shown, by their names in the API;
 * what differs in `meta` and `config` by name too. Empty: it would leave the page as it is.
 */
export function differentFields(body: UpdateBody, page: SitePage, shown: ApiPage): readonly string[] {
  const { title, markdown_content: markdown, publish_date: _, author: __, ...fields } = body
  const { publishDate, author } = effectiveFields(page)
  const others = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : differences(name, value, shown[name as keyof ApiPage]),
  )
  return [
    ...(title === shown.page_name ? [] : ['title']),
    ...(markdown === (shown.markdown_content ?? '') ? [] : ['markdown_content']),
    // Without a date of its own an article shows that of its first publish.
    ...(publishDate === null || publishDate === shown.publish_date ? [] : ['publish_date']),
    ...(isDeepStrictEqual(author, shown.author ?? null) ? [] : ['author']),
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

/** The type's own fields as they hold: those the file says, else what its config or Markdown does. */
function effectiveFields(page: SitePage): TypeFields {
  return resolvedFields({ ...page, firstPublishedAt: null })
}
