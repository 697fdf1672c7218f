import type { Artifact } from '../../domain/artifact.ts'
import { listingKey } from '../../domain/listing.ts'
import { SITE_TAGS, type TagIndex } from '../../domain/tag-list.ts'
import type { Theme } from '../../theme/theme.ts'
import { relativeLinks } from '../links/links.ts'
import { assetArtifacts, referencedAssets, searchAssets } from '../page/assets.ts'
import { type DocumentFacts, headView, type Site } from '../page/head-view.ts'
import { languageOf } from '../page/language.ts'
import { withPictures } from '../page/pictures.ts'
import { createRendering } from '../page/rendering.ts'
import { siteView } from '../page/site-view.ts'
import { textBytes } from '../page/text-bytes.ts'
import { listingStep, NO_FACTS } from './listing.ts'

/** Renders the page of the tags of a blog or of the site, with the assets it references. */
export function tagIndexArtifacts({ path, blogs }: TagIndex, of: Site, theme: Theme): readonly Artifact[] {
  const { lang, dir } = languageOf([of.settings.branding['lang']])
  const rendering = createRendering(relativeLinks(path, of.media))
  const folder = path.slice(1)
  const views = blogs.map((blog) => ({
    ...listingStep(blog.folder, of.site, rendering),
    tags: blog.tags.map(({ name, path, count }) => ({ name, count, href: rendering.links.page(path) })),
  }))
  const listing = folder === SITE_TAGS ? null : (views[0] ?? null)
  const title = theme.labels(lang)['tags'] ?? ''
  const facts: DocumentFacts = {
    ...NO_FACTS,
    path,
    title: listing === null ? title : `${title} · ${listing.title}`,
    feed: null,
    structuredData: [],
  }
  const head = headView(facts, of, theme, rendering)
  const site = siteView(of, path, searchAssets(theme, lang), rendering)
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
