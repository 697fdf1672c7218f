import type { Artifact } from '../../domain/artifact.ts'
import { dayOf } from '../../domain/date.ts'
import type { PlacedPage, SiteIdentity } from '../../domain/live-page.ts'
import { canonicalUrl } from '../page/head-view.ts'
import { lastEdit } from '../page/last-edit.ts'
import type { JoinedText } from './join-bytes.ts'
import { siteFile } from './site-file.ts'
import { isUnlisted } from './unlisted.ts'
import { xmlText } from './xml.ts'

/** Maximum number of URLs per file. Source: https://www.sitemaps.org/protocol.html */
const MAX_URLS = 50_000
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** The page's element in the sitemap, on one line; null for pages that search engines should skip. */
export function sitemapLine(live: PlacedPage): string | null {
  if (isUnlisted(live)) return null
  const { path, site } = live
  const day = dayOf(lastEdit(live))
  return `<url><loc>${xmlText(canonicalUrl(site, path))}</loc><lastmod>${day}</lastmod></url>`
}

/** Sitemap element of a listing's first page. */
export function listingLine(site: SiteIdentity, path: string): string {
  return `<url><loc>${xmlText(canonicalUrl(site, path))}</loc></url>`
}

/** `sitemap.xml`. A site with more pages than one file may list gets an index and several files. */
export function sitemap(origin: string, lines: readonly string[]): readonly Artifact[] {
  if (lines.length <= MAX_URLS) return [siteFile('sitemap.xml', document('urlset', lines))]
  const parts = Array.from({ length: Math.ceil(lines.length / MAX_URLS) }, (_, index) =>
    siteFile(partKey(index), document('urlset', lines.slice(index * MAX_URLS, (index + 1) * MAX_URLS))),
  )
  const named = parts.map(({ key }) => `<sitemap><loc>${xmlText(`${origin}/${key}`)}</loc></sitemap>`)
  return [...parts, siteFile('sitemap.xml', document('sitemapindex', named))]
}

/** All keys that the sitemap of a site of this size may have. */
export function sitemapKeys(pages: number): readonly string[] {
  const parts = pages <= MAX_URLS ? 0 : Math.ceil(pages / MAX_URLS)
  return ['sitemap.xml', ...Array.from({ length: parts }, (_, index) => partKey(index))]
}

/** Key of the first file of a split sitemap. */
export const FIRST_SITEMAP = partKey(0)

function partKey(index: number): string {
  return `sitemap-${index + 1}.xml`
}

/** Points to the sitemap and forbids nothing. Source: RFC 9309. */
export function robots(origin: string): Artifact {
  return siteFile('robots.txt', `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`)
}

function document(root: string, lines: readonly string[]): JoinedText {
  return {
    start: `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n`,
    lines,
    separator: '\n',
    end: `${lines.length === 0 ? '' : '\n'}</${root}>\n`,
  }
}
