import type { ListedPage } from '../../domain/live-page.ts'
import type { PostsProps, PostView } from '../../theme/view.ts'
import { dateText } from '../page/article-facts.ts'
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

/** A grid if any post has an image; without images a list is easier to read. */
export function postLayout(posts: readonly PostView[]): PostsProps['layout'] {
  return posts.some(({ image }) => image !== null) ? 'grid' : 'list'
}
