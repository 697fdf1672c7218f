import type { SitePage } from '../content-folder/site.ts'
import { addressOf, findPages } from './find-pages.ts'
import type { ListedPage } from './list-pages.ts'
import { createPageBatch } from './page-batch.ts'
import { outcomeOf, type PageOutcome } from './page-outcome.ts'
import { planPage } from './page-plan.ts'
import { type PagePushPorts, pushPage } from './push-page.ts'
import type { PushedState } from './pushed-state.ts'

/** The id of a page that a dry run would create. */
const NEW_PAGE = ''

/**
 * Creates or updates each page whose file differs from the server, in order: parents first. Pages that the server has
 * told enough about share requests; others are read first.
 *
 * @param listed all pages of the project; needed only if a file was not pushed before.
 * @param onPage called after each page.
 */
export async function pushPages(
  pages: readonly SitePage[],
  listed: readonly ListedPage[],
  state: PushedState,
  { onPage, ...ports }: PagePushPorts & { readonly onPage: (outcome: PageOutcome) => void },
): Promise<void> {
  const found = findPages(pages, listed, state)
  const ids = new Map<string, string>()
  const batch = createPageBatch(ports)
  for (const page of pages) {
    const onServer = found.get(page.source) ?? null
    const plan = planPage(page, onServer, parentOf(page), ports)
    if (plan.kind === 'done') settle(page, plan.outcome)
    else if (plan.kind === 'write' && ports.dryRun)
      settle(page, outcomeOf(page, plan.action, onServer?.id ?? NEW_PAGE))
    else if (plan.kind === 'write') {
      batch.add(page, plan.action, plan.item)
      if (batch.isFull()) await sendBatch()
    } else {
      await sendBatch()
      await sendAlone(page)
    }
  }
  await sendBatch()

  /** Sends each refused page once more by itself, which tells its own error. */
  async function sendBatch(): Promise<void> {
    for (const { page, action, id } of await batch.send()) {
      if (id === null) await sendAlone(page)
      else settle(page, outcomeOf(page, action, id))
    }
  }

  async function sendAlone(page: SitePage): Promise<void> {
    const parent = page.parent === null ? null : (ids.get(addressOf(page.parent)) ?? null)
    settle(page, await pushPage(page, found.get(page.source) ?? null, parent, ports))
  }

  function settle(page: SitePage, outcome: PageOutcome): void {
    if (outcome.id !== null) ids.set(addressOf(page), outcome.id)
    onPage(outcome)
  }

  function parentOf({ parent }: SitePage) {
    return parent === null ? null : (ids.get(addressOf(parent)) ?? batch.reference(parent))
  }
}
