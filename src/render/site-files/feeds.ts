import type { Artifact } from '../../domain/artifact.ts'
import { inLocale } from '../../domain/by-locale.ts'
import { compareDates } from '../../domain/date.ts'
import { feedEntryId, feedIdOf } from '../../domain/feed-id.ts'
import type { ListingPage } from '../../domain/listing.ts'
import type { LivePage, SiteIdentity } from '../../domain/live-page.ts'
import { feedLocale, fileInLocale, frontPath, type Locale, localeOf } from '../../domain/locale.ts'
import { notFoundKey } from '../../domain/not-found-page.ts'
import { parseUrl } from '../../domain/parse-url.ts'
import type { Settings } from '../../domain/settings.ts'
import { type FeedEntry, SITE_FEED } from '../../domain/site-lines.ts'
import { splitFrontMatter } from '../../page-text/front-matter.ts'
import { absoluteLinks, authorHref } from '../links/links.ts'
import { PROSE_COMPONENTS } from '../markdown/enhance/component.ts'
import { renderMarkdown } from '../markdown/render-markdown.ts'
import { canonicalUrl, type Site, shareImage } from '../page/head-view.ts'
import { languageAt } from '../page/language.ts'
import { lastEdit } from '../page/last-edit.ts'
import { enclosuresOf } from './enclosures.ts'
import { siteFile } from './site-file.ts'
import { xmlText } from './xml.ts'

/** Maximum number of articles in a feed. */
export const FEED_LENGTH = 50

/**
 * Articles in the feed of a tag, an author or a changelog. Only that of a changelog has their texts, because one
 * article may be in twenty of the others.
 */
export const PART_FEED_LENGTH = 20

/** Longer articles appear without their text, because feeds are downloaded again and again. */
const MAX_HTML = 32 * 1024
/** In UTF-16 code units. The HTML of a longer source is almost never short enough, so it is not rendered. */
const MAX_SOURCE = 4 * MAX_HTML

/** Feed entry of a page; null unless it is an article. */
export function feedEntry(live: LivePage): FeedEntry | null {
  const { page, fields, site, path } = live
  if (page.type !== 'article' || fields.publishDate === null || notFoundKey(path, live.settings) !== null)
    return null
  const updated = lastEdit(live)
  const enclosures = enclosuresOf(live)
  const locale = localeOf(live)
  return {
    id: feedEntryId(page, site),
    ...(locale !== null && { locale: locale.code }),
    url: canonicalUrl(site, path),
    title: page.title,
    summary: page.description,
    html: articleHtml(live),
    author: fields.author?.name ?? null,
    image: shareImage({ path, image: page.ogImageUrl }, live),
    ...(enclosures !== undefined && { enclosures }),
    published: fields.publishDate,
    updated: compareDates(updated, fields.publishDate) > 0 ? updated : fields.publishDate,
  }
}

/**
 * The feeds of the site, which every document announces: without articles they are empty. Sealed pages announce
 * nothing.
 *
 * @param entries newest first, at most `FEED_LENGTH` in each language.
 */
export function feeds(of: SiteOfFeeds, entries: readonly FeedEntry[]): readonly Artifact[] {
  const { site, settings } = of
  if (site.keyId !== null && entries.length === 0) return []
  return entriesByFeed(settings, entries).flatMap(([names, own]) =>
    feedsOf(inLocale(of, names.locale), names, own),
  )
}

/** The feeds of a site, one for each of its languages, with their entries. */
export function entriesByFeed(
  settings: Settings,
  entries: readonly FeedEntry[],
): readonly (readonly [FeedNames, readonly FeedEntry[]])[] {
  const locales = settings.locales
  if (locales.length === 0) return [[{ locale: null, atom: SITE_FEED, json: JSON_FEED, path: '/' }, entries]]
  return locales.map((locale) => {
    const names = {
      locale,
      atom: fileInLocale(SITE_FEED, locale, locales),
      json: fileInLocale(JSON_FEED, locale, locales),
      path: frontPath(locale),
    }
    return [names, entries.filter((entry) => feedLocale(entry, locales) === locale)]
  })
}

/** The dates of the entries in the feed of a list. */
export function partFeedDates({ articles }: Pick<ListingPage, 'articles'>): readonly string[] {
  return articles.slice(0, PART_FEED_LENGTH).map(({ date }) => date)
}

export const JSON_FEED = '_feed.json'

/** A site with the times of feeds whose entries are older than they; see `feed-times.ts`. */
export interface SiteOfFeeds extends Site {
  readonly feedTimes?: Readonly<Record<string, string>> | undefined
}

/** The keys of both feeds in a language, and the path of its front page. */
export interface FeedNames {
  /** The locale of the feeds; null on a site without locales. */
  readonly locale: Locale | null
  readonly atom: string
  readonly json: string
  readonly path: string
}

function feedsOf(of: SiteOfFeeds, names: FeedNames, entries: readonly FeedEntry[]): readonly Artifact[] {
  const { site, settings } = of
  const head = {
    title: settings.metaTitle ?? site.name,
    subtitle: settings.metaDescription,
    feed: names.atom,
    path: names.path,
    folder: names.path.slice(1),
  }
  return [siteFile(names.atom, atom(of, head, entries)), siteFile(names.json, jsonFeed(of, names, entries))]
}

/** Reports whether the entry may contain the page's text, which must be rendered again for it. */
export function mayContainText({ page }: LivePage): boolean {
  return page.markdown.length <= MAX_SOURCE
}

function articleHtml(live: LivePage): string | null {
  if (!mayContainText(live)) return null
  const { page, site, path, media } = live
  const here = canonicalUrl(site, path)
  const links = absoluteLinks(site.origin, media)
  const { html } = renderMarkdown(splitFrontMatter(page.markdown).body, {
    href(raw, kind) {
      const safe = authorHref(raw, links, kind)
      return safe === null ? null : absolute(safe, here)
    },
    reservedIds: [],
    title: page.title,
    pageUrl: here,
    components: PROSE_COMPONENTS,
  })
  return Buffer.byteLength(html) <= MAX_HTML ? html : null
}

function absolute(url: string, base: string): string {
  return parseUrl(url, base)?.href ?? url
}

export interface FeedHead {
  readonly title: string
  readonly subtitle: string | null
  /** Its key. */
  readonly feed: string
  /** Path of the page that shows its articles. */
  readonly path: string
  /** The folder of that page; empty for the feed of the site. */
  readonly folder: string
}

/** An Atom feed. Source: RFC 4287. */
export function atom(
  { site, settings, feedTimes = {} }: SiteOfFeeds,
  { title, subtitle, feed, path, folder }: FeedHead,
  entries: readonly FeedEntry[],
): string {
  const { lang } = languageAt(path, settings)
  const page = canonicalUrl(site, path)
  const own = Object.hasOwn(feedTimes, feed) ? [feedTimes[feed] ?? NEVER_UPDATED] : []
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${lang}">`,
    element('title', title),
    ...optional('subtitle', subtitle),
    element('id', feedIdOf(settings, site, folder)),
    element('updated', newestDate([...entries.map(({ updated }) => updated), ...own])),
    `<link rel="self" type="application/atom+xml" href="${xmlText(fileUrl(site, feed))}"/>`,
    `<link rel="alternate" type="text/html" href="${xmlText(page)}"/>`,
    `<author>${element('name', site.name)}</author>`,
    ...entries.flatMap((entry) => atomEntry(entry, site)),
    '</feed>',
  ]
  return `${lines.join('\n')}\n`
}

function atomEntry(entry: FeedEntry, site: SiteIdentity): readonly string[] {
  const { enclosures = [] } = entry
  return [
    '<entry>',
    element('title', entry.title),
    `<link rel="alternate" type="text/html" href="${xmlText(entry.url)}"/>`,
    ...enclosures.map(
      ({ key, type, bytes }) =>
        `<link rel="enclosure" type="${type}" length="${bytes}" href="${xmlText(fileUrl(site, key))}"/>`,
    ),
    element('id', entry.id),
    element('published', entry.published),
    element('updated', entry.updated),
    ...(entry.author === null ? [] : [`<author>${element('name', entry.author)}</author>`]),
    ...optional('summary', entry.summary),
    ...(entry.html === null ? [] : [`<content type="html">${xmlText(entry.html)}</content>`]),
    '</entry>',
  ]
}

/** Source: https://www.jsonfeed.org/version/1.1/ */
function jsonFeed(
  { site, settings }: Site,
  { json, path }: FeedNames,
  entries: readonly FeedEntry[],
): string {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: settings.metaTitle ?? site.name,
    home_page_url: canonicalUrl(site, path),
    feed_url: fileUrl(site, json),
    ...(settings.metaDescription ? { description: settings.metaDescription } : {}),
    language: languageAt(path, settings).lang,
    items: entries.map((entry) => ({
      id: entry.id,
      url: entry.url,
      title: entry.title,
      ...(entry.html === null
        ? { content_text: entry.summary === '' ? entry.title : entry.summary }
        : { content_html: entry.html }),
      ...(entry.summary === '' ? {} : { summary: entry.summary }),
      ...(entry.image === null ? {} : { image: entry.image }),
      date_published: entry.published,
      date_modified: entry.updated,
      ...(entry.author === null ? {} : { authors: [{ name: entry.author }] }),
      ...(entry.enclosures !== undefined && {
        attachments: entry.enclosures.map(({ key, type, bytes }) => ({
          url: fileUrl(site, key),
          mime_type: type,
          size_in_bytes: bytes,
        })),
      }),
    })),
  }
  return `${JSON.stringify(feed)}\n`
}

/**
 * Atom requires a date. The date of an empty feed is constant, so that a publish without articles does not rewrite it.
 */
const NEVER_UPDATED = '1970-01-01T00:00:00Z'

function fileUrl({ origin }: SiteIdentity, key: string): string {
  return absoluteLinks(origin).file(key)
}

/** The newest of these, or a constant for none. */
export function newestDate(dates: readonly string[]): string {
  return dates.reduce((a, b) => (compareDates(a, b) > 0 ? a : b), NEVER_UPDATED)
}

function element(name: string, text: string): string {
  return `<${name}>${xmlText(text)}</${name}>`
}

function optional(name: string, text: string | null): readonly string[] {
  return text === null || text === '' ? [] : [element(name, text)]
}
