import type { Artifact } from '../../domain/artifact.ts'
import { SHOWN_PARTS, toListedPage } from '../../domain/collection.ts'
import type { JsonObject } from '../../domain/json.ts'
import { type ListingPage, listingKey } from '../../domain/listing.ts'
import type { SiteIdentity } from '../../domain/live-page.ts'
import { humanise } from '../../page-text/humanise.ts'
import type { Theme } from '../../theme/theme.ts'
import { relativeLinks } from '../links/links.ts'
import { assetArtifacts, referencedAssets } from '../page/assets.ts'
import { canonicalUrl, type DocumentFacts, headView, type Site } from '../page/head-view.ts'
import { languageOf } from '../page/language.ts'
import { createRendering } from '../page/rendering.ts'
import { siteView } from '../page/site-view.ts'
import { textBytes } from '../page/text-bytes.ts'
import { postLayout, postViews } from './post-views.ts'

/** Renders one page of a listing, with the assets it references. */
export function listingPageArtifacts(
  page: ListingPage & { readonly isNew: boolean },
  of: Site,
  theme: Theme,
): readonly Artifact[] {
  const { folder, number, path, articles, newer, older, isNew } = page
  const { lang, dir } = languageOf([of.settings.branding['lang']])
  const rendering = createRendering(relativeLinks(path))
  const pageTo = (to: string | null) => (to === null ? null : rendering.links.page(to))
  const title = listingTitle(folder, of.site)
  const numbered = number === null ? null : (theme.labels(lang)['page'] ?? '').replace('{n}', `${number}`)
  const posts = postViews(
    articles.map((card) => toListedPage(card, SHOWN_PARTS)),
    lang,
    rendering,
  )
  const facts: DocumentFacts = {
    ...NO_FACTS,
    path,
    title: numbered === null ? title : `${title} · ${numbered}`,
    structuredData: [collectionPage(page, title, of.site)],
  }
  const head = headView(facts, of, theme.assets, rendering)
  const html = theme.listing({
    lang,
    dir,
    head,
    title,
    numbered,
    posts,
    site: siteView(of, path, theme.assets, rendering),
    layout: postLayout(posts),
    newer: pageTo(newer),
    older: pageTo(older),
  })
  const document: Artifact = {
    key: listingKey(path),
    stage: isNew && number !== null ? 'listing' : 'index',
    body: textBytes(html),
    owner: { kind: 'listing', id: folder },
  }
  return [...assetArtifacts(referencedAssets(head, of.settings, theme)), document]
}

/** Title of a folder: the site's name for the root, else made from the folder's name. */
export function listingTitle(folder: string, { name }: SiteIdentity): string {
  return folder === '' ? name : folder.split('/').map(humanise).join(' / ')
}

const NO_FACTS = {
  metaTitle: null,
  description: null,
  keywords: null,
  robots: null,
  image: null,
  ogType: 'website',
  markdown: null,
  json: null,
  hasFeed: true,
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
