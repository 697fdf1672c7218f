import { inLocale } from '../../domain/by-locale.ts'
import { collect } from '../../domain/collection.ts'
import { generatedPictures, iconsOf, withoutGeneratedPictures } from '../../domain/generated-picture.ts'
import type {
  Collections,
  LiveCard,
  LiveFacts,
  LivePage,
  NavNode,
  PlacedPage,
  Snapshot,
} from '../../domain/live-page.ts'
import { groupedByKey, localeOf, translationsOf } from '../../domain/locale.ts'
import { type MediaSource, mediaNamed, mediaPath } from '../../domain/media.ts'
import { pageMediaNames, settingsMediaNames } from '../../domain/media-names.ts'
import { neighboursOf } from '../../domain/neighbours.ts'
import type { PageType } from '../../domain/page.ts'
import { putsBack, putsLive, type Release } from '../../domain/release.ts'
import type { Settings } from '../../domain/settings.ts'
import { switchPaths } from '../../domain/version.ts'
import { docsContext, docsTrees } from '../../render/docs/docs-nav.ts'
import { queriesOf } from '../../render/listing/collections.ts'
import { liveCard } from '../../render/listing/live-card.ts'
import type { ClaimedRelease } from '../decide/claimed-release.ts'
import type { InProject } from '../ledger/leases.ts'
import type { AtRevision, LiveSite, LiveState } from '../ledger/live-state.ts'
import { listPaths } from './existing-paths.ts'
import { mergeFacts } from './merge-facts.ts'
import { factsOf } from './page-keys.ts'
import { readSurroundings, type SurroundingsIn } from './surroundings.ts'

/** Part of the site after a batch that rendering depends on. */
export interface ProjectedSite {
  readonly pages: readonly PageToRender[]
  /** Adds the context of a page: navigation and collections. Computed per call, because all contexts together need far more memory. */
  readonly inContext: (page: PageToRender) => LivePage
  /** Docs navigation by subroute; null when the batch contains no docs pages. */
  readonly trees: ReadonlyMap<string, readonly NavNode[]> | null
  /** Site and settings of the next indexes. */
  readonly next: SiteSettings
  /** Site and settings of the last indexes; null before the first publish. */
  readonly previous: LiveSite | null
  /** Where the links around its pages lead. */
  readonly surroundings: SurroundingsIn
}

type SiteState = Pick<LiveState, 'site' | 'facts' | 'translations' | 'pagesAt' | 'cards'>

type SiteSettings = Pick<LiveSite, 'site' | 'settings' | 'media'>

export interface PageToRender {
  readonly claimed: ClaimedRelease
  readonly facts: LiveFacts
  readonly card: LiveCard
  readonly placed: PlacedPage
}

/**
 * Overlays the live pages with a batch, and so determines what each page of the batch shows of other pages.
 *
 * @param now the publish time of pages that go live for the first time.
 */
export async function projectedSite(
  place: InProject,
  batch: readonly ClaimedRelease[],
  now: string,
  liveState: SiteState,
): Promise<ProjectedSite> {
  const publishes = batch
    .filter(({ release }) => putsLive(release))
    .map((claimed) => pageToRender(claimed, now))
  const added = publishes.map(({ facts }) => facts).filter(isDocs)
  const touchesDocs = added.length > 0 || batch.some(({ live }) => live !== null && isDocs(live.facts))
  const previous = await liveState.site(place.projectId)
  const next = nextSettings(batch, previous)
  const current = { ...place, asOf: revisionOf(previous) }
  const trees = touchesDocs ? await nextTrees(current, batch, added, next.settings, liveState) : null
  const cards = await nextCards(current, batch, publishes, liveState)
  const translations = await nextTranslations(place, batch, publishes, liveState)
  const existing = await nextPaths(current, batch, publishes, liveState)
  const surroundings = await nextSurroundings(current, batch, publishes, next, liveState)
  return {
    pages: publishes,
    inContext: (page) => livePage(page, trees, cards, { byKey: translations, existing, surroundings }),
    trees,
    next,
    previous,
    surroundings,
  }
}

function pageToRender(claimed: ClaimedRelease, now: string): PageToRender {
  const { snapshot } = claimed.release
  const facts = factsOf(snapshot)
  const card = liveCard(snapshot, facts.path, claimed.firstPublishedAt ?? now)
  const { page } = snapshot
  const locale = localeOf({ path: facts.path, fields: snapshot.fields, settings: snapshot.settings })
  const { settings, site } = inLocale(snapshot, locale)
  const media = site.hostingMode === 'data_mode' ? sealedMedia(snapshot) : shownMedia(snapshot, settings)
  const fields = { ...snapshot.fields, publishDate: card.date }
  const address = { path: facts.path, file: claimed.file }
  const placed = { page, fields, settings, site, ...(media !== undefined && { media }), ...address }
  return { claimed, facts, card, placed }
}

/** Assets of a page, without those of the settings of other languages. */
function shownMedia({ page, settings, media }: Snapshot, shown: Settings): MediaSource | undefined {
  if (media === undefined || shown === settings) return media
  const named = mediaNamed(media, [...pageMediaNames(page), ...settingsMediaNames(shown)])
  const all = { ...named, ...generatedPictures(media) }
  return Object.keys(all).length === 0 ? undefined : all
}

/** Assets of a sealed page, without those of settings and without generated pictures. */
function sealedMedia({ page, settings, media }: Snapshot): MediaSource | undefined {
  if (media === undefined) return undefined
  const own = new Set(pageMediaNames(page))
  const ofSite = settingsMediaNames(settings).filter((name) => !own.has(name))
  const hidden = new Set(ofSite.map(mediaPath))
  const shown = Object.entries(withoutGeneratedPictures(media) ?? {}).filter(([path]) => !hidden.has(path))
  return shown.length === 0 ? undefined : Object.fromEntries(shown)
}

/**
 * The newest settings of the batch. A rollback, or a refresh, restores the settings of its page only, not those of the site, and
 * neither does a release that a later one has overtaken.
 */
function nextSettings(batch: readonly ClaimedRelease[], previous: LiveSite | null): SiteSettings {
  const last = batch.findLast(({ release, isOvertaken }) => !putsBack(release) && !isOvertaken)
  const { site, settings, media } = last?.release.snapshot ?? previous ?? newest(batch).snapshot
  if (site.hostingMode === 'data_mode') return { site, settings }
  const shown = { ...mediaNamed(media, settingsMediaNames(settings)), ...iconsOf(media) }
  return { site, settings, ...(Object.keys(shown).length > 0 && { media: shown }) }
}

/** The release accepted last. */
export function newest(batch: readonly ClaimedRelease[]): Release {
  const last = batch.at(-1)
  if (last === undefined) throw new RangeError('A batch holds at least one release.')
  return last.release
}

/** 0 before the first publish. */
export function revisionOf(live: LiveSite | null): number {
  return live?.revision ?? 0
}

async function nextTrees(
  { projectId, asOf }: AtRevision,
  batch: readonly ClaimedRelease[],
  added: readonly LiveFacts[],
  settings: Settings,
  liveState: SiteState,
): Promise<ReadonlyMap<string, readonly NavNode[]>> {
  const touched = new Set(batch.map(({ release }) => release.pageId))
  const facts = await liveState.facts(projectId, 'docs', asOf)
  return docsTrees(mergeFacts(facts, touched, added), settings)
}

/** Cards of the types in collections of the batch's pages, and of articles for their neighbours. */
async function nextCards(
  { projectId, asOf }: AtRevision,
  batch: readonly ClaimedRelease[],
  publishes: readonly PageToRender[],
  liveState: SiteState,
): Promise<ReadonlyMap<PageType, readonly LiveCard[]>> {
  const touched = new Set(batch.map(({ release }) => release.pageId))
  const types = new Set(publishes.flatMap(({ placed }) => queriesOf(placed).map(({ type }) => type)))
  if (publishes.some(({ card }) => card.folder !== null)) types.add('article')
  const cards = new Map<PageType, readonly LiveCard[]>()
  for (const type of types) {
    const added = publishes.map(({ card }) => card).filter((card) => card.type === type)
    cards.set(type, mergeFacts(await liveState.cards(projectId, type, asOf), touched, added))
  }
  return cards
}

/** Translations of the pages of the batch by translation key; null on a site without locales. */
async function nextTranslations(
  { projectId }: InProject,
  batch: readonly ClaimedRelease[],
  publishes: readonly PageToRender[],
  liveState: SiteState,
): Promise<TranslationsByKey | null> {
  const keys = new Set(publishes.flatMap(({ facts: { translated } }) => translated?.key ?? []))
  if (keys.size === 0) return null
  const touched = new Set(batch.map(({ release }) => release.pageId))
  const live = await liveState.translations(projectId, [...keys])
  const added = publishes.map(({ facts }) => facts)
  return groupedByKey(mergeFacts(live, touched, added))
}

/** Existing paths among the possible targets of switches, after the batch. */
async function nextPaths(
  { projectId, asOf }: AtRevision,
  batch: readonly ClaimedRelease[],
  publishes: readonly PageToRender[],
  liveState: SiteState,
): Promise<ReadonlySet<string>> {
  const wanted = new Set(
    publishes.flatMap(({ facts: { path }, placed }) => switchPaths(path, localeOf(placed), placed.settings)),
  )
  if (wanted.size === 0) return NO_PATHS
  const touched = new Set<string>(batch.map(({ release }) => release.pageId))
  const live = await liveState.pagesAt(projectId, [...wanted])
  const existing = new Set([
    ...live.filter(({ id }) => !touched.has(id)).map(({ path }) => path),
    ...publishes.map(({ facts: { path } }) => path).filter((path) => wanted.has(path)),
  ])
  if ([...wanted].every((path) => existing.has(path))) return existing
  const added = publishes.map(({ card }) => card).filter(({ type }) => type === 'article')
  const articles = mergeFacts(await liveState.cards(projectId, 'article', asOf), touched, added)
  return new Set([...existing, ...listPaths(articles)])
}

const NO_PATHS: ReadonlySet<string> = new Set()

function nextSurroundings(
  current: AtRevision,
  batch: readonly ClaimedRelease[],
  publishes: readonly PageToRender[],
  { site, settings }: SiteSettings,
  liveState: SiteState,
): Promise<SurroundingsIn> {
  const all = publishes.map(({ claimed }) => claimed.release.snapshot.settings)
  const overlay = {
    touched: new Set<string>(batch.map(({ release }) => release.pageId)),
    facts: publishes.map(({ facts }) => facts),
    cards: publishes.map(({ card }) => card),
  }
  return readSurroundings(current, site, [settings, ...all], overlay, liveState)
}

type TranslationsByKey = ReadonlyMap<string, readonly LiveFacts[]>

/** Forms of the batch's pages in other languages and versions. */
interface SamePages {
  readonly byKey: TranslationsByKey | null
  /** Possible targets of switches. */
  readonly existing: ReadonlySet<string>
  readonly surroundings: SurroundingsIn
}

function livePage(
  { claimed, placed, card, facts }: PageToRender,
  trees: ProjectedSite['trees'],
  cards: ReadonlyMap<PageType, readonly LiveCard[]>,
  { byKey, existing, surroundings }: SamePages,
): LivePage {
  const { page, fields, settings, site, media, path, file } = placed
  const docs = page.type === 'docs' && trees !== null ? docsContext(trees, path) : null
  const collections: Collections = new Map(
    queriesOf(placed).map((query) => [query.section, collect(cards.get(query.type) ?? [], query, card.id)]),
  )
  const neighbours = neighboursOf(cards.get('article') ?? [], card)
  const locale = localeOf(placed)
  const targets = switchPaths(path, locale, settings)
  const around = surroundings(claimed.release.snapshot.settings, locale)
  // Written out: V8 in Node 20 creates a hidden class for each object that is spread and extended, which costs
  // 130 bytes and slows property access.
  const context = {
    docs,
    collections,
    neighbours,
    ...(byKey !== null &&
      facts.translated !== undefined && {
        translations: translationsOf(facts, byKey.get(facts.translated.key) ?? [], settings.locales),
      }),
    ...(targets.length > 0 && { switchPaths: targets.filter((target) => existing.has(target)) }),
    ...(around !== undefined && { surroundings: around }),
  }
  if (media === undefined) return { page, fields, settings, site, path, file, context }
  return { page, fields, settings, site, media, path, file, context }
}

function isDocs({ type }: LiveFacts): boolean {
  return type === 'docs'
}
