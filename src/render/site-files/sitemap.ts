import type { Artifact } from '../../domain/artifact.ts'
import { dayOf } from '../../domain/date.ts'
import type { PlacedPage } from '../../domain/live-page.ts'
import {
  defaultLocale,
  groupedByKey,
  type Locale,
  localeAt,
  pathInLocale,
  type Translated,
} from '../../domain/locale.ts'
import { isOldVersion } from '../../domain/version.ts'
import { canonicalUrl, type Site } from '../page/head-view.ts'
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
  const { path, site, settings } = live
  if (isUnlisted(live) || isOldVersion(path, settings)) return null
  const day = dayOf(lastEdit(live))
  return `<url><loc>${xmlText(canonicalUrl(site, path))}</loc><lastmod>${day}</lastmod></url>`
}

/** Sitemap elements of the first pages of listings, with the same listing in other languages. */
export function listingLines({ site, settings }: Site, paths: readonly string[]): readonly string[] {
  const locales = settings.locales
  const lines = paths.map((path): TranslatedLine => {
    const locale = localeAt(path, locales)
    const sitemap = `<url><loc>${xmlText(canonicalUrl(site, path))}</loc></url>`
    if (locale === null) return { sitemap }
    return { sitemap, translated: { locale: locale.code, key: pathInLocale(path, locale) } }
  })
  return linesWithAlternates(lines, locales)
}

/** A page of the sitemap of a site with locales. */
export interface TranslatedLine {
  readonly sitemap: string | null
  readonly translated?: Translated
}

/**
 * The lines of the sitemap, each with all languages of its page. They follow from the live pages, so they are complete
 * even where documents from before a translation lack it.
 */
export function linesWithAlternates(
  lines: readonly TranslatedLine[],
  locales: readonly Locale[],
): readonly string[] {
  const listed = lines.flatMap(({ sitemap, translated }) =>
    sitemap === null ? [] : [{ line: sitemap, url: locationIn(sitemap), translated }],
  )
  const byKey = groupedByKey(listed)
  const alternates = new Map<string, string>()
  for (const [key, pages] of byKey) if (pages.length > 1) alternates.set(key, alternateLinks(pages, locales))
  return listed.map(({ line, translated }) => {
    const links = translated === undefined ? undefined : alternates.get(translated.key)
    return links === undefined ? line : line.replace('</url>', () => `${links}</url>`)
  })
}

interface ListedUrl {
  readonly url: string
  readonly translated?: Translated | undefined
}

/** The same for all pages that are translations of each other: each names itself too. */
function alternateLinks(pages: readonly ListedUrl[], locales: readonly Locale[]): string {
  const sorted = pages.toSorted((a, b) => (a.url < b.url ? -1 : 1))
  const ordered = locales.flatMap(
    ({ code }) => sorted.find(({ translated }) => translated?.locale === code) ?? [],
  )
  if (ordered.length < 2) return ''
  const usual = ordered.find(({ translated }) => translated?.locale === defaultLocale(locales)?.code)
  const links = ordered.map(({ translated, url }) => alternateLink(translated?.locale ?? '', url))
  return [...links, alternateLink('x-default', (usual ?? ordered[0])?.url ?? '')].join('')
}

function alternateLink(hreflang: string, url: string): string {
  return `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${url}"/>`
}

/** The address in a line, escaped as in the line. */
function locationIn(line: string): string {
  return line.slice('<url><loc>'.length, line.indexOf('</loc>'))
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

/** The namespace of links to other languages. */
const XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'

function document(root: string, lines: readonly string[]): JoinedText {
  const xhtml = lines.some((line) => line.includes('<xhtml:')) ? XHTML : ''
  return {
    start: `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}"${xhtml}>\n`,
    lines,
    separator: '\n',
    end: `${lines.length === 0 ? '' : '\n'}</${root}>\n`,
  }
}
