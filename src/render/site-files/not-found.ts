import type { Artifact } from '../../domain/artifact.ts'
import { inLocale } from '../../domain/by-locale.ts'
import type { LivePage } from '../../domain/live-page.ts'
import { fileInLocale, type Locale, localeOf } from '../../domain/locale.ts'
import { NOT_FOUND_FILE } from '../../domain/not-found-page.ts'
import { splitFrontMatter } from '../../page-text/front-matter.ts'
import { compactCss } from '../../theme/compact-css.ts'
import type { Theme } from '../../theme/theme.ts'
import type { ContentView } from '../../theme/view.ts'
import { absoluteLinks, type Links } from '../links/links.ts'
import { searchAssets } from '../page/assets.ts'
import { brandStyle, themeColours } from '../page/branding.ts'
import { contentPolicy } from '../page/content-policy.ts'
import { contentView } from '../page/content-view.ts'
import type { Site } from '../page/head-view.ts'
import { iconLinks } from '../page/icon-links.ts'
import { type Language, languageIn, pageLanguage } from '../page/language.ts'
import { withMediaFiles } from '../page/media-files.ts'
import { withPictures } from '../page/pictures.ts'
import { createRendering, type Rendering, type RenderingTools } from '../page/rendering.ts'
import { type InLanguage, languageIn as inLanguage, siteView } from '../page/site-view.ts'
import { textBytes } from '../page/text-bytes.ts'

/**
 * `404.html` of a site, or of one of its languages, without a page of its own for unknown paths.
 *
 * @param locale null on a site without locales.
 */
export function renderNotFound(written: Site, locale: Locale | null, theme: Theme): Artifact {
  const inSite = inLocale(written, locale)
  const { site, settings, media } = inSite
  const rendering = createRendering(absoluteLinks(site.origin, media))
  const language = { ...languageIn(locale, settings), around: inLanguage(inSite, locale) }
  const html = notFoundDocument(inSite, { language, page: null }, theme, rendering)
  const key = locale === null ? NOT_FOUND_FILE : fileInLocale(NOT_FOUND_FILE, locale, settings.locales)
  return { key, stage: 'index', body: Buffer.from(html), owner: { kind: 'site', id: '' } }
}

/** `404.html` with the content of the page for unknown paths. It belongs to that page. */
export function renderNotFoundPage(
  key: string,
  live: LivePage,
  theme: Theme,
  tools: RenderingTools,
): Artifact {
  const rendering = createRendering(absoluteLinks(live.site.origin, live.media), tools)
  const source = splitFrontMatter(live.page.markdown)
  const around = { locale: localeOf(live), translations: [], surroundings: live.context.surroundings }
  const language = { ...pageLanguage(live, source), around }
  const page = contentView(live, source, language.lang, theme, rendering)
  const html = notFoundDocument(live, { language, page }, theme, rendering).toWellFormed()
  return {
    key,
    stage: 'page',
    body: textBytes(html),
    owner: { kind: 'page', id: live.page.id },
  }
}

interface DocumentLanguage extends Language {
  readonly around: InLanguage
}

/** It is served at any depth, so all its URLs are absolute, and its style and script are inline. */
function notFoundDocument(
  { site, settings, media }: Site,
  { language, page }: { readonly language: DocumentLanguage; readonly page: ContentView | null },
  theme: Theme,
  rendering: Rendering,
): string {
  const ownStyle = brandStyle(settings.branding)
  // `<!` and `</` occur only in strings and comments of the script. The escapes mean the same there and end
  // no element.
  const script = normaliseInline(`${Buffer.from(theme.assets.script.body)}${theme.notFoundScript}`).replace(
    /<(?=!--|\/?script)/gi,
    '\\x3c',
  )
  const css = normaliseInline(
    [
      ...(page === null || page.sectionsHtml === ''
        ? []
        : [Buffer.from(theme.assets.sectionStyle.body).toString()]),
      withAbsoluteUrls(theme, rendering.links),
      compactCss(withMediaFiles(settings.customCss ?? '', media, rendering.links.file)),
    ].join('\n'),
  ).replace(/<(?=[/!])/g, '\\3c ')
  const favicon =
    settings.faviconUrl === null ? null : rendering.url(settings.faviconUrl, 'image', 'favicon_url')
  const html = theme.notFound({
    lang: language.lang,
    dir: language.dir,
    page,
    site: siteView({ site, settings }, null, searchAssets(theme, language.lang), rendering, language.around),
    favicon,
    icons: iconLinks(favicon, rendering.links, media),
    themeColours: themeColours(settings.branding, theme.colours),
    script,
    css,
    visits: settings.visits === 'count' ? rendering.links.file(theme.assets.visits.key) : null,
    brandStyle: ownStyle,
    policy: contentPolicy({
      styles: [css, ownStyle],
      scripts: [script],
      hasAnalytics: false,
      forms: theme.formOrigins,
    }),
  })
  return withPictures(html, media, rendering.links)
}

/** The theme's style with absolute URLs of the theme's files. */
function withAbsoluteUrls({ assets, files }: Theme, links: Links): string {
  const keys = new Set([...files.values()].map(({ key }) => key))
  return Buffer.from(assets.style.body)
    .toString()
    .replace(/url\(([\w.-]+)\)/g, (whole, name) =>
      keys.has(`_assets/${name}`) ? `url(${links.file(`_assets/${name}`)})` : whole,
    )
}

/** Normalises text as an HTML parser would, so that the hash in the policy matches. */
function normaliseInline(text: string): string {
  return text.trim().replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')
}
