import { PAGE_SLOTS } from '../../domain/listing.ts'

/** The paths of the numbered pages of a blog with so many articles, without its front page. */
export function numberedPages(blog: string, articles: number): ReadonlySet<string> {
  const count = Math.max(0, Math.ceil(articles / PAGE_SLOTS) - 2)
  const prefix = blog === '' ? '' : `/${blog}`
  return new Set(Array.from({ length: count }, (_, index) => `${prefix}/page/${index + 1}`))
}
