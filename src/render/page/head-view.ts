import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { SiteIdentity } from '../../domain/live-page.ts'
import { MEASUREMENT_ID } from '../../domain/measurement-id.ts'
import { pathFolder } from '../../domain/route.ts'
import type { Settings } from '../../domain/settings.ts'
import type { ThemeAssets } from '../../theme/theme.ts'
import type { HeadView } from '../../theme/view.ts'
import { absoluteLinks, authorHref } from '../links/links.ts'
import { brandStyle } from './branding.ts'
import { contentPolicy } from './content-policy.ts'
import { customStyle } from './custom-style.ts'
import type { Rendering } from './rendering.ts'

/** A site as of a publish: what its documents have in common. */
export interface Site {
  readonly site: SiteIdentity
  readonly settings: Settings
}

/** What a document says of itself; null falls back to what its site says. */
export interface DocumentFacts {
  readonly path: string
  readonly title: string
  /** Takes the place of the whole `<title>`. */
  readonly metaTitle: string | null
  readonly description: string | null
  readonly keywords: string | null
  readonly robots: string | null
  readonly image: string | null
  readonly ogType: HeadView['ogType']
  /** Key of the page's Markdown. */
  readonly markdown: string | null
  /** Key of an item's fields. */
  readonly json: string | null
  readonly hasFeed: boolean
  readonly structuredData: readonly JsonObject[]
}

export function headView(
  facts: DocumentFacts,
  of: Site,
  assets: ThemeAssets,
  rendering: Rendering,
): HeadView {
  const { site, settings } = of
  const { links } = rendering
  const style = customStyle(settings.customCss)
  const ownStyle = brandStyle(settings.branding)
  const counted = analytics(settings.googleAnalyticsId, links.file(assets.analytics.key))
  const customHeadHtml = settings.customHeadHtml ?? ''
  return {
    policy:
      customHeadHtml.trim() === ''
        ? contentPolicy({ styles: [ownStyle], hasAnalytics: counted !== null })
        : null,
    title: documentTitle(facts, of),
    description: facts.description ?? settings.metaDescription,
    keywords: facts.keywords,
    robots: facts.robots,
    canonical: canonicalUrl(site, facts.path),
    ogTitle: facts.metaTitle ?? facts.title,
    ogType: facts.ogType,
    ogImage: shareImage(facts, of),
    markdown: facts.markdown === null ? null : links.file(facts.markdown),
    json: facts.json === null ? null : links.file(facts.json),
    feed: facts.hasFeed ? links.file('feed.xml') : null,
    structuredData: facts.structuredData.map(scriptJson),
    favicon: settings.faviconUrl === null ? null : rendering.url(settings.faviconUrl, 'image', 'favicon_url'),
    themeStyle: links.file(assets.style.key),
    customStyle: style === null ? null : links.file(style.key),
    script: links.file(assets.script.key),
    analytics: counted,
    customHeadHtml,
    brandStyle: ownStyle,
  }
}

/** JSON as the text of a `<script>`, which `<` could end. */
function scriptJson(data: JsonValue): string {
  return JSON.stringify(data).replace(/</g, '\\u003c')
}

/** The home page is called like its site; the others carry the site's name behind their own. */
function documentTitle({ path, title, metaTitle }: DocumentFacts, { site, settings }: Site): string {
  if (metaTitle !== null) return metaTitle
  if (path === '/' && settings.metaTitle !== null) return settings.metaTitle
  const siteTitle = settings.metaTitle ?? site.name
  return title.includes(siteTitle) ? title : `${title} · ${siteTitle}`
}

/** The page's address in full, with the slash that pages live at. */
export function canonicalUrl({ origin }: SiteIdentity, path: string): string {
  return `${origin}/${pathFolder(path)}`
}

/** Absolute, as those who show it do not know the page it was found on. */
export function shareImage(
  { path, image }: Pick<DocumentFacts, 'path' | 'image'>,
  { site, settings }: Site,
): string | null {
  const links = absoluteLinks(site.origin)
  const candidates = [image, settings.ogImageUrl].map((raw) =>
    raw === null ? null : authorHref(raw, links, 'image'),
  )
  const found = candidates.find((href) => href !== null)
  return found === undefined || found === null ? null : new URL(found, canonicalUrl(site, path)).href
}

function analytics(id: string | null, script: string): HeadView['analytics'] {
  return id !== null && MEASUREMENT_ID.test(id) ? { script, id } : null
}
