import { posix } from 'node:path'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { objectOf, textOf } from '../config/config-values.ts'
import type { PageTarget, SourceLists } from '../conversion.ts'
import { numberedPaths } from '../links/numbered-lists.ts'
import { urlized } from './permalinks.ts'

const USUAL_TAXONOMIES = { tag: 'tags', category: 'categories' }
const FEED = 'index.xml'
const PAGER_SIZE = 10

/**
 * The feeds of the site and of each folder of articles, and the lists of taxonomies, unless
 * `disableKinds` leaves them out. Source: https://gohugo.io/configuration/all/#disablekinds.
 */
export function hugoLists(
  { disableKinds, taxonomies, paginate, pagination }: JsonObject,
  pages: ReadonlyMap<string, PageTarget>,
): SourceLists {
  const disabled = new Set(
    (Array.isArray(disableKinds) ? disableKinds : []).map((kind) => String(kind).toLowerCase()),
  )
  const hasFeeds = !disabled.has('rss')
  const articles = [...pages.values()].filter(
    ({ type, hidden, lang }) => type === 'article' && hidden === undefined && lang === undefined,
  )
  const folders = new Set(['', ...articles.flatMap(({ route }) => foldersAbove(route))])
  const feeds = [...folders].map((folder) => [posix.join('/', folder, FEED), folder] as const)
  const named = isJsonObject(taxonomies) ? taxonomies : USUAL_TAXONOMIES
  const fields = disabled.has('term') || disabled.has('taxonomy') ? [] : Object.values(named)
  const size = Number(objectOf(pagination)['pagerSize'] ?? paginate ?? PAGER_SIZE)
  const pagePath = textOf(objectOf(pagination)['path']) ?? 'page'
  return {
    feeds: new Map(hasFeeds ? feeds : []),
    others: [...folders].map((folder) => ({
      folder,
      pathsOf: numberedPaths(size, (number) => `${posix.join('/', folder, pagePath, number)}/`),
    })),
    terms: fields
      .filter((field) => typeof field === 'string')
      .map((field) => ({
        field,
        pathsOf(term) {
          const list = `/${urlized(field)}/${urlized(term)}/`
          return { list, feeds: hasFeeds ? [list + FEED] : [] }
        },
      })),
  }
}

function foldersAbove(route: string): readonly string[] {
  const above = posix.dirname(route)
  return above === '.' ? [] : [...foldersAbove(above), above]
}
