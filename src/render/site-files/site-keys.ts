import { NOT_FOUND_FILE } from '../../domain/not-found-page.ts'
import { SITE_ICON_KEYS } from '../../domain/site-icons.ts'
import { SITE_FEED } from '../../domain/site-lines.ts'
import { JSON_FEED } from './feeds.ts'
import { sitemapKeys } from './sitemap.ts'

/**
 * All keys that a site of this size may have apart from pages, navigation, assets and the files of the search index.
 *
 * @param subroutes of its locales.
 */
export function siteKeys(pages: number, subroutes: readonly string[]): readonly string[] {
  const ofLocales = subroutes
    .filter((subroute) => subroute !== '')
    .flatMap((subroute) => LOCALE_FILES.map((name) => `${subroute}/${name}`))
  return [
    ...ofLocales,
    '_index.json',
    NOT_FOUND_FILE,
    'robots.txt',
    SITE_FEED,
    JSON_FEED,
    'llms.txt',
    ...SITE_ICON_KEYS,
    ...sitemapKeys(pages),
  ]
}

/** The files that each language has. */
const LOCALE_FILES = [NOT_FOUND_FILE, SITE_FEED, JSON_FEED]
