import { blogOf } from '../../domain/blog.ts'
import type { JsonObject } from '../../domain/json.ts'
import { readSeries } from '../../domain/series.ts'
import { authorFolder } from '../../domain/site-author.ts'
import { foldedAddress } from '../../domain/slug.ts'
import { tagAddress } from '../../domain/tag.ts'
import { tagFolder } from '../../domain/tag-list.ts'
import { listOf, textOf } from '../config/config-values.ts'
import type { SourceLists, SourceSite } from '../conversion.ts'
import { numberedPages } from '../page/numbered-pages.ts'
import { authorOf } from '../page/page-author.ts'
import { termsOf } from '../page/page-tags.ts'
import { readSourceDate } from '../page/source-date.ts'

/** An article of the new site, with the front matter that it had. */
export interface ListedArticle {
  /** The path in the source folder. */
  readonly file: string
  readonly route: string
  /** The folder of its blog, where the route does not say it. */
  readonly blog?: string
  readonly fields: JsonObject
}

/** A generated address of the source site with articles. */
export interface ListedAddress {
  readonly kind: 'feed' | 'list' | 'page'
  readonly from: string
  /** The feed or list of the new site with the same articles. Null when there is none. */
  readonly to: string | null
  /** Several blogs of the new site have articles of the list, and it leads to that with most of them. */
  readonly isSpread: boolean
  /** One of the articles, a path in the source folder. */
  readonly file: string
}

/** The feeds and lists of these articles in the source site. None of the articles is a draft. */
export function listedAddresses(
  { lists = NO_LISTS, fields }: Pick<SourceSite, 'lists' | 'fields'>,
  articles: readonly ListedArticle[],
): readonly ListedAddress[] {
  return [...byLanguage(articles, fields)].flatMap(([language, own]) => {
    const prefix = language === '' ? '' : `/${language}`
    const feeds = [...lists.feeds].flatMap(([from, folder]): ListedAddress[] => {
      const having = articlesBelow(folder, own, language)
      const [first] = having
      // A feed without articles has no readers.
      if (first === undefined) return []
      const to = having.length === own.length ? `${prefix}/feed.xml` : null
      return [{ kind: 'feed', from: prefix + from, to, isSpread: false, file: first.file }]
    })
    const terms = lists.terms.flatMap(({ field, pathsOf }) =>
      [...byTerm(own, field)].flatMap(([term, having]) => {
        const list = listFor(field, term, having)
        const paths = pathsOf(term)
        const isSpread = list?.hasOthers === true
        const file = having[0]?.file ?? ''
        const to = list && `/${list.folder}`
        return [
          { kind: 'list', from: prefix + paths.list, to, isSpread, file } as const,
          ...paths.feeds.map((from): ListedAddress => {
            const feed = to === null || field === 'series' ? null : `${to}/feed.xml`
            return { kind: 'feed', from: prefix + from, to: feed, isSpread: false, file }
          }),
        ]
      }),
    )
    const others = (lists.others ?? []).flatMap(({ folder, pathsOf }): ListedAddress[] => {
      const having = articlesBelow(folder, own, language)
      const blog = mainBlogOf(having)
      return pathsOf(having.map(({ fields: each }) => each)).map((from) => {
        const path = (prefix + from).replace(/\/$/, '')
        const isOwn = blog !== null && numberedPages(blog, having.length).has(path)
        const to = isOwn ? path : blog === null ? null : `/${blog}`
        return { kind: 'page', from: prefix + from, to, isSpread: false, file: having[0]?.file ?? '' }
      })
    })
    return [...feeds, ...terms, ...others]
  })
}

const NO_LISTS: SourceLists = { feeds: new Map(), terms: [] }

/** Articles by the folder of their language, whose feed has all of them; empty for the main one. */
function byLanguage(
  articles: readonly ListedArticle[],
  { locales }: JsonObject,
): ReadonlyMap<string, readonly ListedArticle[]> {
  const folders = listOf(locales).flatMap(({ subroute }) => textOf(subroute) ?? [])
  const longest = folders.toSorted((a, b) => b.length - a.length)
  const found = new Map<string, ListedArticle[]>()
  for (const article of articles) {
    const folder = longest.find((each) => article.route.startsWith(`${each}/`)) ?? ''
    const own = found.get(folder)
    if (own === undefined) found.set(folder, [article])
    else own.push(article)
  }
  return found
}

/** @param folder below that of the language. */
function articlesBelow(
  folder: string,
  own: readonly ListedArticle[],
  language: string,
): readonly ListedArticle[] {
  if (folder === '') return own
  const below = `${language === '' ? '' : `${language}/`}${folder}/`
  return own.filter(({ route, blog }) => (blog === undefined ? route : `${blog}/`).startsWith(below))
}

/** Articles by the terms of a field, in any spelling of one address. */
function byTerm(
  articles: readonly ListedArticle[],
  field: string,
): ReadonlyMap<string, readonly ListedArticle[]> {
  const terms = new Map<string, { readonly name: string; readonly having: ListedArticle[] }>()
  for (const article of articles)
    for (const name of [article.fields[field] ?? []].flat()) {
      if (typeof name !== 'string' && typeof name !== 'number') continue
      const known = terms.get(foldedAddress(String(name)))
      if (known === undefined)
        terms.set(foldedAddress(String(name)), { name: String(name), having: [article] })
      else known.having.push(article)
    }
  return new Map([...terms.values()].map(({ name, having }) => [name, having]))
}

interface NewList {
  readonly folder: string
  /** Several blogs have such a list. */
  readonly hasOthers: boolean
}

/**
 * The folder of the list of a tag; null unless every article that had the term has it as a tag and belongs to a blog.
 * Of several blogs, the one with most of these articles.
 */
function tagListOf(term: string, having: readonly ListedArticle[]): NewList | null {
  const address = tagAddress(term)
  const blogs = blogsOf(having)
  const [first] = blogs ?? []
  const haveTag = having.every(({ fields }) =>
    termsOf(fields).kept.some((tag) => tagAddress(tag) === address),
  )
  return blogs === null || first === undefined || !haveTag
    ? null
    : { folder: tagFolder(first, address), hasOthers: blogs.length > 1 }
}

/** The blog with most of these articles. Null when one of them belongs to none. */
export function mainBlogOf(articles: readonly ListedArticle[]): string | null {
  return blogsOf(articles)?.[0] ?? null
}

/** The blogs of articles, that with most of them first. */
function blogsOf(articles: readonly ListedArticle[]): readonly string[] | null {
  const counts = new Map<string, number>()
  for (const { route, blog: stated = null } of articles) {
    const [slug = '', ...above] = route.split('/').toReversed()
    const blog = blogOf({ type: 'article', subroute: above.toReversed().join('/'), slug }, stated)
    if (blog === null) return null
    counts.set(blog, (counts.get(blog) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([blog]) => blog)
}

function listFor(field: string, term: string, having: readonly ListedArticle[]): NewList | null {
  if (field === 'series') return seriesOf(having)
  return /^authors?$/.test(field) ? authorListOf(term, having) : tagListOf(term, having)
}

/** The list of an author; null unless every article has the author as its first, whom alone it keeps. */
function authorListOf(name: string, having: readonly ListedArticle[]): NewList | null {
  const blogs = blogsOf(having)
  const [first] = blogs ?? []
  const isTheirs = having.every(({ fields }) => authorOf(fields) === name)
  return blogs === null || first === undefined || !isTheirs
    ? null
    : { folder: authorFolder(first, tagAddress(name)), hasOthers: blogs.length > 1 }
}

/** The first part of a series, which lists all others; null where Quoin knows no such series. */
function seriesOf(having: readonly ListedArticle[]): NewList | null {
  const [first] = having.toSorted((one, other) => (dateOf(one) < dateOf(other) ? -1 : 1))
  if (first === undefined || readSeries(first.fields['series'] ?? null) === null) return null
  return { folder: first.route, hasOthers: false }
}

function dateOf({ fields }: ListedArticle): string {
  return readSourceDate(fields['date']) ?? ''
}
