import type { Grouping } from '../../domain/collection.ts'
import type { ListedPage } from '../../domain/live-page.ts'
import type { PostGroup, PostsProps, PostView } from '../../theme/view.ts'
import { dateText, periodText } from '../page/article-facts.ts'
import { imageView } from '../page/image-view.ts'
import type { Rendering } from '../page/rendering.ts'

/** Location in warnings. Images were already checked when the listed page was published. */
const IMAGE_LOCATION = 'posts'

/** @param lang a well-formed language tag, for the dates. */
export function postViews(
  pages: readonly ListedPage[],
  lang: string,
  rendering: Rendering,
): readonly PostView[] {
  return pages.map(({ path, title, excerpt, image, date, author }) => ({
    title,
    href: rendering.links.page(path),
    excerpt,
    image: imageView(image, IMAGE_LOCATION, rendering),
    date: date === null ? null : { iso: date, text: dateText(date, lang) },
    author,
  }))
}

/**
 * The posts under the year or the month of their dates, in their order. Empty for a list without headings. Posts
 * without a date join those before them.
 */
export function postGroups(
  posts: readonly PostView[],
  grouping: Grouping | null,
  lang: string,
): readonly PostGroup[] {
  if (grouping === null) return []
  const groups: { readonly title: string; readonly posts: PostView[] }[] = []
  for (const post of posts) {
    const last = groups.at(-1)
    const title = post.date === null ? (last?.title ?? '') : periodText(post.date.iso, grouping, lang)
    if (last?.title === title) last.posts.push(post)
    else groups.push({ title, posts: [post] })
  }
  return groups
}

/** A grid if at least half of the posts have an image. With fewer, a list reads better than cards without images. */
export function postLayout(posts: readonly PostView[]): PostsProps['layout'] {
  const withImage = posts.filter(({ image }) => image !== null).length
  return withImage > 0 && withImage * 2 >= posts.length ? 'grid' : 'list'
}
