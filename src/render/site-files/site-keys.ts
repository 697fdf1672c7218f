import { SITE_ICON_KEYS } from '../../domain/site-icons.ts'
import { sitemapKeys } from './sitemap.ts'

/** All keys that a site of this size may have apart from pages, navigation and assets. */
export function siteKeys(pages: number): readonly string[] {
  return [
    '_index.json',
    '404.html',
    'robots.txt',
    'feed.xml',
    '_feed.json',
    'llms.txt',
    'llms-full.txt',
    ...SITE_ICON_KEYS,
    ...sitemapKeys(pages),
  ]
}
