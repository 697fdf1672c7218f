import type { Artifact } from '../domain/artifact.ts'
import { messageOf, ServiceError } from '../domain/errors.ts'
import { foldersAt } from '../domain/listing.ts'
import type { LivePage } from '../domain/live-page.ts'
import type { LiveObject } from '../publish/ledger/live-state.ts'
import { currentListings } from '../publish/pipeline/listings.ts'
import { navKeys } from '../render/docs/docs-nav.ts'
import type { RenderedPage } from '../render/page/render-page.ts'
import { NO_LISTINGS, type Renderer, type SiteInput } from '../renderer/renderer.ts'
import { ThemeError } from '../theme/theme-error.ts'
import { livePageNow, type PageNow, type SiteNow } from './in-memory-site.ts'
import { type PreviewDiagnostic, pageDiagnostic, themeDiagnostic } from './preview-diagnostic.ts'
import type { Shown } from './shown-site.ts'

export interface MadeFile {
  /** As it came out last where it cannot be made now; null where it never could. */
  readonly body: Uint8Array | null
  readonly errors: readonly PreviewDiagnostic[]
  /** Style and script it names, where it was made now. */
  readonly assets: readonly Artifact[]
  /** The page it belongs to; null for a file of the site. */
  readonly page: PageNow | null
}

/** How pages came out earlier. */
export type LastRendered = (live: LivePage, renderer: Renderer) => RenderedPage | null

/**
 * The file at a key, made of as little of the site as it takes. Null where there is none, and for what
 * takes the whole site to make.
 *
 * @param theme that is tried instead of what pages and site say; null follows them.
 */
export async function makeFile(
  key: string,
  theme: string | null,
  shown: Shown,
  last: LastRendered,
): Promise<MadeFile | null> {
  const page = shown.site.byKey.get(key)
  if (page !== undefined) return pageFile(key, page, theme, shown, last)
  const input = await inputFor(key, shown.site)
  if (input === null) return null
  const path = `/${key}`
  try {
    const settings = theme === null ? shown.site.settings : { ...shown.site.settings, theme }
    const artifacts = await shown.renderer.renderSite({ ...EMPTY, ...input, site: shown.site.site, settings })
    const body = bodyAt(key, artifacts)
    return body === null ? null : { body, errors: [], assets: assetsIn(artifacts), page: null }
  } catch (error) {
    return { body: null, errors: [await diagnosticOf(error, { path, source: key })], assets: [], page: null }
  }
}

/** Renders a page, whatever becomes of it. */
export async function pageFile(
  key: string,
  page: PageNow,
  theme: string | null,
  { site, renderer }: Pick<Shown, 'site' | 'renderer'>,
  last: LastRendered,
): Promise<MadeFile> {
  const live = livePageNow(site, page, theme)
  try {
    const { artifacts } = await renderer.renderPage(live)
    return { body: bodyAt(key, artifacts), errors: [], assets: assetsIn(artifacts), page }
  } catch (error) {
    const fault = await diagnosticOf(error, { path: live.path, source: page.written.source })
    const artifacts = last(live, renderer)?.artifacts ?? []
    return { body: bodyAt(key, artifacts), errors: [fault], assets: assetsIn(artifacts), page }
  }
}

/** @throws what is no fault of a template or of a page, but a bug. */
export function diagnosticOf(
  error: unknown,
  page: NonNullable<PreviewDiagnostic['page']>,
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

const EMPTY: Pick<SiteInput, 'revision' | 'lines' | 'feed'> = { revision: 1, lines: [], feed: [] }

/** What the file is made of: one tree of navigation, or one page of a list. */
async function inputFor(key: string, site: SiteNow): Promise<Wanted | null> {
  if (key === '404.html') return { trees: null, listings: NO_LISTINGS }
  const tree = [...site.trees].find(([home]) => navKeys(home).includes(key))
  if (tree !== undefined) return { trees: new Map([tree]), listings: NO_LISTINGS }
  if (foldersAt(key).length === 0) return null
  const listings = await currentListings(site.site.projectId, site.site, new Set([key]), listingState(site))
  return listings.pages.length === 0 ? null : { trees: null, listings }
}

/** What lists are laid out by. */
function listingState({ cards, byKey }: SiteNow): Parameters<typeof currentListings>[3] {
  const articles = cards.filter(({ type }) => type === 'article')
  return {
    cards: async () => articles,
    nextSlots: async (_, folders) =>
      new Map(
        folders.map((folder) => [folder, articles.filter((card) => card.folder === folder).length] as const),
      ),
    objectsAt: async (_, keys) => keys.flatMap((key) => pageObject(key, byKey.get(key))),
  }
}

function pageObject(key: string, page: PageNow | undefined): LiveObject[] {
  if (page === undefined) return []
  const owner = { kind: 'page', id: page.facts.id } as const
  return [{ key, owner, digest: '', headerDigest: '', keyId: null, writtenBy: null }]
}
