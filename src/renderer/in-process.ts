import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Artifact } from '../domain/artifact.ts'
import { inLocale } from '../domain/by-locale.ts'
import { hexOf, readableOn } from '../domain/colour.ts'
import { ServiceError } from '../domain/errors.ts'
import type { LivePage, SiteIdentity } from '../domain/live-page.ts'
import { defaultLocale, type Locale } from '../domain/locale.ts'
import { notFoundKey } from '../domain/not-found-page.ts'
import { ownTheme } from '../domain/page.ts'
import { publicPath } from '../domain/route.ts'
import { pageDocument } from '../page-text/page-document.ts'
import { includedPaths, wholeText } from '../page-text/page-includes.ts'
import { shownTexts } from '../page-text/page-variables.ts'
import { navFile, navigationArtifacts } from '../render/docs/nav-artifacts.ts'
import { anchorsIn } from '../render/links/anchors.ts'
import { prefixedLinks } from '../render/links/links.ts'
import { listingPageArtifacts } from '../render/listing/listing.ts'
import { tagIndexArtifacts } from '../render/listing/tag-index.ts'
import { UNLIMITED_HIGHLIGHTING } from '../render/markdown/highlight/highlighter.ts'
import type { MarkdownTools } from '../render/markdown/markdown-tools.ts'
import { siteColour } from '../render/page/branding.ts'
import { cssSyntaxIssue } from '../render/page/css-syntax.ts'
import type { Site } from '../render/page/head-view.ts'
import { renderPayload } from '../render/page/payload.ts'
import { pageTools, type RenderedPage, renderPage, renderPreview } from '../render/page/render-page.ts'
import { searchEntryOf } from '../render/search/search-entry.ts'
import { feedEntry, feeds, type SiteOfFeeds } from '../render/site-files/feeds.ts'
import { siteIcons } from '../render/site-files/icons/site-icons.ts'
import { llmsText } from '../render/site-files/llms.ts'
import { manifest } from '../render/site-files/manifest.ts'
import { renderNotFound } from '../render/site-files/not-found.ts'
import { linesWithAlternates, listingLines, robots, sitemap } from '../render/site-files/sitemap.ts'
import type { Theme } from '../theme/theme.ts'
import type { Renderer, SiteInput } from './renderer.ts'

/** The most bytes of output per byte of a page's source, beyond `OUTPUT_ALLOWANCE`. */
const OUTPUT_FACTOR = 20
/** Bytes of output that any page may have. */
const OUTPUT_ALLOWANCE = 1_000_000
/** Bytes of cached `404.html` files: those of some hundred sites. */
const NOT_FOUND_CACHE_BYTES = 8_000_000

/**
 * Renders in this process, one document at a time.
 *
 * @param themes every installed theme by name, including `default`.
 * @param highlighting limits of one page, and the cache of tokens; by default nothing is rejected or cached. Pages of
 *   sites in Data Mode do not use the cache: anyone with the folder can read its file.
 */
export function createInProcessRenderer(
  themes: ReadonlyMap<string, Theme>,
  highlighting = UNLIMITED_HIGHLIGHTING,
): Renderer {
  const notFound = createNotFoundCache()

  return {
    themes: [...themes.keys()].sort(),
    themeDigest: (name) => themes.get(name)?.digest ?? null,
    cardColours: ({ theme, branding }) => {
      const background = siteColour(branding, siteTheme(theme).colours)
      return { background: hexOf(background), foreground: hexOf(readableOn(background)) }
    },
    readsField: (name, field) => themes.get(name)?.readsField(field) ?? false,
    async renderPage(live) {
      const theme = themeNamed(themeOf(live))
      const render = isSealed(live.site) ? renderPayload : renderPage
      return withinOutputCap(live, await withTools(live, (tools) => render(live, theme, tools)))
    },
    feedEntry: async (live) => (isSealed(live.site) ? null : feedEntry(live)),
    async preview(live, prefixes) {
      const theme = themeNamed(themeOf(live))
      const links = prefixedLinks(prefixes, live.media)
      return withTools(live, (tools) => renderPreview(live, theme, links, tools))
    },
    renderSite: async (input) => renderSite(input, siteTheme(input.settings.theme), notFound),
    cssIssue: (_, css) => cssSyntaxIssue(css),
    document: async (_, { page, stated, collections }) => pageDocument(page, stated, collections),
    includedPaths: async (_, path, markdown) => includedPaths(path, markdown),
    wholeText: async (_, page) => wholeText(page),
    shownTexts: async (_, page, variables) => shownTexts(page, variables),
    readDocument: async (placed, html) => ({
      search: searchEntryOf(placed, html),
      anchors: anchorsIn(html),
    }),
    close: async () => {},
  }

  /** Renders again when code of the page needs a grammar that is not loaded. */
  async function withTools<Result>(
    live: LivePage,
    render: (tools: MarkdownTools) => Result,
  ): Promise<Result> {
    const tools = await pageTools(live, isSealed(live.site) ? { ...highlighting, cache: null } : highlighting)
    const rendered = render(tools)
    return (await tools.loadMissing()) ? render(tools) : rendered
  }

  function themeNamed(name: string): Theme {
    const theme = themes.get(name)
    if (theme !== undefined) return theme
    throw new ServiceError(
      // Edits name installed themes only, so this process lacks it: the edit is right.
      'internal_error',
      `The theme ${JSON.stringify(name)} is not installed on this server; choose another, or have it installed.`,
    )
  }

  /** Falls back to `default`: to unpublish a page, the indexes must render even if the theme is not installed. */
  function siteTheme(name: string): Theme {
    return themes.get(name) ?? themeNamed('default')
  }
}

/** @throws {ServiceError} `validation_error` if the output is far larger than the page's source. */
function withinOutputCap({ page }: LivePage, rendered: RenderedPage): RenderedPage {
  const own = rendered.artifacts.filter(({ owner }) => owner.kind === 'page')
  const excess = own.reduce((sum, { body }) => sum + body.byteLength, 0) - OUTPUT_ALLOWANCE
  if (excess <= 0 || excess <= OUTPUT_FACTOR * Buffer.byteLength(JSON.stringify(page))) return rendered
  throw new ServiceError(
    'validation_error',
    `The page is too complex to render: its output is more than ${OUTPUT_FACTOR} times as large as its source. Make it simpler, or split it.`,
  )
}

function themeOf({ page, settings }: LivePage): string {
  return ownTheme(page) ?? settings.theme
}

function renderSite(
  {
    site,
    settings,
    media,
    feedTimes,
    revision,
    lines,
    feed,
    trees,
    listings,
    docsOrder,
    surroundings,
  }: SiteInput,
  theme: Theme,
  notFound: RenderNotFound,
): readonly Artifact[] {
  const inSite = { site, settings, media, ...(surroundings !== undefined && { surroundings }) }
  const inMain = inLocale(inSite, defaultLocale(settings.locales))
  const inFeeds = { ...inSite, feedTimes }
  const header = { site, revision, theme: settings.theme }
  const index = manifest(
    header,
    lines.map(({ line }) => line),
  )
  if (isSealed(site)) return [...[...(trees ?? [])].map(([home, tree]) => navFile(home, tree)), index]
  return [
    ...(trees === null ? [] : navigationArtifacts(trees, inSite, theme)),
    ...notFoundDocuments(inSite, lines, theme, notFound),
    ...listings.pages.flatMap((page) => listingPageArtifacts(page, inFeeds, theme, listings.fronts)),
    ...listings.tagIndexes.flatMap((index) => tagIndexArtifacts(index, inSite, theme, listings.fronts)),
    ...siteIcons(inMain, theme.colours).filter(({ key }) => !isPath(key, lines)),
    ...siteOutputs(inFeeds, lines, feed, listings.fronts, docsOrder),
    index,
  ]
}

/** Documents for unknown paths, one per language, except languages where a page writes it. */
function notFoundDocuments(
  inSite: Site,
  lines: SiteInput['lines'],
  theme: Theme,
  notFound: RenderNotFound,
): readonly Artifact[] {
  const { settings } = inSite
  const written = new Set(
    lines.flatMap((page) => notFoundKey(publicPath(page, settings.siteRoutes), settings) ?? []),
  )
  const locales = settings.locales
  const documents = notFound(inSite, locales.length === 0 ? [null] : locales, theme)
  return documents.filter(({ key }) => !written.has(key))
}

/**
 * Reports whether a page is at the path of a file or below it. Such a page is older than the reservation of these
 * names.
 */
function isPath(key: string, lines: SiteInput['lines']): boolean {
  return lines.some(
    ({ subroute, slug }) => slug === key || subroute === key || subroute.startsWith(`${key}/`),
  )
}

/** Renders `404.html` in each of these languages; null on a site without locales. */
type RenderNotFound = (site: Site, locales: readonly (Locale | null)[], theme: Theme) => readonly Artifact[]

/** Caches `404.html`: every publish of a site renders it, and hardly any changes it. */
function createNotFoundCache(): RenderNotFound {
  const rendered = new LRUCache<string, Artifact>({
    maxSize: NOT_FOUND_CACHE_BYTES,
    sizeCalculation: ({ body }, key) => body.byteLength + key.length,
  })
  return (site, locales, theme) => {
    // Once for all languages: the settings of a site can be large.
    const digest = hash('sha256', JSON.stringify(site), 'base64url')
    return locales.map((locale) => {
      const key = `${digest} ${JSON.stringify(locale)}`
      const artifact = rendered.get(key) ?? renderNotFound(site, locale, theme)
      rendered.set(key, artifact)
      return artifact
    })
  }
}

function siteOutputs(
  inSite: SiteOfFeeds,
  lines: SiteInput['lines'],
  feed: SiteInput['feed'],
  fronts: readonly string[],
  docsOrder: readonly string[],
): readonly Artifact[] {
  const { origin } = inSite.site
  return [
    ...sitemap(origin, [
      ...linesWithAlternates(lines, inSite.settings.locales),
      ...listingLines(inSite, fronts),
    ]),
    robots(origin),
    ...feeds(inSite, feed),
    llmsText(inLocale(inSite, defaultLocale(inSite.settings.locales)), lines, docsOrder),
  ]
}

function isSealed({ hostingMode }: SiteIdentity): boolean {
  return hostingMode === 'data_mode'
}
