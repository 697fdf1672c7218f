import type { Artifact, Owner } from '../../domain/artifact.ts'
import { inLocale } from '../../domain/by-locale.ts'
import { changeKind } from '../../domain/changelog.ts'
import { SHOWN_PARTS, toListedPage } from '../../domain/collection.ts'
import { formerEntryId } from '../../domain/feed-id.ts'
import type { JsonObject } from '../../domain/json.ts'
import { type ListingPage, listingKey, listingPath } from '../../domain/listing.ts'
import type { SiteIdentity } from '../../domain/live-page.ts'
import { alternatesOf, localeAt, pathInLocale } from '../../domain/locale.ts'
import type { Settings } from '../../domain/settings.ts'
import { siteAuthor } from '../../domain/site-author.ts'
import { tagFolder, tagsFolder } from '../../domain/tag-list.ts'
import { humanise } from '../../page-text/humanise.ts'
import type { Theme } from '../../theme/theme.ts'
import type { EntryView, ListedAuthorView, PostView, StepView } from '../../theme/view.ts'
import { relativeLinks } from '../links/links.ts'
import { assetArtifacts, referencedAssets, searchAssets } from '../page/assets.ts'
import { entryId, withTop } from '../page/entry-html.ts'
import { canonicalUrl, type DocumentFacts, headView, type Site } from '../page/head-view.ts'
import { languageAt } from '../page/language.ts'
import { withPictures } from '../page/pictures.ts'
import { createRendering, type Rendering } from '../page/rendering.ts'
import { type InLanguage, languageIn, siteView } from '../page/site-view.ts'
import { textBytes } from '../page/text-bytes.ts'
import { bareAddress } from '../sections/parts.ts'
import { atom, PART_FEED_LENGTH, type SiteOfFeeds } from '../site-files/feeds.ts'
import { postLayout, postViews } from './post-views.ts'

/** Renders one page of a listing, with the assets it references and the feed of a tag or an author. */
export function listingPageArtifacts(
  page: ListingPage & { readonly isNew: boolean },
  written: SiteOfFeeds,
  theme: Theme,
  fronts: readonly string[],
): readonly Artifact[] {
  const { folder, blog, tag, author = null, number, path, articles, newer, older, isNew } = page
  const of = inLocale(written, localeAt(path, written.settings.locales))
  const { lang, dir } = languageAt(path, of.settings)
  const language = number === null ? listingLanguage(path, of, fronts) : undefined
  const rendering = createRendering(relativeLinks(path, of.media))
  const pageTo = (to: string | null) => (to === null ? null : rendering.links.page(to))
  const title = tag ?? author ?? listingTitle(folder, of.site)
  const isPart = folder !== blog
  const numbered = number === null ? null : (theme.labels(lang)['page'] ?? '').replace('{n}', `${number}`)
  const posts = postViews(
    articles.map((card) => toListedPage(card, SHOWN_PARTS)),
    lang,
    rendering,
  )
  const { feed } = page
  const named = !isPart ? title : `${title} · ${listingTitle(blog, of.site)}`
  const facts: DocumentFacts = {
    ...NO_FACTS,
    path,
    title: numbered === null ? named : `${named} · ${numbered}`,
    feed,
    structuredData: [collectionPage(page, title, of.site)],
    ...listingAlternates(language, path, of.settings),
  }
  const shown = page.isChangelog ? articles.flatMap(({ entry }) => entry?.frames ?? []) : []
  const head = headView(facts, of, theme, { ...rendering, frames: new Set(shown) })
  const html = theme.listing({
    lang,
    dir,
    head,
    title,
    numbered,
    tags: page.tags.map(({ name, path }) => ({ name, href: rendering.links.page(path), count: null })),
    author: author === null ? null : listedAuthor(folder, of, rendering),
    allTags:
      author !== null || (tag === null && page.tags.length === 0)
        ? null
        : pageTo(listingPath(tagsFolder(blog), null)),
    listing: !isPart ? null : listingStep(blog, of.site, rendering),
    feed: feed === null ? null : rendering.links.file(feed),
    posts,
    site: siteView(of, path, searchAssets(theme, lang), rendering, language),
    layout: postLayout(posts),
    entries: page.isChangelog ? entryViews(page, posts, rendering) : null,
    newer: pageTo(newer),
    older: pageTo(older),
  })
  const owner: Owner = { kind: 'listing', id: folder }
  const document: Artifact = {
    key: listingKey(path),
    stage: isNew && number !== null ? 'listing' : 'index',
    body: textBytes(withPictures(html, of.media, rendering.links)),
    owner,
  }
  const ownFeed: readonly Artifact[] =
    feed === null
      ? []
      : [{ key: feed, stage: 'index', body: textBytes(partFeed(page, named, feed, of)), owner }]
  return [...assetArtifacts(referencedAssets({ head, lang }, of, theme)), document, ...ownFeed]
}

/**
 * The language of the first page of a listing, and the same listing in other languages.
 *
 * @param fronts paths of all of these.
 */
export function listingLanguage(path: string, of: Site, fronts: readonly string[]): InLanguage {
  const locales = of.settings.locales
  const locale = localeAt(path, locales)
  const key = locale && pathInLocale(path, locale)
  const translations = locales.flatMap((other) => {
    const same = fronts.find(
      (front) => other !== locale && localeAt(front, locales) === other && pathInLocale(front, other) === key,
    )
    return same === undefined ? [] : [{ locale: other.code, path: same }]
  })
  return languageIn(of, locale, translations)
}

export function listingAlternates(
  language: InLanguage | undefined,
  path: string,
  settings: Settings,
): Pick<DocumentFacts, 'alternates'> {
  if (language === undefined || language.locale === null) return { alternates: [] }
  const self = { path, locale: language.locale.code }
  return { alternates: alternatesOf(self, language.translations, settings.locales) }
}

/** A link to the listing of a blog. */
export function listingStep(
  folder: string,
  site: SiteIdentity,
  { links }: Rendering,
): StepView & { readonly href: string } {
  return { title: listingTitle(folder, site), href: links.page(listingPath(folder, null)) }
}

/** The articles of a changelog, as its pages show them. */
function entryViews(
  { folder, articles }: ListingPage,
  posts: readonly PostView[],
  { links }: Rendering,
): readonly EntryView[] {
  return articles.flatMap(({ path, entry, tags }, index) => {
    const post = posts[index]
    return post === undefined
      ? []
      : [
          {
            ...post,
            id: entryId(path, folder),
            version: entry?.version ?? null,
            html: entry === undefined || entry.html === null ? null : withTop(entry.html, links),
            tags: tags.map(({ name, address }) => ({
              name,
              href: links.page(listingPath(tagFolder(folder, address), null)),
              count: null,
              kind: changeKind(address),
            })),
          },
        ]
  })
}

/** The site's description of an author, above the list of their articles. */
function listedAuthor(folder: string, { settings }: Site, rendering: Rendering): ListedAuthorView {
  const described = siteAuthor(settings.data, folder.slice(folder.lastIndexOf('/') + 1))
  const at = 'data.authors'
  const avatar = described?.avatar ?? null
  return {
    avatar: avatar === null ? null : rendering.url(avatar, 'image', at),
    bio: described?.bio ?? null,
    links: [
      ...(described?.url === undefined ? [] : [{ label: bareAddress(described.url), href: described.url }]),
      ...(described?.links ?? []),
    ].flatMap(({ label, href }) => {
      const safe = rendering.url(href, 'link', at)
      return safe === null ? [] : [{ label, href: safe }]
    }),
  }
}

function partFeed(
  { path, folder, articles, isChangelog }: ListingPage,
  title: string,
  feed: string,
  of: SiteOfFeeds,
): string {
  const { site } = of
  const head = {
    title: `${title} · ${of.settings.metaTitle ?? site.name}`,
    subtitle: null,
    feed,
    path,
    folder,
  }
  const entries = articles.slice(0, PART_FEED_LENGTH).map((card) => ({
    id: card.feedId ?? formerEntryId(card.id, site),
    url: canonicalUrl(site, card.path),
    title: card.title,
    summary: card.excerpt ?? '',
    html: isChangelog && card.entry ? withTop(card.entry.html ?? '', `${site.origin}/`) || null : null,
    author: card.author,
    image: null,
    ...(card.enclosures !== undefined && { enclosures: card.enclosures }),
    published: card.date,
    updated: card.date,
  }))
  return atom(of, head, entries)
}

/** Title of a folder: the site's name for the root, else derived from the folder's name. */
export function listingTitle(folder: string, { name }: SiteIdentity): string {
  return folder === '' ? name : folder.split('/').map(humanise).join(' / ')
}

export const NO_FACTS = {
  metaTitle: null,
  description: null,
  keywords: null,
  robots: null,
  image: null,
  ogType: 'website',
  published: null,
  modified: null,
  markdown: null,
  json: null,
  alternates: [],
} as const

/** Source: https://schema.org/CollectionPage */
function collectionPage({ path, articles }: ListingPage, title: string, site: SiteIdentity): JsonObject {
  return {
    '@context': 'https://schema.org',
    '@type': 'CollectionPage',
    name: title,
    url: canonicalUrl(site, path),
    mainEntity: {
      '@type': 'ItemList',
      itemListElement: articles.map((article, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        url: canonicalUrl(site, article.path),
      })),
    },
  }
}
