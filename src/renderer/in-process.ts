import { LRUCache } from 'lru-cache'
import type { Artifact } from '../domain/artifact.ts'
import { ServiceError } from '../domain/errors.ts'
import type { LivePage, SiteIdentity } from '../domain/live-page.ts'
import { navFile, navigationArtifacts } from '../render/docs/nav-artifacts.ts'
import { prefixedLinks } from '../render/links/links.ts'
import { listingPageArtifacts } from '../render/listing/listing.ts'
import { cssSyntaxIssue } from '../render/page/css-syntax.ts'
import type { Site } from '../render/page/head-view.ts'
import { renderPayload } from '../render/page/payload.ts'
import { pageTools, type RenderedPage, renderPage, renderPreview } from '../render/page/render-page.ts'
import { feedEntry, feeds } from '../render/site-files/feeds.ts'
import { llmsText } from '../render/site-files/llms.ts'
import { manifest } from '../render/site-files/manifest.ts'
import { renderNotFound } from '../render/site-files/not-found.ts'
import { listingLine, robots, sitemap } from '../render/site-files/sitemap.ts'
import type { Theme } from '../theme/theme.ts'
import type { Renderer, SiteInput } from './renderer.ts'

/** How many times as large as its source a page may become, besides what every page carries. */
const OUTPUT_FACTOR = 20
const OUTPUT_ALLOWANCE = 1_000_000
/** Bytes of pages for what is not there that are remembered: of some hundred sites. */
const NOT_FOUND_CACHE_BYTES = 8_000_000

/**
 * Renders in this process, one document at a time.
 *
 * @param themes every installed theme by its name; `default` among them.
 */
export function createInProcessRenderer(themes: ReadonlyMap<string, Theme>): Renderer {
  const notFound = createNotFound()

  return {
    themes: [...themes.keys()].sort(),
    ownTheme,
    themeDigest: (name) => themes.get(name)?.digest ?? null,
    async renderPage(live) {
      const theme = themeNamed(themeOf(live))
      const tools = await pageTools(live)
      const rendered = isSealed(live.site)
        ? renderPayload(live, theme, tools)
        : renderPage(live, theme, tools)
      return withinOutputCap(live, rendered)
    },
    feedEntry: async (live) => (isSealed(live.site) ? null : feedEntry(live)),
    async preview(live, places) {
      const theme = themeNamed(themeOf(live))
      return renderPreview(live, theme, prefixedLinks(places), await pageTools(live))
    },
    renderSite: async (input) => renderSite(input, siteTheme(input.settings.theme), notFound),
    cssIssue: (_, css) => cssSyntaxIssue(css),
    close: async () => {},
  }

  function themeNamed(name: string): Theme {
    const theme = themes.get(name)
    if (theme !== undefined) return theme
    throw new ServiceError(
      'validation_error',
      `The theme ${JSON.stringify(name)} is not installed any more; choose another.`,
    )
  }

  /** What lists pages is needed to take one off, too, whatever has become of the theme. */
  function siteTheme(name: string): Theme {
    return themes.get(name) ?? themeNamed('default')
  }
}

/** @throws {ServiceError} `validation_error` when little text made a page far larger than itself. */
function withinOutputCap({ page }: LivePage, rendered: RenderedPage): RenderedPage {
  const own = rendered.artifacts.filter(({ owner }) => owner.kind === 'page')
  const beyond = own.reduce((sum, { body }) => sum + body.byteLength, 0) - OUTPUT_ALLOWANCE
  if (beyond <= 0 || beyond <= OUTPUT_FACTOR * Buffer.byteLength(JSON.stringify(page))) return rendered
  throw new ServiceError(
    'validation_error',
    `The page is too complex to render: it becomes more than ${OUTPUT_FACTOR} times as large as it is written. Make it simpler, or split it.`,
  )
}

function ownTheme({ type, config }: LivePage['page']): string | null {
  const own = config['theme']
  return type === 'page' && typeof own === 'string' ? own : null
}

function themeOf({ page, settings }: LivePage): string {
  return ownTheme(page) ?? settings.theme
}

function renderSite(
  { site, settings, revision, lines, feed, trees, listings }: SiteInput,
  theme: Theme,
  notFound: typeof renderNotFound,
): readonly Artifact[] {
  const of = { site, settings }
  const header = { site, revision, theme: settings.theme }
  const index = manifest(
    header,
    lines.map(({ line }) => line),
  )
  if (isSealed(site)) return [...[...(trees ?? [])].map(([home, tree]) => navFile(home, tree)), index]
  return [
    ...(trees === null ? [] : navigationArtifacts(trees, of, theme)),
    notFound(of, theme),
    ...listings.pages.flatMap((page) => listingPageArtifacts(page, of, theme)),
    ...siteOutputs(of, lines, feed, listings.fronts),
    index,
  ]
}

/** Every publish of a site has it, and hardly any changes it. */
function createNotFound(): typeof renderNotFound {
  const rendered = new LRUCache<string, Artifact>({
    maxSize: NOT_FOUND_CACHE_BYTES,
    sizeCalculation: ({ body }, key) => body.byteLength + key.length,
  })
  return (of, theme) => {
    const key = JSON.stringify(of)
    const artifact = rendered.get(key) ?? renderNotFound(of, theme)
    rendered.set(key, artifact)
    return artifact
  }
}

function siteOutputs(
  of: Site,
  lines: SiteInput['lines'],
  feed: SiteInput['feed'],
  fronts: readonly string[],
): readonly Artifact[] {
  const { origin } = of.site
  return [
    ...sitemap(origin, [
      ...lines.map((page) => page.sitemap).filter((line) => line !== null),
      ...fronts.map((path) => listingLine(of.site, path)),
    ]),
    robots(origin),
    ...feeds(of, feed),
    llmsText(of, lines),
  ]
}

function isSealed({ hostingMode }: SiteIdentity): boolean {
  return hostingMode === 'data_mode'
}
