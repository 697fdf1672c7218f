import { messageOf, ServiceError } from '../../domain/errors.ts'
import type { Release } from '../../domain/release.ts'
import { someAtOnce } from '../../platform/concurrency.ts'
import { createSealing, sealingWithoutKeys } from '../data-mode/seal.ts'
import type { InProject, Lease } from '../ledger/leases.ts'
import type { LiveState } from '../ledger/live-state.ts'
import type { ClaimedRelease, Failed } from '../ledger/release-queue.ts'
import type { BatchLedger, PreparePorts, PublishPorts } from '../ports.ts'
import { restorePage } from '../recovery/restored-page.ts'
import { withDeadLinkWarnings } from './dead-links.ts'
import { deploy } from './deploy.ts'
import { liveDigests, type RenderedRelease } from './live-page-row.ts'
import { type PreparedBatch, prepare } from './prepare.ts'
import { type PageToRender, type ProjectedSite, projectedSite } from './projected-site.ts'
import { redirectWarnings } from './redirects.ts'

/** What a batch of a service asks for besides: its pages may link to others that are not live. */
interface JudgePorts extends PreparePorts {
  readonly liveState: BatchLedger['liveState'] & Pick<LiveState, 'linkTargets'>
}

/**
 * Render what a batch publishes and compare it with what is live.
 *
 * Pages that cannot be rendered, or may not go live with a warning, are handed back as `failed`; the
 * others are then prepared without them, so that no navigation names a page that does not go live. `prepared` is null when none is left.
 */
export async function prepareBatch(
  place: InProject,
  batch: readonly ClaimedRelease[],
  ports: JudgePorts,
): Promise<{ readonly prepared: PreparedBatch | null; readonly failed: readonly Failed[] }> {
  const now = ports.now()
  const judged = (pages: readonly RenderedRelease[]) =>
    withDeadLinkWarnings(place.projectId, pages, ports.liveState)
  const failed: Failed[] = []
  for (let rest = batch; rest.length > 0; ) {
    const { refused, prepared } = await attempt(place, rest, now, { ...ports, judged })
    if (prepared !== null) return { prepared, failed }
    failed.push(...refused)
    const gone = new Set(refused.map(({ release }) => release.id))
    rest = rest.filter(({ release }) => !gone.has(release.id))
  }
  return { prepared: null, failed }
}

/**
 * As `prepareBatch`, of what goes live whole or not at all: where a page fails, nothing is prepared. Dead links
 * are left to whoever asks (`build/complaints`), who looks for those of pages that did not change as well.
 */
export async function prepareAllOrNothing(
  place: InProject,
  batch: readonly ClaimedRelease[],
  ports: PreparePorts,
): Promise<{ readonly prepared: PreparedBatch | null; readonly failed: readonly Failed[] }> {
  if (batch.length === 0) return { prepared: null, failed: [] }
  const judged = async (pages: readonly RenderedRelease[]) => pages
  const { refused, prepared } = await attempt(place, batch, ports.now(), { ...ports, judged })
  return { prepared, failed: refused }
}

interface AttemptPorts extends PreparePorts {
  /** The pages with what is to be said of all of them together. */
  readonly judged: (pages: readonly RenderedRelease[]) => Promise<readonly RenderedRelease[]>
}

/** Null is prepared where any is refused. */
async function attempt(
  place: InProject,
  batch: readonly ClaimedRelease[],
  now: string,
  ports: AttemptPorts,
): Promise<{ readonly prepared: PreparedBatch | null; readonly refused: readonly Failed[] }> {
  const site = await projectedSite(place, batch, now, ports.liveState)
  const attempts = await someAtOnce(site.pages, MOST_ASKED, (page) => attemptRender(page, site, ports))
  const done = attempts.filter((attempt): attempt is RenderedRelease => 'rendered' in attempt)
  const rendered = await ports.judged(done)
  const refused = [
    ...attempts.filter((attempt): attempt is Failed => 'failure' in attempt),
    ...rendered.flatMap(refusedForWarnings),
  ]
  if (refused.length > 0) return { prepared: null, refused }
  return { prepared: await prepare(place, batch, site, rendered, now, ports), refused }
}

/** Put a prepared batch on the CDN and make it true. Returns the releases as they ended. */
export async function deployAndCommit(
  lease: Lease,
  { plan, listings, commit }: PreparedBatch,
  ports: PublishPorts,
  onUploaded: () => void = () => {},
): Promise<readonly Release[]> {
  const { projectId } = lease
  const isSealed = plan.uploads.some(({ keyId }) => keyId !== null)
  const sealing = isSealed ? await createSealing(projectId, ports) : sealingWithoutKeys(projectId)
  if (listings.pages.length > 0)
    await ports.releaseQueue.claimListings(lease, listings.claimer, listings.pages)
  // Not beside the upload: were it to fail, a release that has failed would go on writing.
  const kept = await sealing.toStored(plan.uploads)
  await deploy(plan, projectId, ports.storage, sealing.encodeUpload)
  onUploaded()
  return ports.releaseQueue.commit(lease, { ...commit, artifacts: kept })
}

/** Pages that are asked for at once: enough that none who renders ever waits, and few beside a large site. */
const MOST_ASKED = 256

async function attemptRender(
  page: PageToRender,
  site: ProjectedSite,
  ports: PreparePorts,
): Promise<RenderedRelease | Failed> {
  try {
    const live = site.inContext(page)
    const made = (await restorePage(page, ports)) ?? {
      rendered: await ports.renderer.renderPage(live),
      digests: liveDigests(live, ports.renderer),
    }
    const { claimed, facts, card, placed } = page
    const { rendered, digests } = made
    const more = redirectWarnings(page)
    const whole = more.length === 0 ? rendered : { ...rendered, warnings: [...rendered.warnings, ...more] }
    const feed = await ports.renderer.feedEntry(live)
    return { claimed, facts, card, placed, rendered: whole, digests, feed }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { release: page.claimed.release, failure: { name: error.name, message: messageOf(error) } }
  }
}

/** A strict release goes live without a warning or not at all. */
function refusedForWarnings({ claimed: { release }, rendered: { warnings } }: RenderedRelease): Failed[] {
  if (!release.strict || warnings.length === 0) return []
  const named = warnings.map(({ at, message }) => (at === null ? message : `${at}: ${message}`))
  return [{ release, failure: { name: 'validation_error', message: named.join(' ') } }]
}
