import type { JsonObject } from '../../domain/json.ts'
import { tagAddress } from '../../domain/tag.ts'
import { textOf } from '../config/config-values.ts'
import type { SourceLists } from '../conversion.ts'
import type { EntryOutline } from '../exports/exported-site.ts'
import type { Term, WordpressTables } from './tables.ts'

/** Posts on a page of a list, unless the site says otherwise, which an export does not. */
const PER_PAGE = 10

/** Folders of the taxonomies of WooCommerce. */
const SHOP_TAXONOMIES: Readonly<Record<string, string>> = {
  product_cat: 'product-category',
  product_tag: 'product-tag',
}

/** Feeds and lists that WordPress makes. Source: https://wordpress.org/documentation/article/customize-permalinks/. */
export function wordpressLists(tables: WordpressTables, outlines: readonly EntryOutline[]): SourceLists {
  const front = frontOf(outlines)
  const { categories, tags, taxonomies, authors } = tables
  const terms = new Map([
    ...[...taxonomies].flatMap(([taxonomy, own]) => own.terms.map((term) => customPath(taxonomy, term))),
    ...[...tags.values()].map(tagPath),
    ...[...categories.values()].map(categoryPath),
  ])
  const writers = new Map([...authors.values()].map(({ name, login }) => [name, `${front}/author/${login}/`]))
  return {
    feeds: new Map([
      ['/feed/', ''],
      ['/feed/atom/', ''],
    ]),
    terms: [
      { field: 'tags', pathsOf: (term) => withFeed(terms.get(term) ?? `${front}/tag/${tagAddress(term)}/`) },
      {
        field: 'author',
        pathsOf: (term) => withFeed(writers.get(term) ?? `${front}/author/${tagAddress(term)}/`),
      },
    ],
    others: [
      { folder: '', pathsOf: (articles) => [...numbered(articles.length), ...archives(articles, front)] },
    ],
  }

  function tagPath({ name, slug }: Term): [string, string] {
    return [name, `${front}/tag/${slug}/`]
  }

  /** The address that a taxonomy has unless its plugin says otherwise, which an export does not. */
  function customPath(taxonomy: string, { name, slug }: Term): [string, string] {
    return [name, `/${SHOP_TAXONOMIES[taxonomy] ?? taxonomy}/${slug}/`]
  }

  /** A category is below the ones that it is in. */
  function categoryPath(category: Term): [string, string] {
    const slugs: string[] = []
    for (
      let at: Term | undefined = category;
      at !== undefined && slugs.length < 10;
      at = categories.get(at.parent)
    )
      slugs.unshift(at.slug)
    return [category.name, `${front}/category/${slugs.join('/')}/`]
  }
}

/** The folder that all posts are in, such as `/blog`: lists of terms are in it as well. Empty for none. */
function frontOf(outlines: readonly EntryOutline[]): string {
  const posts = outlines.filter(({ type, hidden }) => type === 'article' && hidden === undefined)
  const firsts = new Set(posts.map(({ address }) => /^\/([^/]+)\/[^/]/.exec(address)?.[1] ?? ''))
  const [first = ''] = firsts
  return firsts.size === 1 && posts.length > 1 && first !== '' && !/^\d{4}$/.test(first) ? `/${first}` : ''
}

function withFeed(list: string): { readonly list: string; readonly feeds: readonly string[] } {
  return { list, feeds: [`${list}feed/`] }
}

function numbered(articles: number): readonly string[] {
  const pages = Math.ceil(articles / PER_PAGE)
  return Array.from({ length: Math.max(0, pages - 1) }, (_, index) => `/page/${index + 2}/`)
}

function archives(articles: readonly JsonObject[], front: string): readonly string[] {
  const days = articles.flatMap(({ date }) => textOf(date)?.slice(0, 7) ?? [])
  return [
    ...new Set(days.flatMap((day) => [`${front}/${day.slice(0, 4)}/`, `${front}/${day.replace('-', '/')}/`])),
  ]
}
