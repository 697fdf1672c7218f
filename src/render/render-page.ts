import type { Artifact } from '../domain/artifact.ts'
import type { LivePage, Warning } from '../domain/live-page.ts'
import type { Theme, ThemeAsset } from '../theme/theme.ts'
import { assetArtifacts, namedAssets } from './assets.ts'
import { type Links, relativeLinks } from './links.ts'
import { pageView } from './page-view.ts'
import { createRendering, type WrittenLink } from './rendering.ts'
import { markdownTwin } from './twin.ts'

export interface RenderedPage {
  readonly artifacts: readonly Artifact[]
  readonly warnings: readonly Warning[]
  /** Links in the page's content. */
  readonly links: readonly WrittenLink[]
}

/**
 * The files a page goes live with: its document, and the assets that names.
 *
 * @param theme the one the page is shown in; its own choice is the caller's to follow.
 * @throws {ServiceError} `validation_error` when it is too complex to render.
 */
export function renderPage(live: LivePage, theme: Theme): RenderedPage {
  const rendering = createRendering(relativeLinks(live.path))
  const view = pageView(live, theme, rendering)
  const document: Artifact = {
    key: live.file,
    stage: 'page',
    body: Buffer.from(theme.page(view)),
    owner: { kind: 'page', id: live.page.id },
  }
  return {
    artifacts: [
      ...assetArtifacts(namedAssets(view.head, live.settings, theme.assets)),
      document,
      markdownTwin(live),
    ],
    warnings: rendering.warnings,
    links: rendering.written,
  }
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
export function renderPreview(live: LivePage, theme: Theme, links: Links): RenderedPreview {
  const view = pageView(live, theme, createRendering(links))
  return { html: theme.page(view), assets: namedAssets(view.head, live.settings, theme.assets) }
}
