import { fieldsOf } from './fields.ts'
import { type Content, compare, type Page, type Project, pagesOf, tagAddress, type World } from './world.ts'

/* Lists of articles, their tags, and the articles that an article leads to. */

const NATURAL = new Intl.Collator('en', { numeric: true })

/** The folder whose list contains an article: that of its blog, without a slash at either end. Null for other pages. */
export function blogFolder({ type, subroute, slug }: Content, { settings }: Project): string | null {
  if (type !== 'article' || subroute === '') return null
  const above = slug === 'index' && subroute.includes('/') && subroute !== 'blog'
  const blog = above ? subroute.slice(0, subroute.lastIndexOf('/')) : subroute
  if (slug === 'index' && blog === subroute) return null
  return (settings.site_routes[blog] ?? blog).replace(/^\/|\/$/g, '')
}

interface Article {
  readonly index: number
  readonly id: string
  readonly folder: string
  readonly path: string
  readonly content: Content
  readonly date: string
  readonly tags: readonly string[]
  readonly author: string | null
}

/** The live articles of a project that are in a list, the newest first. */
export function listedArticles(world: World, project: number): readonly Article[] {
  return pagesOf(world, project)
    .flatMap((page) => articleOf(page))
    .sort(newestFirst)
}

function articleOf({ index, id, live, firstPublishedAt }: Page & { readonly index: number }): Article[] {
  if (live === null || live.folder === null) return []
  const { path, content, folder } = live
  const { publish_date, tags, author } = fieldsOf(content, firstPublishedAt)
  const addresses = tags.map(tagAddress)
  return [
    {
      ...{ index, id, folder, path, content, tags: addresses },
      date: publish_date ?? '',
      author: author?.name ?? null,
    },
  ]
}

function newestFirst(a: Article, b: Article): number {
  return compare(b.date, a.date) || NATURAL.compare(a.content.title, b.content.title) || compare(a.id, b.id)
}

/** What a live article shows of others at its end, as one text; null for none, and for other pages. */
export function neighboursOf(world: World, project: number, index: number): string | null {
  const articles = listedArticles(world, project)
  const self = articles.find((article) => article.index === index)
  if (self === undefined) return null
  const blog = articles.filter(({ folder }) => folder === self.folder)
  const place = blog.indexOf(self)
  const adjacent = [blog[place - 1], blog[place + 1]].map(
    (other) => other && [other.content.title, other.path],
  )
  const shared = (other: Article) => other.tags.filter((tag) => self.tags.includes(tag)).length
  const related = blog
    .filter((other) => other !== self && shared(other) > 0)
    .sort((a, b) => shared(b) - shared(a) || newestFirst(a, b))
    .slice(0, 3)
  if (related.length === 0 && adjacent.every((other) => other === undefined)) return null
  return JSON.stringify([adjacent, related.map(shown)])
}

function shown({ path, content, date, author }: Article): readonly unknown[] {
  const { title, description, meta, og_image_url } = content
  return [path, title, description || (meta['description'] ?? null), date, author, og_image_url]
}
