import { isDeepStrictEqual } from 'node:util'
import type { FolderRedirect, Site, SitePage } from '../content-folder/site.ts'
import { inLocale } from '../domain/by-locale.ts'
import { collect } from '../domain/collection.ts'
import type { LiveCard, LiveFacts, LivePage, Snapshot } from '../domain/live-page.ts'
import { groupedByKey, localeOf, translationsOf } from '../domain/locale.ts'
import { neighboursOfLive } from '../domain/neighbours.ts'
import { redirectKey } from '../domain/redirect-path.ts'
import { switchPaths } from '../domain/version.ts'
import { listPaths } from '../publish/pipeline/existing-paths.ts'
import { assignSlots } from '../publish/pipeline/listings.ts'
import { factsOf, pageKeys, redirectPaths } from '../publish/pipeline/page-keys.ts'
import { type SurroundingsIn, surroundingsAmong } from '../publish/pipeline/surroundings.ts'
import { type DocsTrees, docsContext, docsTrees } from '../render/docs/docs-nav.ts'
import { queriesOf } from '../render/listing/collections.ts'
import { liveCard } from '../render/listing/live-card.ts'
import {
  mediaOf,
  type SharedSnapshot,
  sharedSnapshot,
  snapshotOfSource,
} from '../site-build/site-releases.ts'

/** A site in memory, before any page is rendered. */
export interface InMemorySite extends Pick<SharedSnapshot, 'settings' | 'site'> {
  readonly content: Site
  /** In the order of `content.pages`. */
  readonly pages: readonly InMemoryPage[]
  /** Pages by the keys of their files. */
  readonly byKey: ReadonlyMap<string, InMemoryPage>
  readonly facts: readonly LiveFacts[]
  /**
   * Paths of the pages and of the lists of blogs. `translations` has the facts of pages with a common translation key.
   */
  readonly paths: ReadonlySet<string>
  readonly translations: ReadonlyMap<string, readonly LiveFacts[]>
  /** Cards of all pages. Articles have their listing slots. */
  readonly cards: readonly LiveCard[]
  readonly trees: DocsTrees
  /** Targets of the links around its pages. */
  readonly surroundings: SurroundingsIn
  /** Target paths of redirects, by the key of the redirect. */
  readonly redirects: ReadonlyMap<string, string>
  /** Targets of the redirects that belong to no page, by path. */
  readonly siteRedirects: ReadonlyMap<string, FolderRedirect['to']>
  /** Files of `static/`, relative to the folder, by the keys at which they are served. */
  readonly statics: ReadonlyMap<string, string>
}

/** A page and the data that other pages show of it. */
export interface InMemoryPage {
  readonly written: SitePage
  readonly snapshot: Snapshot
  readonly facts: LiveFacts
  readonly card: LiveCard
}

export interface SiteBuilderOptions {
  /** Absolute URL of the site, without a trailing slash. */
  readonly origin: string
  /** First publication time of all pages, ISO 8601 UTC. */
  readonly now: string
}

/**
 * Builds the site repeatedly. Unchanged parts are the same objects as before, so that callers can compare by identity.
 */
export function createSiteBuilder({ origin, now }: SiteBuilderOptions) {
  let previous: InMemorySite | null = null

  return async (content: Site): Promise<InMemorySite> => {
    const fresh = sharedSnapshot(content, { origin, keyId: null, skills: content.skills })
    const settings = same(previous?.settings, fresh.settings)
    const site = same(previous?.site, fresh.site)
    const around = { ...fresh, settings, site }
    const known = new Map(previous?.pages.map((page) => [page.written.source, page]))
    const pages = content.pages.map((page) => buildPage(page, around, known.get(page.source), now))
    const facts = sameItems(
      previous?.facts,
      pages.map((page) => page.facts),
    )
    const cards = same(previous?.cards, await withSlots(pages, site.projectId))
    const isSame = previous?.facts === facts
    previous = {
      content,
      settings,
      site,
      pages,
      facts,
      paths: new Set([...facts.map(({ path }) => path), ...listPaths(cards)]),
      translations: isSame && previous !== null ? previous.translations : groupedByKey(facts),
      cards,
      surroundings: surroundingsAmong(facts, cards),
      trees:
        previous?.facts === facts && previous.settings === settings
          ? previous.trees
          : docsTrees(facts, settings),
      byKey: new Map(pages.flatMap((page) => keysOf(page).map((key) => [key, page] as const))),
      redirects: new Map(
        pages.flatMap(({ snapshot, facts }) =>
          redirectPaths(snapshot).map((path) => [redirectKey(path), facts.path] as const),
        ),
      ),
      siteRedirects: new Map((content.redirects ?? []).map(({ from, to }) => [from, to])),
      statics: new Map(content.assets.map(({ path, source }) => [path, source])),
    }
    return previous
  }
}

/** @param theme overrides the theme of the page; null follows the page. */
export function livePageOf(
  { trees, cards, paths, translations, surroundings }: InMemorySite,
  { snapshot, facts, card }: InMemoryPage,
  theme: string | null,
): LivePage {
  const locale = localeOf({ ...snapshot, path: facts.path })
  const shown = inLocale(snapshot, locale)
  const tried = theme === null ? shown : withTheme(shown, theme)
  const [[file = ''] = []] = pageKeys(tried)
  const targets = switchPaths(facts.path, locale, tried.settings)
  const around = surroundings(snapshot.settings, locale)
  const collections = queriesOf(tried).map(
    (query) => [query.section, collect(cards, query, facts.id)] as const,
  )
  return {
    ...tried,
    fields: { ...tried.fields, publishDate: card.date },
    path: facts.path,
    file,
    context: {
      docs: facts.type === 'docs' ? docsContext(trees, facts.path) : null,
      collections: new Map(collections),
      neighbours: neighboursOfLive(cards, facts.id),
      ...(facts.translated !== undefined && {
        translations: translationsOf(
          facts,
          translations.get(facts.translated.key) ?? [],
          tried.settings.locales,
        ),
      }),
      switchPaths: targets.filter((path) => paths.has(path)),
      ...(around !== undefined && { surroundings: around }),
    },
  }
}

function withTheme(snapshot: Snapshot, theme: string): Snapshot {
  const { page, settings } = snapshot
  const { theme: _, ...config } = page.config
  return { ...snapshot, page: { ...page, config }, settings: { ...settings, theme } }
}

function buildPage(
  written: SitePage,
  around: SharedSnapshot,
  known: InMemoryPage | undefined,
  now: string,
): InMemoryPage {
  const { settings, site, media } = around
  const parent = around.parentOf(written)
  const isKnown =
    known !== undefined &&
    known.snapshot.settings === settings &&
    known.snapshot.site === site &&
    isDeepStrictEqual(known.snapshot.media ?? null, mediaOf(written, media)) &&
    (known.snapshot.page.ownFields.parentPage ?? null) === parent &&
    isDeepStrictEqual(known.written, written)
  if (isKnown) return known
  const snapshot = snapshotOfSource(written, {
    settings,
    site,
    media,
    parent,
    feedId: around.feedGuidOf(written),
    dates: { created: now, edited: now },
  })
  const facts = same(known?.facts, factsOf(snapshot))
  return { written, snapshot, facts, card: same(known?.card, liveCard(snapshot, facts.path, now)) }
}

function keysOf({ snapshot }: InMemoryPage): readonly string[] {
  return pageKeys(snapshot).flatMap(([key]) => key ?? [])
}

/** Assigns listing slots as a cold build does. */
async function withSlots(pages: readonly InMemoryPage[], projectId: InMemorySite['site']['projectId']) {
  const cards = pages.map(({ card }) => card)
  const articles = cards.filter(({ type }) => type === 'article')
  const given = await assignSlots({ projectId }, articles, {
    slotsOf: async () => [],
    nextSlots: async () => new Map(),
  })
  return cards.map((card) => given.cards.get(card.id) ?? card)
}

function same<Value>(previous: Value | undefined, now: Value): Value {
  return previous !== undefined && isDeepStrictEqual(previous, now) ? previous : now
}

function sameItems<Item>(previous: readonly Item[] | undefined, now: readonly Item[]): readonly Item[] {
  const isSame = previous?.length === now.length && now.every((item, index) => item === previous[index])
  return isSame ? previous : now
}
