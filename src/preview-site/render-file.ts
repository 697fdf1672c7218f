import type { Artifact } from '../domain/artifact.ts'
import { messageOf, ServiceError } from '../domain/errors.ts'
import { foldersAt, placesOf } from '../domain/listing.ts'
import type { LiveCard, LivePage } from '../domain/live-page.ts'
import { fileInLocale } from '../domain/locale.ts'
import { NOT_FOUND_FILE } from '../domain/not-found-page.ts'
import { SITE_ICON_KEYS } from '../domain/site-icons.ts'
import type { LiveObject } from '../publish/ledger/live-state.ts'
import { currentListings } from '../publish/pipeline/listings.ts'
import { byLanguage } from '../publish/pipeline/surroundings.ts'
import { navKeys } from '../render/docs/docs-nav.ts'
import type { RenderedPage } from '../render/page/render-page.ts'
import { NO_LISTINGS, type Renderer, type SiteInput } from '../renderer/renderer.ts'
import { ThemeError } from '../theme/theme-error.ts'
import { type InMemoryPage, type InMemorySite, livePageOf } from './in-memory-site.ts'
import {
  type PreviewDiagnostic,
  pageDiagnostic,
  type RenderedAt,
  themeDiagnostic,
} from './preview-diagnostic.ts'
import type { RenderableSite } from './renderable-site.ts'

export interface RenderedFile {
  /** The last successful result if rendering fails now; null if there is none. */
  readonly body: Uint8Array | null
  readonly errors: readonly PreviewDiagnostic[]
  /** Styles and scripts of a file that was rendered now. */
  readonly assets: readonly Artifact[]
  /** The page that owns the file; null for a file of the site. */
  readonly page: InMemoryPage | null
}

/** Returns the last successful result for a page; null if there is none. */
export type LastRendered = (live: LivePage, renderer: Renderer) => RenderedPage | null

/**
 * Renders the file at a key from the smallest part of the site that it depends on. Null if there is no such
 * file, and for files that depend on the whole site.
 *
 * @param theme overrides the theme of the site and of its pages; null follows them.
 */
export async function renderFile(
  key: string,
  theme: string | null,
  renderable: RenderableSite,
  last: LastRendered,
): Promise<RenderedFile | null> {
  const page = renderable.site.byKey.get(key)
  if (page !== undefined) return renderPageFile(key, page, theme, renderable, last)
  const input = await inputFor(key, renderable.site)
  if (input === null) return null
  const path = `/${key}`
  try {
    const settings = theme === null ? renderable.site.settings : { ...renderable.site.settings, theme }
    const artifacts = await renderable.renderer.renderSite({
      ...EMPTY,
      ...(await withEntries(input, theme, renderable)),
      site: renderable.site.site,
      settings,
      ...byLanguage(renderable.site.settings, renderable.site.surroundings),
    })
    const body = bodyAt(key, artifacts)
    return body === null ? null : { body, errors: [], assets: assetsIn(artifacts), page: null }
  } catch (error) {
    return { body: null, errors: [await diagnosticOf(error, { path, source: key })], assets: [], page: null }
  }
}

/** Renders a page. Errors are part of the result. */
export async function renderPageFile(
  key: string,
  page: InMemoryPage,
  theme: string | null,
  { site, renderer }: Pick<RenderableSite, 'site' | 'renderer'>,
  last: LastRendered,
): Promise<RenderedFile> {
  const live = livePageOf(site, page, theme)
  try {
    const { artifacts } = await renderer.renderPage(live)
    return { body: bodyAt(key, artifacts), errors: [], assets: assetsIn(artifacts), page }
  } catch (error) {
    const fault = await diagnosticOf(error, { path: live.path, source: page.written.source })
    const artifacts = last(live, renderer)?.artifacts ?? []
    return { body: bodyAt(key, artifacts), errors: [fault], assets: assetsIn(artifacts), page }
  }
}

/** @throws the error itself if neither a template nor a page caused it. */
export function diagnosticOf(
  error: unknown,
  page: RenderedAt,
): Promise<PreviewDiagnostic> | PreviewDiagnostic {
  if (error instanceof ThemeError) return themeDiagnostic(error, page)
  if (error instanceof ServiceError) return pageDiagnostic(page, messageOf(error))
  throw error
}

function bodyAt(key: string, artifacts: readonly Artifact[]): Uint8Array | null {
  return artifacts.find((artifact) => artifact.key === key)?.body ?? null
}

function assetsIn(artifacts: readonly Artifact[]): readonly Artifact[] {
  return artifacts.filter(({ stage }) => stage === 'asset')
}

type Wanted = Pick<SiteInput, 'trees' | 'listings'>

const EMPTY: Pick<SiteInput, 'revision' | 'lines' | 'feed' | 'docsOrder'> = {
  revision: 1,
  lines: [],
  feed: [],
  docsOrder: [],
}

function isNotFoundKey(key: string, { settings }: InMemorySite): boolean {
  const locales = settings.locales
  return (
    key === NOT_FOUND_FILE || locales.some((locale) => fileInLocale(NOT_FOUND_FILE, locale, locales) === key)
  )
}

/** The input of the file: one navigation tree, or one page of a listing. */
async function inputFor(key: string, site: InMemorySite): Promise<Wanted | null> {
  if (isNotFoundKey(key, site) || SITE_ICON_KEYS.includes(key)) return { trees: null, listings: NO_LISTINGS }
  const tree = [...site.trees].find(([home]) => navKeys(home).includes(key))
  if (tree !== undefined) return { trees: new Map([tree]), listings: NO_LISTINGS }
  if (foldersAt(key).length === 0) return null
  const listings = await currentListings(site.site.projectId, site, new Set([key]), listingState(site))
  return listings.pages.length + listings.tagIndexes.length === 0 ? null : { trees: null, listings }
}

/** With the texts of the entries of changelogs, which a build has from rendering their pages. */
async function withEntries(
  { trees, listings }: Wanted,
  theme: string | null,
  { site, renderer }: Pick<RenderableSite, 'site' | 'renderer'>,
): Promise<Wanted> {
  if (!listings.pages.some(({ isChangelog }) => isChangelog)) return { trees, listings }
  const byId = new Map([...site.byKey.values()].map((page) => [page.facts.id, page]))
  const withText = async (card: LiveCard): Promise<LiveCard> => {
    const page = byId.get(card.id)
    if (card.entry === undefined || page === undefined) return card
    const { entry } = await renderer.renderPage(livePageOf(site, page, theme))
    return { ...card, entry: { ...card.entry, ...entry } }
  }
  const pages = listings.pages.map(async (page) =>
    page.isChangelog ? { ...page, articles: await Promise.all(page.articles.map(withText)) } : page,
  )
  return { trees, listings: { ...listings, pages: await Promise.all(pages) } }
}

/** The part of the ledger that listings read. */
function listingState({ cards, byKey }: InMemorySite): Parameters<typeof currentListings>[3] {
  const articles = cards.filter(({ type }) => type === 'article')
  return {
    cards: async () => articles,
    nextSlots: async (_, folders) => {
      const next = new Map(folders.map((folder) => [folder, 0]))
      for (const { folder } of articles.flatMap(placesOf))
        if (next.has(folder)) next.set(folder, (next.get(folder) ?? 0) + 1)
      return next
    },
    objectsAt: async (_, keys) => keys.flatMap((key) => pageObject(key, byKey.get(key))),
  }
}

function pageObject(key: string, page: InMemoryPage | undefined): LiveObject[] {
  if (page === undefined) return []
  const owner = { kind: 'page', id: page.facts.id } as const
  return [{ key, owner, digest: '', headerDigest: '', keyId: null, writtenBy: null }]
}
