import { isDeepStrictEqual } from 'node:util'
import type { Site, SitePage } from '../content-folder/site.ts'
import { collect } from '../domain/collection.ts'
import type { LiveCard, LiveFacts, LivePage, Snapshot } from '../domain/live-page.ts'
import { redirectKey } from '../domain/redirect-path.ts'
import { assignSlots } from '../publish/pipeline/listings.ts'
import { factsOf, pageKeys, redirectPaths } from '../publish/pipeline/page-keys.ts'
import { type DocsTrees, docsContext, docsTrees } from '../render/docs/docs-nav.ts'
import { queriesOf } from '../render/listing/collections.ts'
import { liveCard } from '../render/listing/live-card.ts'
import { type Surroundings, snapshotOfSource, surroundingsOf } from '../site-build/site-releases.ts'

/** A content folder as a site that nothing has been rendered of yet. */
export interface SiteNow extends Pick<Surroundings, 'settings' | 'site'> {
  readonly content: Site
  /** In the order of `content.pages`. */
  readonly pages: readonly PageNow[]
  /** Pages by the keys of their files. */
  readonly byKey: ReadonlyMap<string, PageNow>
  readonly facts: readonly LiveFacts[]
  /** Of all pages; an article has its slot. */
  readonly cards: readonly LiveCard[]
  readonly trees: DocsTrees
  /** Paths of the pages that something else leads to, by the keys it lies at. */
  readonly redirects: ReadonlyMap<string, string>
  /** Files of `static/`, relative to the folder, by the keys they are served at. */
  readonly statics: ReadonlyMap<string, string>
}

/** A page with what others show of it. */
export interface PageNow {
  readonly written: SitePage
  readonly snapshot: Snapshot
  readonly facts: LiveFacts
  readonly card: LiveCard
}

export interface SiteMakerOptions {
  /** Absolute URL at which the site is looked at, without a slash at its end. */
  readonly origin: string
  /** When pages are said to have been published first. ISO 8601 UTC. */
  readonly now: string
}

/** Makes a site of what was read, again and again; what did not change is the very same as before. */
export function createSiteMaker({ origin, now }: SiteMakerOptions) {
  let before: SiteNow | null = null

  return async (content: Site): Promise<SiteNow> => {
    const fresh = surroundingsOf(content, { origin, keyId: null })
    const settings = same(before?.settings, fresh.settings)
    const site = same(before?.site, fresh.site)
    const around = { ...fresh, settings, site }
    const known = new Map(before?.pages.map((page) => [page.written.source, page]))
    const pages = content.pages.map((page) => pageNow(page, around, known.get(page.source), now))
    const facts = sameItems(
      before?.facts,
      pages.map((page) => page.facts),
    )
    before = {
      content,
      settings,
      site,
      pages,
      facts,
      cards: same(before?.cards, await withSlots(pages, site.projectId)),
      trees:
        before?.facts === facts && before.settings === settings
          ? before.trees
          : docsTrees(facts, settings.docsNav),
      byKey: new Map(pages.flatMap((page) => keysOf(page).map((key) => [key, page] as const))),
      redirects: new Map(
        pages.flatMap(({ snapshot, facts }) =>
          redirectPaths(snapshot).map((path) => [redirectKey(path), facts.path] as const),
        ),
      ),
      statics: new Map(content.assets.map(({ path, source }) => [path, source])),
    }
    return before
  }
}

/** @param theme that is tried instead of the page's; null follows the page. */
export function livePageNow(
  { trees, cards }: SiteNow,
  { snapshot, facts, card }: PageNow,
  theme: string | null,
): LivePage {
  const tried = theme === null ? snapshot : withTheme(snapshot, theme)
  const [[file = ''] = []] = pageKeys(tried)
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
    },
  }
}

function withTheme(snapshot: Snapshot, theme: string): Snapshot {
  const { page, settings } = snapshot
  const { theme: _, ...config } = page.config
  return { ...snapshot, page: { ...page, config }, settings: { ...settings, theme } }
}

function pageNow(written: SitePage, around: Surroundings, known: PageNow | undefined, now: string): PageNow {
  const { settings, site } = around
  const parent = around.parentOf(written)
  const isKnown =
    known !== undefined &&
    known.snapshot.settings === settings &&
    known.snapshot.site === site &&
    (known.snapshot.page.ownFields.parentPage ?? null) === parent &&
    isDeepStrictEqual(known.written, written)
  if (isKnown) return known
  const snapshot = snapshotOfSource(written, { settings, site, parent, built: null, now })
  const facts = same(known?.facts, factsOf(snapshot))
  return { written, snapshot, facts, card: same(known?.card, liveCard(snapshot, facts.path, now)) }
}

function keysOf({ snapshot }: PageNow): readonly string[] {
  return pageKeys(snapshot).flatMap(([key]) => key ?? [])
}

/** The places in listings that a site has which is built for the first time. */
async function withSlots(pages: readonly PageNow[], projectId: SiteNow['site']['projectId']) {
  const cards = pages.map(({ card }) => card)
  const articles = cards.filter(({ type }) => type === 'article')
  const given = await assignSlots({ projectId }, articles, {
    slotsOf: async () => [],
    nextSlots: async () => new Map(),
  })
  return cards.map((card) => given.cards.get(card.id) ?? card)
}

function same<Value>(before: Value | undefined, now: Value): Value {
  return before !== undefined && isDeepStrictEqual(before, now) ? before : now
}

function sameItems<Item>(before: readonly Item[] | undefined, now: readonly Item[]): readonly Item[] {
  const isSame = before?.length === now.length && now.every((item, index) => item === before[index])
  return isSame ? before : now
}
