import { isDeepStrictEqual } from 'node:util'
import type { AnswerOf } from '../client/client.ts'
import { resolvedFields } from '../content/derive.ts'
import type { TypeFields } from '../domain/page.ts'
import type { SitePage } from '../site/site.ts'

/** A page as the API shows it. */
type ShownPage = AnswerOf<'GET /pages/{id}'>['data']

/** @param parent id of the page it stands beneath. */
export function newBody(page: SitePage, parent: string | null) {
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
export function fullBody(page: SitePage, parent: string | null) {
  const { publishDate = null, author = null } = page.ownFields
  const { title = null, description = null, keywords = null, robots = null } = page.meta
  return {
    ...newBody(page, parent),
    meta: { title, description, keywords, robots },
    ...(page.type === 'article' && { publish_date: publishDate, author }),
    ...(page.type === 'docs' && { nav_order: heldFields(page).navOrder, parent_page: parent }),
  }
}

export type FullBody = ReturnType<typeof fullBody>

/** Whether sending this body of the page would leave it as it is shown. */
export function isShown(body: FullBody, page: SitePage, shown: ShownPage): boolean {
  const { title, markdown_content: markdown, publish_date: _, author: __, ...fields } = body
  const { publishDate, author } = heldFields(page)
  return (
    title === shown.page_name &&
    markdown === (shown.markdown_content ?? '') &&
    // Without a date of its own an article shows that of its first publish.
    (publishDate === null || publishDate === shown.publish_date) &&
    isDeepStrictEqual(author, shown.author ?? null) &&
    Object.entries(fields).every(
      ([name, value]) => value === undefined || isDeepStrictEqual(value, shown[name as keyof ShownPage]),
    )
  )
}

/** The type's own fields as they hold: those the file says, else what its config or Markdown does. */
function heldFields(page: SitePage): TypeFields {
  return resolvedFields({ ...page, firstPublishedAt: null })
}
