import { LRUCache } from 'lru-cache'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import type { LiveCard, LiveFacts } from '../../domain/live-page.ts'
import type { Page } from '../../domain/page.ts'
import type { Commit, IndexLine, Ledger } from '../ledger.ts'
import { linesAfter } from '../pipeline/live-page-row.ts'
import { factsAfter } from '../pipeline/merge-facts.ts'

/** Characters of index lines that are remembered in all; a page's facts take about as much again. */
const MOST_CHARACTERS = 32 * 2 ** 20

/** What is live of one project as of a revision. Each part is there once it was asked for. */
interface Memory {
  readonly revision: number
  readonly facts: ReadonlyMap<Page['type'], readonly LiveFacts[]>
  readonly cards: ReadonlyMap<Page['type'], readonly LiveCard[]>
  readonly lines: readonly IndexLine[] | null
}

/**
 * A ledger that remembers what the indexes are made of, so that publishing into a large project does
 * not read all of it again. What it remembers holds for one revision, which is asked for each time,
 * unless whoever leads the project has: another instance may have published meanwhile.
 */
export function rememberLive(ledger: Ledger): Ledger {
  const memories = new LRUCache<ProjectId, Memory>({ maxSize: MOST_CHARACTERS, sizeCalculation: sizeOf })

  return {
    ...ledger,

    async liveFacts(projectId, type, asOf) {
      const memory = await current(projectId, asOf)
      const known = memory.facts.get(type)
      if (known !== undefined) return known
      const facts = await ledger.liveFacts(projectId, type)
      remember(projectId, memory.revision, (now) => ({ ...now, facts: new Map(now.facts).set(type, facts) }))
      return facts
    },

    async liveCards(projectId, type, asOf) {
      const memory = await current(projectId, asOf)
      const known = memory.cards.get(type)
      if (known !== undefined) return known
      const cards = await ledger.liveCards(projectId, type)
      remember(projectId, memory.revision, (now) => ({ ...now, cards: new Map(now.cards).set(type, cards) }))
      return cards
    },

    async indexLines(projectId, asOf) {
      const memory = await current(projectId, asOf)
      if (memory.lines !== null) return memory.lines
      const lines = await ledger.indexLines(projectId)
      remember(projectId, memory.revision, (now) => ({ ...now, lines }))
      return lines
    },

    async commit(lease, commit) {
      const before = memories.get(lease.projectId)
      memories.delete(lease.projectId)
      const ended = await ledger.commit(lease, commit)
      const now = before === undefined ? null : after(before, commit)
      if (now !== null) memories.set(lease.projectId, now)
      return ended
    },
  }

  async function current(projectId: ProjectId, asOf?: number): Promise<Memory> {
    const revision = asOf ?? (await ledger.revision(projectId))
    const memory = memories.get(projectId)
    return memory?.revision === revision ? memory : { ...NOTHING, revision }
  }

  /** Unless another revision was remembered while this one was read. */
  function remember(projectId: ProjectId, revision: number, add: (memory: Memory) => Memory): void {
    const memory = memories.get(projectId) ?? { ...NOTHING, revision }
    if (memory.revision === revision) memories.set(projectId, add(memory))
  }
}

const NOTHING: Omit<Memory, 'revision'> = { facts: new Map(), cards: new Map(), lines: null }

/** As the commit leaves it; null when there were others in between. */
function after(memory: Memory, { pages, gone, site }: Commit): Memory | null {
  if (site === null) return memory
  if (site.revision !== memory.revision + 1) return null
  const touched = new Set<string>([...pages.map(({ pageId }) => pageId), ...gone])
  const facts = pages.map((page) => page.facts)
  const cards = pages.map((page) => page.card)
  return {
    revision: site.revision,
    facts: byTypeAfter(memory.facts, touched, facts),
    cards: byTypeAfter(memory.cards, touched, cards),
    lines: memory.lines === null ? null : linesAfter(memory.lines, touched, pages),
  }
}

function byTypeAfter<Facts extends { readonly id: PageId; readonly type: Page['type'] }>(
  known: ReadonlyMap<Page['type'], readonly Facts[]>,
  touched: ReadonlySet<string>,
  added: readonly Facts[],
): ReadonlyMap<Page['type'], readonly Facts[]> {
  return new Map(
    [...known].map(([type, live]) => {
      const ofType = added.filter((page) => page.type === type)
      return [type, factsAfter(live, touched, ofType)]
    }),
  )
}

function sizeOf({ lines, facts, cards }: Memory): number {
  const written = (lines ?? []).reduce(
    (sum, { line, sitemap, llms }) => sum + line.length + (sitemap?.length ?? 0) + (llms?.length ?? 0),
    0,
  )
  const pages = [...facts.values()].reduce((sum, { length }) => sum + length, 0)
  const listed = [...cards.values()].flat().reduce((sum, card) => sum + sizeOfCard(card), 0)
  return 1 + written + pages + listed
}

function sizeOfCard({ title, path, excerpt }: LiveCard): number {
  return title.length + path.length + (excerpt?.length ?? 0)
}
