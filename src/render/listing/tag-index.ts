import type { Artifact } from '../../domain/artifact.ts'
import { inLocale } from '../../domain/by-locale.ts'
import { listingKey } from '../../domain/listing.ts'
import { localeAt } from '../../domain/locale.ts'
import { isSiteTags, type TagIndex } from '../../domain/tag-list.ts'
import type { Theme } from '../../theme/theme.ts'
import { relativeLinks } from '../links/links.ts'
import { assetArtifacts, referencedAssets, searchAssets } from '../page/assets.ts'
import { type DocumentFacts, headView, type Site } from '../page/head-view.ts'
import { languageAt } from '../page/language.ts'
import { withPictures } from '../page/pictures.ts'
import { createRendering } from '../page/rendering.ts'
import { siteView } from '../page/site-view.ts'
import { textBytes } from '../page/text-bytes.ts'
import { listingAlternates, listingLanguage, listingStep, NO_FACTS } from './listing.ts'

/** Renders the page of the tags of a blog or of the site, with the assets it references. */
export function tagIndexArtifacts(
  { path, blogs }: TagIndex,
  written: Site,
  theme: Theme,
  fronts: readonly string[],
): readonly Artifact[] {
  const of = inLocale(written, localeAt(path, written.settings.locales))
  const { lang, dir } = languageAt(path, of.settings)
  const rendering = createRendering(relativeLinks(path, of.media))
  const folder = path.slice(1)
  const language = listingLanguage(path, of, fronts)
  const views = blogs.map((blog) => ({
    ...listingStep(blog.folder, of.site, rendering),
    tags: blog.tags.map(({ name, path, count }) => ({ name, count, href: rendering.links.page(path) })),
  }))
  const listing = isSiteTags(folder, of.settings.locales) ? null : (views[0] ?? null)
  const title = theme.labels(lang)['tags'] ?? ''
  const facts: DocumentFacts = {
    ...NO_FACTS,
    path,
    title: listing === null ? title : `${title} · ${listing.title}`,
    feed: null,
    structuredData: [],
    ...listingAlternates(language, path, of.settings),
  }
  const head = headView(facts, of, theme, rendering)
  const site = siteView(of, path, searchAssets(theme, lang), rendering, language)
  const html = theme.tags({
    lang,
    dir,
    head,
    site,
    listing: listing && { title: listing.title, href: listing.href },
    blogs: views,
  })
  return [
    ...assetArtifacts(referencedAssets({ head, lang }, of, theme)),
    {
      key: listingKey(path),
      stage: 'index',
      body: textBytes(withPictures(html, of.media, rendering.links)),
      owner: { kind: 'listing', id: folder },
    },
  ]
}
