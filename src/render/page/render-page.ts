import type { Artifact, Owner } from '../../domain/artifact.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { LivePage } from '../../domain/live-page.ts'
import type { SearchEntry } from '../../domain/search-entry.ts'
import { splitFrontMatter } from '../../page-text/front-matter.ts'
import type { Theme, ThemeAsset } from '../../theme/theme.ts'
import { anchorsIn } from '../links/anchors.ts'
import { type Links, relativeLinks } from '../links/links.ts'
import { loadMarkdownTools, type MarkdownTools } from '../markdown/markdown-tools.ts'
import { searchEntryOf } from '../search/search-entry.ts'
import { assetArtifacts, namedAssets } from './assets.ts'
import { itemFile } from './item-file.ts'
import { pageLanguage } from './language.ts'
import { markdownTwin } from './markdown-twin.ts'
import { pageView } from './page-view.ts'
import { createRendering, type RenderingTools, type WrittenLink } from './rendering.ts'
import { textBytes } from './text-bytes.ts'

export interface RenderedPage {
  readonly artifacts: readonly Artifact[]
  readonly warnings: readonly PageWarning[]
  /** Links in the page's content. */
  readonly links: readonly WrittenLink[]
  /** Null for a page that search is not to find, and for what is sealed. */
  readonly search: SearchEntry | null
  /** Places of its document that links can lead to; none of one that is sealed. */
  readonly anchors: readonly string[]
}

/**
 * The files a page goes live with: its document, and the assets that names.
 *
 * @param theme the one the page is shown in; its own choice is the caller's to follow.
 * @param tools what `pageTools` loaded for it.
 * @throws {ServiceError} `validation_error` when it is too complex to render.
 */
export function renderPage(live: LivePage, theme: Theme, tools: MarkdownTools): RenderedPage {
  const rendering = createRendering(relativeLinks(live.path), renderingTools(live, theme, tools))
  const view = pageView(live, theme, rendering)
  // As readers get it, were there half a character in it.
  const html = theme.page(view).toWellFormed()
  const owner: Owner = { kind: 'page', id: live.page.id }
  return {
    artifacts: [
      ...assetArtifacts(namedAssets(view.head, live.settings, theme)),
      { key: live.file, stage: 'page', body: textBytes(html), owner },
      markdownTwin(live, owner),
      ...(live.page.type === 'item' ? [itemFile(live, owner)] : []),
    ],
    warnings: rendering.warnings,
    links: withShareImage(live, rendering.written),
    search: searchEntryOf(live, html),
    anchors: anchorsIn(html),
  }
}

/** The picture for sharing is asked for by whoever shows the page elsewhere. */
function withShareImage({ page }: LivePage, written: readonly WrittenLink[]): readonly WrittenLink[] {
  const href = page.ogImageUrl
  if (href === null || written.some((link) => link.href === href)) return written
  return [...written, { at: 'og_image_url', href, kind: 'image' }]
}

/** Loads what the code and the formulas of a page need, which it names itself. */
export function pageTools({ page }: LivePage): Promise<MarkdownTools> {
  return loadMarkdownTools(page.type === 'page' ? textsOf(page.config['sections'] ?? null) : page.markdown)
}

function textsOf(value: JsonValue): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(textsOf).join('\n')
}

function renderingTools(live: LivePage, theme: Theme, tools: MarkdownTools): RenderingTools {
  const { lang } = pageLanguage(live, splitFrontMatter(live.page.markdown))
  return { labels: theme.labels(lang), tools }
}

export interface RenderedPreview {
  readonly html: string
  /** The files the document names. */
  readonly assets: readonly ThemeAsset[]
}

/**
 * The page as a document that is not on its site.
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
  return { html: theme.page(view), assets: namedAssets(view.head, live.settings, theme) }
}
