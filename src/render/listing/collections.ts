import { type CollectionQuery, inLanguage } from '../../domain/collection.ts'
import type { Snapshot } from '../../domain/live-page.ts'
import { type Locale, localeAt, localeOf, pathInLocale } from '../../domain/locale.ts'
import { sectionsOf } from '../../domain/page.ts'
import { publicPath } from '../../domain/route.ts'
import { collectionQueries } from '../../sections/collection-query.ts'

type Asking = Pick<Snapshot, 'page' | 'fields' | 'settings' | 'site'>

/** Queries of the page's `posts` sections, which find pages of its own language. */
export function queriesOf({ page, fields, settings, site }: Asking): readonly CollectionQuery[] {
  const queries = collectionQueries(sectionsOf(page), site.hostingMode === 'data_mode')
  const locales = settings.locales
  if (queries.length === 0 || locales.length === 0) return queries
  const path = publicPath(page, settings.siteRoutes)
  const own = localeOf({ path, fields, settings })
  // If the page is below the folder of its language, the folder in a query has a language too.
  const isByFolder = localeAt(path, locales) === own
  return queries.map((query) => {
    const locale = statedLocale(query, settings, isByFolder) ?? own
    return locale === null ? query : { ...query, ...inLanguage(locale, locales) }
  })
}

/**
 * The language that a query names by its subroute; null for none.
 *
 * @param isByFolder whether a folder of no language has the default one.
 */
function statedLocale(
  { subroute }: CollectionQuery,
  settings: Asking['settings'],
  isByFolder: boolean,
): Locale | null {
  if (subroute === null) return null
  const path = publicPath({ subroute, slug: 'index' }, settings.siteRoutes)
  const locale = localeAt(path, settings.locales)
  return locale !== null && (isByFolder || pathInLocale(path, locale) !== path.slice(1)) ? locale : null
}
