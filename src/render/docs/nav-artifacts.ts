import type { Artifact, Owner } from '../../domain/artifact.ts'
import { inLocale } from '../../domain/by-locale.ts'
import type { NavNode } from '../../domain/live-page.ts'
import { localeAt } from '../../domain/locale.ts'
import { publicPath } from '../../domain/route.ts'
import { humanise } from '../../page-text/humanise.ts'
import type { Theme, ThemeAsset } from '../../theme/theme.ts'
import { relativeLinks } from '../links/links.ts'
import { assetArtifacts, referencedAssets, searchAssets } from '../page/assets.ts'
import { type DocumentFacts, headView, type Site } from '../page/head-view.ts'
import { languageIn } from '../page/language.ts'
import { withPictures } from '../page/pictures.ts'
import { createRendering } from '../page/rendering.ts'
import { languageIn as inLanguage, siteView } from '../page/site-view.ts'
import { textBytes } from '../page/text-bytes.ts'
import { type DocsTrees, navKeys, navPagePath } from './docs-nav.ts'
import { navNodeViews } from './docs-view.ts'

/** Cache. Most publishes do not change the navigation and pass the same trees. */
const artifactCache = new WeakMap<
  DocsTrees,
  { readonly as: string; readonly artifacts: readonly Artifact[] }
>()

/**
 * Renders the navigation of each subroute: as JSON for the sidebar's script, and as a page for readers
 * without JavaScript.
 */
export function navigationArtifacts(trees: DocsTrees, of: Site, theme: Theme): readonly Artifact[] {
  const as = JSON.stringify([of.site, of, theme.digest])
  const cached = artifactCache.get(trees)
  if (cached?.as === as) return cached.artifacts
  const artifacts = [...trees].flatMap(([home, tree]) => navArtifacts(home, tree, of, theme))
  artifactCache.set(trees, { as, artifacts })
  return artifacts
}

function navArtifacts(home: string, tree: readonly NavNode[], of: Site, theme: Theme): readonly Artifact[] {
  const [, page] = navKeys(home)
  const { html, assets } = navPage(home, tree, of, theme)
  return [
    ...assetArtifacts(assets),
    navFile(home, tree),
    { key: page, stage: 'index', body: textBytes(html), owner: ownerOf(home) },
  ]
}

/** The navigation file of one subroute. */
export function navFile(home: string, tree: readonly NavNode[]): Artifact {
  const [key] = navKeys(home)
  return { key, stage: 'index', body: textBytes(navJson(home, tree)), owner: ownerOf(home) }
}

function ownerOf(home: string): Owner {
  return { kind: 'nav', id: home }
}

interface RenderedNavPage {
  readonly html: string
  readonly assets: readonly ThemeAsset[]
}

function navPage(home: string, tree: readonly NavNode[], written: Site, theme: Theme): RenderedNavPage {
  const path = navPagePath(home)
  const folder = publicPath({ subroute: home, slug: 'index' }, written.settings.siteRoutes)
  const locale = localeAt(folder, written.settings.locales)
  const of = inLocale(written, locale)
  const title = home === '' ? of.site.name : home.split('/').map(humanise).join(' / ')
  const rendering = createRendering(relativeLinks(path, of.media))
  const facts: DocumentFacts = { ...NO_FACTS, path, title, robots: 'noindex' }
  const head = headView(facts, of, theme, rendering)
  const language = languageIn(locale, of.settings)
  const html = theme.navPage({
    ...language,
    head,
    site: siteView(of, path, searchAssets(theme, language.lang), rendering, inLanguage(of, locale)),
    title,
    tree: navNodeViews(tree, null, rendering),
  })
  return {
    html: withPictures(html, of.media, rendering.links),
    assets: referencedAssets({ head, lang: language.lang }, of, theme),
  }
}

const NO_FACTS = {
  metaTitle: null,
  description: null,
  keywords: null,
  image: null,
  ogType: 'website',
  published: null,
  modified: null,
  markdown: null,
  json: null,
  alternates: [],
  feed: null,
  structuredData: [],
} as const

/** The list of keys fixes their order. */
function navJson(home: string, tree: readonly NavNode[]): string {
  const keys = ['subroute', 'items', 'title', 'path', 'badge', 'children']
  return JSON.stringify({ subroute: home, items: tree }, keys)
}
