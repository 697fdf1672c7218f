import { isGivenForm } from '../domain/feed-id.ts'
import type { PageContent } from '../domain/page.ts'
import type { Addressed } from '../domain/route.ts'
import type { FieldDigests } from '../domain/source.ts'
import { resolvedFields } from './derive.ts'
import { fieldDigests, isUnset } from './field-digests.ts'

/**
 * The digests of what a push sends of a page, wherever its author wrote the fields.
 *
 * @param parent the address of the parent page; null for none.
 */
export function pageDigests(page: PageContent, parent: Addressed | null): FieldDigests {
  const own = resolvedFields({ ...page, firstPublishedAt: null })
  const { author, feedGuid = null } = own
  return fieldDigests({
    title: page.title,
    type: page.type,
    slug: page.slug,
    subroute: page.subroute,
    description: page.description,
    og_image_url: page.ogImageUrl,
    meta: Object.fromEntries(Object.entries(page.meta).filter(([, value]) => !isUnset(value))),
    config: page.config,
    markdown_content: page.markdown,
    tags: own.tags,
    locale: own.locale,
    translation_key: own.translationKey,
    publish_date: own.publishDate,
    author: author && {
      name: author.name,
      avatar: author.avatar ?? undefined,
      bio: author.bio,
      url: author.url,
    },
    // A file does not state an id of this form: a push gives it to an article that has none.
    feed_guid: feedGuid !== null && isGivenForm(feedGuid) ? null : feedGuid,
    nav_order: own.navOrder === 0 ? null : own.navOrder,
    parent_page: parent && `${parent.subroute}/${parent.slug}`,
  })
}
