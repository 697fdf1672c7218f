import { sitemapKeys } from './sitemap.ts'

/** Every key that a site of so many pages may have besides its pages, navigation and assets. */
export function siteKeys(pages: number): readonly string[] {
  return [
    '_index.json',
    '404.html',
    'robots.txt',
    'feed.xml',
    '_feed.json',
    'llms.txt',
    ...sitemapKeys(pages),
  ]
}
