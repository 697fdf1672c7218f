import { stringify } from 'yaml'
import { blogOf } from '../../domain/blog.ts'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import { readRedirectPath } from '../../domain/redirect-path.ts'
import { MAX_SITE_REDIRECTS } from '../../domain/site-redirect.ts'
import { foldedAddress } from '../../domain/slug.ts'
import { tagAddress } from '../../domain/tag.ts'
import { tagFolder } from '../../domain/tag-list.ts'
import { listOf, textOf } from '../config/config-values.ts'
import type { SourceLists, SourceSite } from '../conversion.ts'
import { tagsOf } from '../page/page-tags.ts'

/** An article of the new site, with the front matter that it had. */
export interface ListedArticle {
  readonly route: string
  readonly fields: JsonObject
}

/** Redirects of a site that lead to no page, as `redirects.yaml` has them. */
export interface SiteRedirects {
  readonly lines: ReadonlyMap<string, string>
  readonly diagnostics: readonly Diagnostic[]
}

/** Addresses that one diagnostic names. */
const NAMED = 5
const REDIRECTS_FILE = 'redirects.yaml'

/**
 * Leads from paths that the configuration redirects, and from the feeds and lists that the source generator made to those
 * of the new site that have the same articles.
 *
 * @param stated where paths lead that belong to no page of the new site.
 * @param articles of the new site, without drafts.
 * @param taken paths that pages, files and redirects of the new site have.
 */
export function siteRedirects(
  { lists = NO_LISTS, fields }: Pick<SourceSite, 'lists' | 'fields'>,
  stated: ReadonlyMap<string, string>,
  articles: readonly ListedArticle[],
  taken: ReadonlySet<string>,
): SiteRedirects {
  const lines = new Map<string, string>()
  const lost: string[] = []
  const reserved: string[] = []
  const inUse: string[] = []
  const spread: string[] = []
  const used = new Set([...taken].map(foldedAddress))
  const lead = (from: string, to: string | null) => {
    const path = readRedirectPath(from)
    if (path === to) return
    if (path === null) return void reserved.push(from)
    if (used.has(foldedAddress(path))) return void (stated.has(from) && inUse.push(from))
    if (to === null || lines.size === MAX_SITE_REDIRECTS) return void lost.push(from)
    used.add(foldedAddress(path))
    lines.set(from.replace(/(?<=.)\/$/, ''), to)
  }
  for (const [from, to] of stated) lead(from, to)
  for (const [language, own] of byLanguage(articles, fields)) {
    const prefix = language === '' ? '' : `/${language}`
    for (const [from, folder] of lists.feeds) {
      const having = articlesBelow(folder, own, language)
      // A feed without articles has no readers.
      if (having.length > 0) lead(prefix + from, having.length === own.length ? `${prefix}/feed.xml` : null)
    }
    for (const { field, pathsOf } of lists.terms)
      for (const [term, having] of byTerm(own, field)) {
        const list = tagListOf(term, having)
        const paths = pathsOf(term)
        if (list?.hasOthers === true) spread.push(prefix + paths.list)
        lead(prefix + paths.list, list && `/${list.folder}`)
        for (const from of paths.feeds) lead(prefix + from, list && `/${list.folder}/feed.xml`)
      }
  }
  return {
    lines,
    diagnostics: [
      ...report('QN-UNUSED-REDIRECT', lost, 'no feed or list of the new site has the same articles'),
      ...report('QN-UNUSED-REDIRECT', inUse, 'another page or file has this path'),
      ...report(
        'QN-UNUSED-REDIRECT',
        reserved,
        'Quoin writes files of this name itself, or the path is not valid',
      ),
      ...report(
        'QN-PARTLY-CONVERTED',
        spread,
        'each blog has a list of its own, and the redirect leads to that with most articles',
      ),
    ],
  }
}

const NO_LISTS: SourceLists = { feeds: new Map(), terms: [] }

/** The text of `redirects.yaml`. */
export function redirectsFile(lines: ReadonlyMap<string, string>): string {
  return stringify(Object.fromEntries(lines), { lineWidth: 0 })
}

function report(
  code: 'QN-UNUSED-REDIRECT' | 'QN-PARTLY-CONVERTED',
  paths: readonly string[],
  reason: string,
): readonly Diagnostic[] {
  if (paths.length === 0) return []
  const others = paths.length > NAMED ? ` and ${paths.length - NAMED} others` : ''
  const named = paths.slice(0, NAMED).join(', ')
  return [diagnostic(code, REDIRECTS_FILE, `${named}${others}: ${reason}.`)]
}

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
  return own.filter(({ route }) => route.startsWith(below))
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

/**
 * The folder of the list of a tag; null unless every article that had the term has it as a tag and belongs to a blog.
 * Of several blogs, the one with most of these articles.
 */
function tagListOf(
  term: string,
  having: readonly ListedArticle[],
): { readonly folder: string; readonly hasOthers: boolean } | null {
  const address = tagAddress(term)
  const counts = new Map<string, number>()
  for (const { route, fields } of having) {
    const [slug = '', ...above] = route.split('/').reverse()
    const blog = blogOf({ type: 'article', subroute: above.reverse().join('/'), slug }, null)
    const hasTag = tagsOf(fields['tags']).kept.some((tag) => tagAddress(tag) === address)
    if (blog === null || !hasTag) return null
    counts.set(blog, (counts.get(blog) ?? 0) + 1)
  }
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a)
  return first === undefined ? null : { folder: tagFolder(first[0], address), hasOthers: counts.size > 1 }
}
