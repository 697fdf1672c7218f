import { posix } from 'node:path'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import type { PageTarget, SourceLists } from '../conversion.ts'
import { urlized } from './permalinks.ts'

const USUAL_TAXONOMIES = { tag: 'tags', category: 'categories' }
const FEED = 'index.xml'

/**
 * The feeds of the site and of each folder of articles, and the lists of taxonomies, unless
 * `disableKinds` leaves them out. Source: https://gohugo.io/configuration/all/#disablekinds.
 */
export function hugoLists(
  { disableKinds, taxonomies }: JsonObject,
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
  return {
    feeds: new Map(hasFeeds ? feeds : []),
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
