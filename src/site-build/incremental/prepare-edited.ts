import type { PageOutline } from '../../content-folder/outline.ts'
import type { Site } from '../../content-folder/site.ts'
import type { Diagnostic } from '../../domain/diagnostic.ts'
import type { PageId } from '../../domain/ids.ts'
import type { LiveCard, LiveFacts, NavNode } from '../../domain/live-page.ts'
import { withOtherNeighbours } from '../../domain/neighbours.ts'
import { DEFAULT_SETTINGS } from '../../domain/settings.ts'
import type { ClaimedRelease } from '../../publish/decide/claimed-release.ts'
import { mergeFacts } from '../../publish/pipeline/merge-facts.ts'
import { factsOf } from '../../publish/pipeline/page-keys.ts'
import {
  type PageToRender,
  type ProjectedSite,
  projectedSite,
} from '../../publish/pipeline/projected-site.ts'
import type { BatchLedger } from '../../publish/ports.ts'
import { homesOf } from '../../render/docs/docs-family.ts'
import { docsOrder, docsTrees, isNavOrdered } from '../../render/docs/docs-nav.ts'
import { type FeedCandidate, feedDateOf, inFeeds } from '../feed-entries.ts'
import { keepsListingOrder } from '../listing-slots.ts'
import {
  isDue,
  type PreparedSite,
  type PreparePorts,
  preparedOf,
  sourcesOf,
  withEntriesOf,
} from '../prepare-site.ts'
import { publishesOf, sharedSnapshot } from '../site-releases.ts'
import { idOf } from '../stable-ids.ts'
import type { BuildState } from '../state/build-state.ts'
import type { BuiltPage } from '../state/built-page.ts'
import type { PreviousState } from '../state/previous-state.ts'
import { createStateLedger } from '../state/state-ledger.ts'
import { type EditedDocs, patchingRenderer } from './patch-indexes.ts'

/** The edited pages of a site, and the outlines of all pages. No page was added, removed or moved. */
export interface EditedSite extends Site {
  readonly outlines: readonly PageOutline[]
  /** Warnings about the files of the whole folder. */
  readonly warnings: readonly Diagnostic[]
}

/** The prepared site, or `shownBy`: files of other pages that show the change, and must be read as well. */
export type PreparedEdit =
  | PreparedSite
  | { readonly errors: readonly Diagnostic[] }
  | { readonly shownBy: readonly string[] }

/**
 * Prepares the same changes as `prepareSite` would for the whole site, from the edited pages and the pages that show
 * the edits.
 *
 * @returns null when one of them was never built, has another place in the list of its folder or is a translation of
 *   other pages, or a page enters the feeds that was not edited.
 */
export async function prepareEdited(
  site: EditedSite,
  before: PreviousState,
  ports: PreparePorts & { readonly out: string },
): Promise<PreparedEdit | null> {
  const { state } = before
  const around = sharedSnapshot({ ...site, pages: site.outlines }, ports)
  const publishes = publishesOf(site.pages, around, before, ports)
  if (publishes.some(({ live }) => live === null) || !keepsListingOrder(state, publishes, ports.now))
    return null
  const ledger = ledgerFor(publishes, state)
  const after = await afterOf(site, publishes, ledger, ports.now)
  // The links around any page of the site may lead to other translations.
  if (after?.pages.some((page) => hasOtherTranslations(page, state))) return null
  const atHand = new Set(site.pages.map(({ source }) => source))
  const shownBy = after === null ? [] : showing(after, state).filter((source) => !atHand.has(source))
  if (shownBy.length > 0) return { shownBy }
  const due =
    after === null ? [] : after.pages.filter((page) => isDue(after.inContext(page), state, ports.renderer))
  const fed = inFeeds(fedAfter(due, state))
  const entered =
    after === null ? state : await withEntriesOf(fed, { ...after, pages: due }, state, ports.renderer)
  if ([...fed].some((id) => !entered.feed.has(id))) return null
  const releases = due.map(({ claimed }) => claimed)
  const { feedEntries } = createStateLedger(entered).liveState
  // The lines of other pages stay unchanged in the indexes.
  const indexLines = async () => []
  const made = {
    projectId: idOf('proj', site.name),
    sources: sourcesOf(site.pages),
    releases,
    removed: 0,
    fed,
    state: entered,
    ledger: { ...ledger, liveState: { ...ledger.liveState, feedEntries, indexLines } },
  }
  const former = due.flatMap(({ facts }) => state.pages.get(facts.id) ?? [])
  return preparedOf(made, {
    ...ports,
    renderer: patchingRenderer(former, state, editedDocs(publishes, state), ports),
  })
}

function fedAfter(due: readonly PageToRender[], { pages }: BuildState): readonly FeedCandidate[] {
  const again = new Map(due.map(({ facts, card }) => [facts.id, { facts, fed: feedDateOf(card) }]))
  return [...pages.values()].map((page) => again.get(page.facts.id) ?? page)
}

/**
 * If the edited docs pages keep their titles and their places in the navigation, only their subroutes are affected;
 * the files of other subroutes stay.
 */
function ledgerFor(publishes: readonly ClaimedRelease[], state: BuildState): BatchLedger {
  const ledger = createStateLedger(state)
  const edited = docsOf(publishes)
  const isOrdered = state.site !== null && isNavOrdered(state.site.settings)
  if (edited.length === 0 || isOrdered || isMoved(edited, state)) return ledger
  const docs = [...state.pages.values()].map(({ facts }) => facts).filter(isDocs)
  const homeOf = homesOf(docs)
  const wanted = new Set(edited.map(homeOf))
  const near = docs.filter((page) => wanted.has(homeOf(page)))
  const { liveState } = ledger
  return {
    ...ledger,
    liveState: {
      ...liveState,
      facts: async (project, type) => (type === 'docs' ? near : liveState.facts(project, type)),
      async objectsOfKinds(project, kinds) {
        const objects = await liveState.objectsOfKinds(project, kinds)
        return objects.filter(({ owner }) => owner.kind !== 'nav' || wanted.has(owner.id))
      },
    },
  }
}

function docsOf(publishes: readonly ClaimedRelease[]): readonly LiveFacts[] {
  return publishes.map(({ release }) => factsOf(release.snapshot)).filter(isDocs)
}

/** Reports whether one of the docs pages has another title, or another place in the navigation. */
function isMoved(edited: readonly LiveFacts[], { pages }: BuildState): boolean {
  return edited.some((facts) => text(pages.get(facts.id)?.facts) !== text(facts))
}

function editedDocs(publishes: readonly ClaimedRelease[], state: BuildState): EditedDocs {
  const edited = docsOf(publishes)
  return {
    isMoved: isMoved(edited, state),
    order() {
      const docs = [...state.pages.values()].map(({ facts }) => facts).filter(isDocs)
      const ids = new Set(edited.map(({ id }) => id))
      return docsOrder(docsTrees(mergeFacts(docs, ids, edited), state.site?.settings ?? DEFAULT_SETTINGS))
    },
  }
}

function isDocs({ type }: LiveFacts): boolean {
  return type === 'docs'
}

/** Returns null if there is nothing to publish. */
async function afterOf(
  { name }: Site,
  publishes: readonly ClaimedRelease[],
  ledger: BatchLedger,
  now: string,
): Promise<ProjectedSite | null> {
  return publishes.length === 0
    ? null
    : projectedSite({ projectId: idOf('proj', name) }, publishes, now, ledger.liveState)
}

/** Files of the pages whose navigation or lists show a change of these pages. */
function showing({ pages, trees, next: indexed }: ProjectedSite, state: BuildState): readonly string[] {
  const built = [...state.pages.values()]
  const isOther = ({ facts }: PageToRender) => text(state.pages.get(facts.id)?.facts) !== text(facts)
  const named = pages.some((page) => page.facts.type === 'docs' && isOther(page))
  const docs = built.map(({ facts }) => facts).filter(isDocs)
  const paths = named && trees !== null ? pathsInOthers(trees, docsTrees(docs, indexed.settings)) : null
  const cards = pages
    .map(({ card }) => card)
    .filter((card) => text(unplaced(state.pages.get(card.id)?.card)) !== text(unplaced(card)))
  const types = new Set(cards.map(({ type }) => type))
  const lists = (page: Pick<BuiltPage, 'details'>) =>
    page.details().digests.collection?.queries.some(({ type }) => types.has(type))
  const articles = cards.filter(({ type }) => type === 'article')
  const leading = articles.length === 0 ? NONE : leadingToOthers(articles, built)
  return built
    .filter(
      ({ facts: { path, id }, ...page }) =>
        paths?.has(path) || (types.size > 0 && lists(page)) || leading.has(id),
    )
    .map(({ source }) => source)
}

/** Reports whether the page is a translation of other pages than before. */
function hasOtherTranslations({ facts }: PageToRender, { pages }: BuildState): boolean {
  return text(pages.get(facts.id)?.facts.translated) !== text(facts.translated)
}

const NONE: ReadonlySet<PageId> = new Set()

/** Other articles whose links to neighbours at their end have changed, or show changed facts. */
function leadingToOthers(articles: readonly LiveCard[], built: readonly BuiltPage[]): ReadonlySet<PageId> {
  const before = built.map(({ card }) => card).filter(({ type }) => type === 'article')
  const ids = new Set(articles.map(({ id }) => id))
  return withOtherNeighbours(before, mergeFacts(before, ids, articles), ids)
}

/** Paths of all pages in the trees that changed. */
function pathsInOthers(
  after: ReadonlyMap<string, readonly NavNode[]>,
  before: ReadonlyMap<string, readonly NavNode[]>,
): ReadonlySet<string> {
  const paths = new Set<LiveFacts['path']>()
  for (const [home, tree] of after) if (text(tree) !== text(before.get(home))) tree.forEach(note)
  return paths

  function note({ path, children }: NavNode): void {
    if (path !== null) paths.add(path)
    children.forEach(note)
  }
}

/** Removes the slots in lists: they are assigned when the page is published. */
function unplaced(card: LiveCard | undefined): LiveCard | undefined {
  return (
    card && {
      ...card,
      slot: null,
      tags: card.tags.map((tag) => ({ ...tag, slot: null })),
      ...(card.byline !== undefined && { byline: { ...card.byline, slot: null } }),
      ...(card.entry !== undefined && { entry: { ...card.entry, html: null } }),
    }
  )
}

function text(value: unknown): string {
  return JSON.stringify(value)
}
