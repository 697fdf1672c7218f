import { LRUCache } from 'lru-cache'
import type { Home } from '../../db/repositories/projects.ts'
import { settingsAt } from '../../domain/announcement.ts'
import { inLocale } from '../../domain/by-locale.ts'
import type { ReserveBytes } from '../../domain/caller.ts'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import type { LiveFacts, NavNode } from '../../domain/live-page.ts'
import { groupedByKey, type Locale, localeAt, localeWithCode, translationsOf } from '../../domain/locale.ts'
import { mediaNamed } from '../../domain/media.ts'
import { settingsMediaNames } from '../../domain/media-names.ts'
import { neighboursOfLive } from '../../domain/neighbours.ts'
import type { PageSummary } from '../../domain/page.ts'
import type { Project } from '../../domain/project.ts'
import type { Settings } from '../../domain/settings.ts'
import { type LiveDigests, type StaleReason, staleReasons } from '../../domain/staleness.ts'
import { switchPaths } from '../../domain/version.ts'
import type { LiveState } from '../../publish/ledger/live-state.ts'
import {
  collectionDigest,
  hostingDigest,
  mediaDigest,
  navDigest,
  neighboursDigest,
  settingsDigest,
  translationsDigest,
} from '../../publish/pipeline/digests.ts'
import { existingPaths } from '../../publish/pipeline/existing-paths.ts'
import { NO_OVERLAY, readSurroundings } from '../../publish/pipeline/surroundings.ts'
import { docsContext, docsTrees, navOrderText } from '../../render/docs/docs-nav.ts'
import type { ServiceContext } from '../context.ts'
import { collectionsNow } from './collections.ts'
import { includedDigest } from './included-pages.ts'
import { siteOfProject } from './snapshots.ts'

/** Difference between a page and its live version. */
export interface LiveDifference {
  /** True when the content differs from the live one, and for a page that is not live. */
  readonly hasUnpublishedChanges: boolean
  /** Reasons why publishing the page again would change it; empty for a page that is not live. */
  readonly stale: readonly StaleReason[]
}

export type Staleness = ReturnType<typeof createStaleness>

type ComparedPage = Omit<PageSummary, 'sectionsCount'>
/** The languages of live pages, with the facts of these and of their translations. */
interface PageLocales {
  readonly sharing: readonly LiveFacts[]
  readonly byId: ReadonlyMap<PageId, LiveFacts>
  readonly of: (page: PageId) => Locale | null
}

type Trees = ReadonlyMap<string, readonly NavNode[]>

const CACHED_PROJECTS = 100

export function createStaleness({
  db,
  renderer,
  addresses,
  liveState,
  now,
}: ServiceContext & { readonly liveState: LiveState }) {
  /** Navigation trees by project, valid for one revision: building them is slow for a large project. */
  const cache = new LRUCache<ProjectId, { readonly basis: string; readonly trees: Trees }>({
    max: CACHED_PROJECTS,
  })

  /** Compares pages of one project with their live versions. @param reserve as of a caller. */
  return async (
    pages: readonly ComparedPage[],
    { project }: Home,
    reserve?: ReserveBytes,
  ): Promise<ReadonlyMap<PageId, LiveDifference>> => {
    const published = pages.filter(({ status }) => status === 'published').map(({ id }) => id)
    if (published.length === 0) return new Map(pages.map(({ id }) => [id, NOT_LIVE]))

    const live = await db.read.pages.liveDigests(published)
    const { settings: stored } = await db.read.settings.find(project.id, reserve)
    const settings = settingsAt(stored, now())
    const site = siteOfProject(project, addresses)
    const localeOfPage = await localesOfPages(project.id, live, settings)
    const shownIn = (page: PageId) => inLocale({ site, settings }, localeOfPage.of(page))
    const media = await mediaOf(project, published, settings, (page) => shownIn(page).settings)
    const hasDocs = [...live.values()].some(({ nav }) => nav !== null)
    const trees = hasDocs ? await treesOf(project.id, settings) : new Map()
    const translations = await samePages(project, live, settings, localeOfPage)
    const includes = await includesOf(live)
    const differences = pages.map(async (page) => {
      const before = live.get(page.id)
      if (before === undefined) return [page.id, NOT_LIVE] as const
      const collection = await collectionOf(project.id, page.id, before)
      const neighbours =
        page.type === 'article'
          ? neighboursDigest(neighboursOfLive(await liveState.cards(project.id, 'article'), page.id))
          : null
      return [
        page.id,
        difference(
          page,
          before,
          {
            settings: settingsDigest(shownIn(page.id).settings, shownIn(page.id).site),
            hosting: hostingDigest(site),
            ...includes(before),
            ...media(page.id),
            ...translations(page.id),
            collection,
            neighbours,
          },
          settings,
          trees,
        ),
      ] as const
    })
    return new Map(await Promise.all(differences))
  }

  function difference(
    page: ComparedPage,
    live: LiveDigests,
    shared: Pick<
      LiveDigests,
      'settings' | 'includes' | 'collection' | 'neighbours' | 'translations' | 'hosting' | 'media'
    >,
    settings: Settings,
    trees: Trees,
  ): LiveDifference {
    const theme = live.ownTheme ?? settings.theme
    const now: LiveDigests = {
      ...shared,
      path: live.path,
      content: page.contentDigest,
      ownTheme: live.ownTheme,
      theme: `${theme} ${renderer.themeDigest(theme)}`,
      // By the live path: an edit of the address changes the content, not the navigation.
      nav: live.nav === null ? null : navDigest(docsContext(trees, live.path)),
    }
    const stale = staleReasons(live, now)
    return { hasUnpublishedChanges: stale.includes('content'), stale }
  }

  /** Returns the digests of the included pages, as a publish now would record them. */
  async function includesOf(
    live: ReadonlyMap<PageId, LiveDigests>,
  ): Promise<(live: LiveDigests) => Pick<LiveDigests, 'includes'>> {
    const ids = [...new Set([...live.values()].flatMap(({ includes = [] }) => includes.map(({ id }) => id)))]
    const current = ids.length === 0 ? new Map() : await db.read.pages.liveDigests(ids)
    return ({ includes }) =>
      includes === undefined
        ? {}
        : {
            includes: includes.map(({ id }) => {
              const digests = current.get(id)
              return { id, digest: digests === undefined ? '' : includedDigest(digests) }
            }),
          }
  }

  /** Returns the media that a publish now would show for the names in the live versions and in the settings. */
  async function mediaOf(
    { id, hosting }: Pick<Project, 'id' | 'hosting'>,
    pages: readonly PageId[],
    settings: Settings,
    shownBy: (page: PageId) => Settings,
  ): Promise<(page: PageId) => Pick<LiveDigests, 'media'>> {
    // A sealed page shows nothing of the settings.
    const isSealed = hosting.mode === 'data_mode'
    const inSettings = isSealed ? [] : settingsMediaNames(settings)
    const named = await db.read.assets.liveNames(pages)
    const names = new Set([...inSettings, ...[...named.values()].flat()])
    const media = names.size === 0 ? {} : await db.read.assets.published(id, [...names])
    return (page) => {
      const own = isSealed ? [] : shownBy(page) === settings ? inSettings : settingsMediaNames(shownBy(page))
      const shown = mediaNamed(media, [...own, ...(named.get(page) ?? [])])
      return shown === undefined ? {} : { media: mediaDigest(shown) }
    }
  }

  /** Reads the languages of live pages. One query for a site with languages, and none for others. */
  async function localesOfPages(
    id: ProjectId,
    live: ReadonlyMap<PageId, LiveDigests>,
    settings: Settings,
  ): Promise<PageLocales> {
    const locales = settings.locales
    const sharing = locales.length === 0 ? [] : await liveState.translationsOfPages(id, [...live.keys()])
    const byId = new Map(sharing.map((facts) => [facts.id, facts]))
    const of = (page: PageId) => {
      const code = byId.get(page)?.translated?.locale ?? null
      return localeWithCode(code, locales) ?? localeAt(live.get(page)?.path ?? '/', locales)
    }
    return { sharing, byId, of }
  }

  /** Reads the same live page in other languages and versions, as a publish now would link to it. */
  async function samePages(
    { id, hosting }: Pick<Project, 'id' | 'hosting'>,
    live: ReadonlyMap<PageId, LiveDigests>,
    settings: Settings,
    { sharing, byId, of: localeOfPage }: PageLocales,
  ): Promise<(page: PageId) => Pick<LiveDigests, 'translations'>> {
    if (hosting.mode === 'data_mode') return () => ({})
    const locales = settings.locales
    const byKey = groupedByKey(sharing)
    const targets = new Map(
      [...live].map(([page, { path }]) => [page, switchPaths(path, localeOfPage(page), settings)]),
    )
    const place = { projectId: id }
    const site = { hostingMode: hosting.mode }
    const surroundings = await readSurroundings(place, site, [settings], NO_OVERLAY, liveState)
    const existing = await existingPaths(id, [...new Set([...targets.values()].flat())], liveState)
    return (page) => {
      const self = byId.get(page)
      const sharing = byKey.get(self?.translated?.key ?? '') ?? []
      const around = surroundings(settings, localeOfPage(page))
      return translationsDigest({
        ...(around !== undefined && { surroundings: around }),
        translations: self === undefined ? [] : translationsOf(self, sharing, locales),
        switchPaths: (targets.get(page) ?? []).filter((path) => existing.has(path)),
      })
    }
  }

  /** Digest of what the queries of the live version find now. */
  async function collectionOf(
    projectId: ProjectId,
    pageId: PageId,
    { collection }: LiveDigests,
  ): Promise<LiveDigests['collection']> {
    if (collection === null) return null
    const { queries } = collection
    return { queries, digest: collectionDigest(await collectionsNow(projectId, queries, pageId, liveState)) }
  }

  async function treesOf(projectId: ProjectId, settings: Settings): Promise<Trees> {
    const site = await liveState.site(projectId)
    const basis = `${site?.revision} ${navOrderText(settings)}`
    const known = cache.get(projectId)
    if (known?.basis === basis) return known.trees
    const trees = docsTrees(await liveState.facts(projectId, 'docs'), settings)
    cache.set(projectId, { basis, trees })
    return trees
  }
}

const NOT_LIVE: LiveDifference = { hasUnpublishedChanges: true, stale: [] }
