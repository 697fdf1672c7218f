import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { SiteIdentity } from '../../domain/live-page.ts'
import { type Alternate, fileInLocale, frontPath, localeAt } from '../../domain/locale.ts'
import { MEASUREMENT_ID } from '../../domain/measurement-id.ts'
import type { MediaSource } from '../../domain/media.ts'
import { pathFolder, urlPath } from '../../domain/route.ts'
import type { Settings } from '../../domain/settings.ts'
import { SITE_ICONS } from '../../domain/site-icons.ts'
import { SITE_FEED } from '../../domain/site-lines.ts'
import type { Surroundings } from '../../domain/surroundings.ts'
import type { Theme } from '../../theme/theme.ts'
import type { HeadView } from '../../theme/view.ts'
import { absoluteLinks, authorHref } from '../links/links.ts'
import { brandStyle, themeColours } from './branding.ts'
import { contentPolicy } from './content-policy.ts'
import { customStyle } from './custom-style.ts'
import { iconLinks } from './icon-links.ts'
import { withMediaFiles } from './media-files.ts'
import type { Rendering } from './rendering.ts'
import { socialImage } from './social-image.ts'

/**
 * Lets a browser load a page of the same site when the pointer rests on its link. Pages end with a slash; files, which
 * may be large, do not. Browsers skip it when the reader saves data or battery.
 */
export const PREFETCH_RULES = '{"prefetch":[{"where":{"href_matches":["/","/*/"]},"eagerness":"moderate"}]}'

/** Facts that all documents of a site share. */
export interface Site {
  readonly site: SiteIdentity
  readonly settings: Settings
  /** The images and files that pages and settings name; absent for none. */
  readonly media?: MediaSource | undefined
  /** Targets of the links around generated documents, by language code; absent for other documents, and for none. */
  readonly surroundings?: Readonly<Record<string, Surroundings>> | undefined
}

/** Facts about one document. Null falls back to the site's value. */
export interface DocumentFacts {
  readonly path: string
  /** Path of the page that search engines should show in its place; absent for itself. */
  readonly canonicalPath?: string | undefined
  readonly title: string
  /** Replaces the whole `<title>`. */
  readonly metaTitle: string | null
  readonly description: string | null
  readonly keywords: string | null
  readonly robots: string | null
  readonly image: string | null
  readonly ogType: HeadView['ogType']
  /** When an article was published and last edited, ISO 8601. */
  readonly published: string | null
  readonly modified: string | null
  /** Key of the page's Markdown file. */
  readonly markdown: string | null
  /** Key of an item's JSON file. */
  readonly json: string | null
  /** Key of the document's own feed. Null: the feed of the site in the language of its path. */
  readonly feed: string | null
  readonly structuredData: readonly JsonObject[]
  /** The document in each of its languages; none for a document in one. */
  readonly alternates: readonly Alternate[]
}

/** @param rendering with everything that the document shows: its policy follows from it. */
export function headView(
  facts: DocumentFacts,
  of: Site,
  { assets, colours, formOrigins }: Pick<Theme, 'assets' | 'colours' | 'formOrigins'>,
  rendering: Rendering,
): HeadView {
  const { site, settings, media } = of
  const { links } = rendering
  const style = customStyle(settings.customCss, media)
  const ownStyle = brandStyle(settings.branding)
  const counted = analytics(settings.googleAnalyticsId, links.file(assets.analytics.key))
  const favicon =
    settings.faviconUrl === null ? null : rendering.url(settings.faviconUrl, 'image', 'favicon_url')
  const customHeadHtml = withMediaFiles(settings.customHeadHtml ?? '', media, links.file)
  return {
    policy:
      customHeadHtml.trim() === ''
        ? contentPolicy({
            styles: [ownStyle],
            scripts: [PREFETCH_RULES],
            hasAnalytics: counted !== null,
            frames: rendering.frames,
            forms: [...formOrigins, ...rendering.formTargets],
          })
        : null,
    title: documentTitle(facts, of),
    description: facts.description ?? settings.metaDescription,
    keywords: facts.keywords,
    robots: facts.robots,
    canonical: canonicalUrl(site, facts.canonicalPath ?? facts.path),
    alternates: facts.alternates.map(({ hreflang, path }) => ({ hreflang, href: canonicalUrl(site, path) })),
    ogTitle: facts.metaTitle ?? facts.title,
    ogType: facts.ogType,
    published: facts.published,
    modified: facts.modified,
    socialImage: socialImage(
      { image: facts.image, title: facts.title, base: canonicalUrl(site, facts.path) },
      of,
    ),
    markdown: facts.markdown === null ? null : links.file(facts.markdown),
    json: facts.json === null ? null : links.file(facts.json),
    feed: site.keyId === null ? links.file(facts.feed ?? siteFeed(facts.path, settings)) : null,
    structuredData: facts.structuredData.map(scriptJson),
    favicon,
    icons: iconLinks(favicon, links, media),
    manifest: links.file(SITE_ICONS.manifest),
    themeColours: themeColours(settings.branding, colours),
    themeStyle: links.file(assets.style.key),
    sectionStyle: links.file(assets.sectionStyle.key),
    customStyle: style === null ? null : links.file(style.key),
    script: links.file(assets.script.key),
    prefetchRules: PREFETCH_RULES,
    ownScript: assets.ownScript === undefined ? null : links.file(assets.ownScript.key),
    analytics: counted,
    visits: settings.visits === 'count' ? links.file(assets.visits.key) : null,
    customHeadHtml,
    brandStyle: ownStyle,
  }
}

function siteFeed(path: string, settings: Settings): string {
  const locales = settings.locales
  const locale = localeAt(path, locales)
  return locale === null ? SITE_FEED : fileInLocale(SITE_FEED, locale, locales)
}

/** Serialises JSON for a `<script>`, which an unescaped `<` could end. */
function scriptJson(data: JsonValue): string {
  return JSON.stringify(data).replace(/</g, '\\u003c')
}

/** The home page's title is the site's title; other pages append it. */
function documentTitle({ path, title, metaTitle }: DocumentFacts, { site, settings }: Site): string {
  if (metaTitle !== null) return metaTitle
  const isFront =
    path === '/' || settings.locales.some((locale) => frontPath(locale) === path || locale.home === path)
  if (isFront && settings.metaTitle !== null) return settings.metaTitle
  const siteTitle = settings.metaTitle ?? site.name
  return title.includes(siteTitle) ? title : `${title} · ${siteTitle}`
}

/** Absolute URL of a page, with a trailing slash. */
export function canonicalUrl({ origin }: SiteIdentity, path: string): string {
  return `${origin}/${urlPath(pathFolder(path))}`
}

/** Absolute URL of the image for social media. */
export function shareImage(
  { path, image }: Pick<DocumentFacts, 'path' | 'image'>,
  { site, settings, media }: Site,
): string | null {
  const links = absoluteLinks(site.origin, media)
  const candidates = [image, settings.ogImageUrl].map((raw) =>
    raw === null ? null : authorHref(raw, links, 'image'),
  )
  const found = candidates.find((href) => href !== null)
  return found === undefined || found === null ? null : new URL(found, canonicalUrl(site, path)).href
}

function analytics(id: string | null, script: string): HeadView['analytics'] {
  return id !== null && MEASUREMENT_ID.test(id) ? { script, id } : null
}
