import type { LiveCard } from '../domain/live-page.ts'
import { liveDigests } from '../publish/going-live.ts'
import { type PageToRender, siteAfter } from '../publish/site-after.ts'
import type { PageOutline } from '../site/outline.ts'
import type { Site, SiteFault } from '../site/site.ts'
import { idOf } from './build-ids.ts'
import type { BuildState } from './build-state.ts'
import { isSame, type PreparedSite, type PreparePorts, preparedOf } from './prepare-site.ts'
import { publishesOf, surroundingsOf } from './site-releases.ts'
import type { StateBefore } from './state-before.ts'
import { createStateLedger } from './state-ledger.ts'

/** A site of which only pages were edited since it was built: these alone, and the outlines of all. */
export interface EditedSite extends Site {
  readonly outlines: readonly PageOutline[]
}

/**
 * What `prepareSite` would make of the whole site, by looking at the pages that were edited.
 *
 * @returns null when other pages show what has changed of these.
 */
export async function prepareEdited(
  site: EditedSite,
  before: StateBefore,
  ports: PreparePorts,
): Promise<PreparedSite | { readonly faults: readonly SiteFault[] } | null> {
  const { state } = before
  const around = surroundingsOf({ ...site, pages: site.outlines }, ports)
  const publishes = publishesOf(site.pages, around, before, ports.now)
  if (publishes.some(({ live }) => live === null)) return null
  const due = await dueOf(site, publishes, state, ports)
  if (due.some((page) => !isShownSame(page, state))) return null
  return preparedOf(site, { releases: due.map(({ claimed }) => claimed), removed: 0 }, before, ports)
}

async function dueOf(
  { name }: Site,
  publishes: Parameters<typeof siteAfter>[1],
  state: BuildState,
  { renderer, now }: PreparePorts,
): Promise<readonly PageToRender[]> {
  if (publishes.length === 0) return []
  const { pages } = await siteAfter(
    { projectId: idOf('proj', name) },
    publishes,
    now,
    createStateLedger(state),
  )
  return pages.filter(
    ({ live }) => !isSame(state.pages.get(live.page.id)?.digests, liveDigests(live, renderer)),
  )
}

/** Whether navigation and lists say the same of it. */
function isShownSame({ facts, card }: PageToRender, { pages }: BuildState): boolean {
  const built = pages.get(facts.id)
  return (
    JSON.stringify(built?.facts) === JSON.stringify(facts) &&
    built !== undefined &&
    JSON.stringify(unplaced(built.card)) === JSON.stringify(unplaced(card))
  )
}

function unplaced(card: LiveCard): LiveCard {
  return { ...card, slot: null }
}
