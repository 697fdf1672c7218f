import { type CollectionQuery, inLanguage } from '../../domain/collection.ts'
import type { Snapshot } from '../../domain/live-page.ts'
import { type Locale, localeAt, localeOf, localesOf, pathInLocale } from '../../domain/locale.ts'
import { sectionsOf } from '../../domain/page.ts'
import { publicPath } from '../../domain/route.ts'
import { collectionQueries } from '../../sections/collection-query.ts'

type Asking = Pick<Snapshot, 'page' | 'fields' | 'settings' | 'site'>

/** Queries of the page's `posts` sections, which find pages of its own language. */
export function queriesOf({ page, fields, settings, site }: Asking): readonly CollectionQuery[] {
  const queries = collectionQueries(sectionsOf(page), site.hostingMode === 'data_mode')
  const locales = localesOf(settings)
  if (queries.length === 0 || locales.length === 0) return queries
  const own = localeOf({ path: publicPath(page, settings.siteRoutes), fields, settings })
  return queries.map((query) => {
    const locale = statedLocale(query, settings) ?? own
    return locale === null ? query : { ...query, ...inLanguage(locale, locales) }
  })
}

/** The language that a query names by a subroute below that of the language; null for none. */
function statedLocale({ subroute }: CollectionQuery, settings: Asking['settings']): Locale | null {
  if (subroute === null) return null
  const path = publicPath({ subroute, slug: 'index' }, settings.siteRoutes)
  const locale = localeAt(path, localesOf(settings))
  return locale !== null && pathInLocale(path, locale) !== path.slice(1) ? locale : null
}
