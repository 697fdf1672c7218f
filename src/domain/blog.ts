import type { Page } from './page.ts'

/*
 * The blog of an article: the folder whose list, tags and breadcrumbs have the article.
 *
 * A folder of articles may have folders of its own: one per article, with its images (`blog/trip/index.md`), per year
 * or month (`blog/2024/03/trip.md`), or per topic (`blog/travel/trip.md`). Their articles belong to the folder above.
 */

/** Usual names of folders of articles. */
const BLOG_NAMES: ReadonlySet<string> = new Set(
  'blog post posts news article articles note notes journal'.split(' '),
)

/** The folders of a date at the end of a subroute: `/2024`, `/2024/03`, `/2024/03/10`, `/2024-03`. */
const DATE_FOLDERS = /\/\d{4}(?:-\d{2}){0,2}(?:\/\d{1,2}){0,2}$/

/** The lists of a blog's tags and authors have these folders. */
const LIST_FOLDERS = /\/(?:tags(?:\/.*)?|authors\/.*)$/s

/**
 * Returns the subroute of the blog of a page. In this order: the blog that the article states, the first folder above
 * it with one of `BLOG_NAMES`, its folder without an own folder and without folders of a date.
 *
 * @param stated the field `blog` of the article; a content folder states it for the folders in `types`.
 * @returns null for other types than articles, for the page of the blog itself, and for articles at the top of the site
 *   without a stated blog.
 */
export function blogOf(
  { type, subroute, slug }: Pick<Page, 'type' | 'subroute' | 'slug'>,
  stated: string | null,
): string | null {
  if (type !== 'article') return null
  const given = stated ?? (subroute === '' ? null : usualBlog(subroute, slug))
  if (given === null) return null
  const blog = given.replace(LIST_FOLDERS, '')
  return slug === 'index' && blog === subroute ? null : blog
}

function usualBlog(subroute: string, slug: string): string {
  const segments = subroute.split('/')
  const named = segments.findIndex((segment) => BLOG_NAMES.has(segment))
  if (named >= 0) return segments.slice(0, named + 1).join('/')
  const hasOwnFolder = slug === 'index' && segments.length > 1
  return (hasOwnFolder ? segments.slice(0, -1).join('/') : subroute).replace(DATE_FOLDERS, '')
}
