import { LRUCache } from 'lru-cache'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import type { LiveCard, LiveFacts } from '../../domain/live-page.ts'
import type { Page } from '../../domain/page.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { IndexLine } from '../ledger/live-state.ts'
import type { Commit } from '../ledger/release-queue.ts'
import { mergeIndexLines } from '../pipeline/live-page-row.ts'
import { mergeFacts } from '../pipeline/merge-facts.ts'

/** Size of the cache in characters of index lines and cards; the facts of a page take about as much again. */
const MAX_CHARACTERS = 32 * 2 ** 20

/** Cached live state of a project at a revision. Each part is present once it was read. */
interface CachedState {
  readonly revision: number
  readonly facts: ReadonlyMap<Page['type'], readonly LiveFacts[]>
  readonly cards: ReadonlyMap<Page['type'], readonly LiveCard[]>
  readonly lines: readonly IndexLine[] | null
}

/**
 * Adds a cache of live pages to a ledger, so that publishing into a large project does not read all of its rows
 * again. A cached state is valid for one revision. Each read checks the revision, because another instance may
 * have published, unless the caller passes the current one.
 */
export function withLiveCache(ledger: Ledger): Ledger {
  const { liveState, releaseQueue } = ledger
  const cache = new LRUCache<ProjectId, CachedState>({ maxSize: MAX_CHARACTERS, sizeCalculation: sizeOf })

  return {
    ...ledger,

    liveState: {
      ...liveState,

      async facts(projectId, type, asOf) {
        const state = await stateAt(projectId, asOf)
        const cached = state.facts.get(type)
        if (cached !== undefined) return cached
        const facts = await liveState.facts(projectId, type)
        add(projectId, state.revision, (now) => ({ ...now, facts: new Map(now.facts).set(type, facts) }))
        return facts
      },

      async cards(projectId, type, asOf) {
        const state = await stateAt(projectId, asOf)
        const cached = state.cards.get(type)
        if (cached !== undefined) return cached
        const cards = await liveState.cards(projectId, type)
        add(projectId, state.revision, (now) => ({ ...now, cards: new Map(now.cards).set(type, cards) }))
        return cards
      },

      async indexLines(projectId, asOf) {
        const state = await stateAt(projectId, asOf)
        if (state.lines !== null) return state.lines
        const lines = await liveState.indexLines(projectId)
        add(projectId, state.revision, (now) => ({ ...now, lines }))
        return lines
      },
    },

    releaseQueue: {
      ...releaseQueue,

      async commit(lease, commit) {
        const previous = cache.get(lease.projectId)
        cache.delete(lease.projectId)
        const ended = await releaseQueue.commit(lease, commit)
        const next = previous === undefined ? null : nextState(previous, commit)
        if (next !== null) cache.set(lease.projectId, next)
        return ended
      },
    },
  }

  async function stateAt(projectId: ProjectId, asOf?: number): Promise<CachedState> {
    const revision = asOf ?? (await liveState.revision(projectId))
    const cached = cache.get(projectId)
    return cached?.revision === revision ? cached : { ...EMPTY, revision }
  }

  /** Adds to the cached state, or replaces that of an older revision. */
  function add(projectId: ProjectId, revision: number, change: (state: CachedState) => CachedState): void {
    const cached = cache.get(projectId)
    if (cached === undefined || cached.revision < revision)
      cache.set(projectId, change({ ...EMPTY, revision }))
    else if (cached.revision === revision) cache.set(projectId, change(cached))
  }
}

const EMPTY: Omit<CachedState, 'revision'> = { facts: new Map(), cards: new Map(), lines: null }

/** The state as of the commit; null when it was cached before commits of another instance. */
function nextState(state: CachedState, { basedOn, pages, removed, site }: Commit): CachedState | null {
  if (state.revision !== basedOn) return null
  if (site.revision === basedOn) return state
  const touched = new Set<string>([...pages.map(({ pageId }) => pageId), ...removed])
  return {
    revision: site.revision,
    facts: mergeByType(
      state.facts,
      touched,
      pages.map(({ facts }) => facts),
    ),
    cards: mergeByType(
      state.cards,
      touched,
      pages.map(({ card }) => card),
    ),
    lines: state.lines === null ? null : mergeIndexLines(state.lines, touched, pages),
  }
}

function mergeByType<Facts extends { readonly id: PageId; readonly type: Page['type'] }>(
  cached: ReadonlyMap<Page['type'], readonly Facts[]>,
  touched: ReadonlySet<string>,
  added: readonly Facts[],
): ReadonlyMap<Page['type'], readonly Facts[]> {
  return new Map(
    [...cached].map(([type, live]) => {
      const addedOfType = added.filter((page) => page.type === type)
      return [type, mergeFacts(live, touched, addedOfType)]
    }),
  )
}

/** In characters. */
function sizeOf({ lines, facts, cards }: CachedState): number {
  const lineSize = (lines ?? []).reduce(
    (sum, { line, sitemap, llms }) => sum + line.length + (sitemap?.length ?? 0) + (llms?.length ?? 0),
    0,
  )
  const factsSize = [...facts.values()].reduce((sum, { length }) => sum + length, 0)
  const cardsSize = [...cards.values()].flat().reduce((sum, card) => sum + sizeOfCard(card), 0)
  return 1 + lineSize + factsSize + cardsSize
}

function sizeOfCard({ title, path, excerpt }: LiveCard): number {
  return title.length + path.length + (excerpt?.length ?? 0)
}
