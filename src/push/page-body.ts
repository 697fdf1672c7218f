import { isDeepStrictEqual } from 'node:util'
import type { AnswerOf } from '../client/client.ts'
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
  const { publishDate = null, author = null, navOrder = 0 } = page.ownFields
  const { title = null, description = null, keywords = null, robots = null } = page.meta
  return {
    ...newBody(page, parent),
    meta: { title, description, keywords, robots },
    ...(page.type === 'article' && { publish_date: publishDate, author }),
    ...(page.type === 'docs' && { nav_order: navOrder, parent_page: parent }),
  }
}

export type FullBody = ReturnType<typeof fullBody>

/** Whether sending this would leave the page as it is. */
export function isShown(body: FullBody, shown: ShownPage): boolean {
  const { title, markdown_content: markdown, publish_date: published, ...fields } = body
  return (
    title === shown.page_name &&
    markdown === (shown.markdown_content ?? '') &&
    // Without a date of its own an article shows that of its first publish.
    (published == null || published === shown.publish_date) &&
    Object.entries(fields).every(
      ([name, value]) => value === undefined || isDeepStrictEqual(value, shown[name as keyof ShownPage]),
    )
  )
}
