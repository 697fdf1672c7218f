import type { Artifact, Owner } from '../../domain/artifact.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { LivePage } from '../../domain/live-page.ts'
import { notFoundKey } from '../../domain/not-found-page.ts'
import type { SearchEntry } from '../../domain/search-entry.ts'
import { splitFrontMatter } from '../../page-text/front-matter.ts'
import type { Theme, ThemeAsset } from '../../theme/theme.ts'
import { anchorsIn } from '../links/anchors.ts'
import { type Links, relativeLinks } from '../links/links.ts'
import type { HighlightOptions } from '../markdown/highlight/highlighter.ts'
import { loadMarkdownTools, type MarkdownTools } from '../markdown/markdown-tools.ts'
import { searchEntryOf } from '../search/search-entry.ts'
import { renderNotFoundPage } from '../site-files/not-found.ts'
import { assetArtifacts, referencedAssets } from './assets.ts'
import { type EntryText, entryHtml } from './entry-html.ts'
import { feedIdWarnings } from './feed-id-warnings.ts'
import { itemFile } from './item-file.ts'
import { pageLanguage } from './language.ts'
import { markdownTwin } from './markdown-twin.ts'
import { pageView } from './page-view.ts'
import { withPictures } from './pictures.ts'
import { type ContentLink, createRendering, type RenderingTools } from './rendering.ts'
import { textBytes } from './text-bytes.ts'
import { withVideos } from './videos.ts'

export interface RenderedPage {
  readonly artifacts: readonly Artifact[]
  readonly warnings: readonly PageWarning[]
  /** Links in the page's content. */
  readonly links: readonly ContentLink[]
  /** The entry for search; null for excluded and sealed pages. */
  readonly search: SearchEntry | null
  /** Ids in the document. Empty for sealed pages. */
  readonly anchors: readonly string[]
  /** The text of an entry of a changelog, for its list. Absent for other pages. */
  readonly entry?: EntryText
}

/**
 * Renders all files of a page: its document, Markdown, and the assets that the document references.
 *
 * @param theme the theme to use; the caller resolves the page's own choice.
 * @param tools as loaded by `pageTools`.
 * @throws {ServiceError} `validation_error` when the page is too complex to render.
 */
export function renderPage(live: LivePage, theme: Theme, tools: MarkdownTools): RenderedPage {
  const ownTools = renderingTools(live, theme, tools)
  const rendering = createRendering(relativeLinks(live.path, live.media), ownTools)
  const view = pageView(live, theme, rendering)
  // Replaces lone surrogates, as encoding to UTF-8 would.
  const html = withMedia(theme.page(view), live, rendering.links).toWellFormed()
  const owner: Owner = { kind: 'page', id: live.page.id }
  const notFound = notFoundKey(live.path, live.settings)
  return {
    artifacts: [
      ...assetArtifacts(referencedAssets(view, live, theme)),
      { key: live.file, stage: 'page', body: textBytes(html), owner },
      markdownTwin(live, owner),
      ...(live.page.type === 'item' ? [itemFile(live, owner)] : []),
      ...(notFound === null ? [] : [renderNotFoundPage(notFound, live, theme, ownTools)]),
    ],
    warnings: [...rendering.warnings, ...feedIdWarnings(live)],
    links: withShareImage(live, rendering.contentLinks),
    search: searchEntryOf(live, html),
    anchors: anchorsIn(html),
    ...(live.fields.changelog && {
      entry: entryHtml(live, ownTools, (text, links) => withMedia(text, live, links)),
    }),
  }
}

function withMedia(html: string, { media }: LivePage, links: Links): string {
  return withVideos(withPictures(html, media, links), media, links)
}

/** The image for social media is requested from other sites, so it must exist like the others. */
function withShareImage({ page }: LivePage, written: readonly ContentLink[]): readonly ContentLink[] {
  const href = page.ogImageUrl
  if (href === null || written.some((link) => link.href === href)) return written
  return [...written, { at: 'og_image_url', href, kind: 'image' }]
}

/** Loads the tools that the page's code and formulas need. */
export function pageTools({ page }: LivePage, options: HighlightOptions): Promise<MarkdownTools> {
  const sections = page.type === 'page' ? textsOf(page.config['sections'] ?? null) : ''
  return loadMarkdownTools(sections === '' ? page.markdown : `${sections}\n${page.markdown}`, options)
}

function textsOf(value: JsonValue): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(textsOf).join('\n')
}

function renderingTools(live: LivePage, theme: Theme, tools: MarkdownTools): RenderingTools {
  const { lang } = pageLanguage(live, splitFrontMatter(live.page.markdown))
  return {
    labels: theme.labels(lang),
    tools,
    data: live.settings.data,
    mayBeDark: theme.colours.scheme !== 'light',
    components: { theme, lang },
  }
}

export interface RenderedPreview {
  readonly html: string
  /** Assets that the document references. */
  readonly assets: readonly ThemeAsset[]
}

/**
 * Renders the page as a document outside its site.
 *
 * @throws {ServiceError} as `renderPage`.
 */
export function renderPreview(
  live: LivePage,
  theme: Theme,
  links: Links,
  tools: MarkdownTools,
): RenderedPreview {
  const view = pageView(live, theme, createRendering(links, renderingTools(live, theme, tools)))
  const html = withMedia(theme.page(view), live, links)
  return { html, assets: referencedAssets(view, live, theme) }
}
