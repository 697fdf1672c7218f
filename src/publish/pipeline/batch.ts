import { shownMedia } from '../../domain/collection.ts'
import { compareDates } from '../../domain/date.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import { messageOf, ServiceError } from '../../domain/errors.ts'
import type { LiveCard, LivePage, SiteIdentity } from '../../domain/live-page.ts'
import { isServiceFault, type Release, type ReleaseFailure } from '../../domain/release.ts'
import { mapConcurrently, untilAborted } from '../../platform/concurrency.ts'
import { feedIdWarning } from '../../render/page/feed-id-warnings.ts'
import type { RenderedPage } from '../../render/page/render-page.ts'
import type { Renderer } from '../../renderer/renderer.ts'
import { mediaBodies } from '../data-mode/media-bodies.ts'
import { createSealing, sealingWithoutKeys } from '../data-mode/seal.ts'
import type { ClaimedRelease } from '../decide/claimed-release.ts'
import type { Failed } from '../decide/endings.ts'
import type { InProject, Lease } from '../ledger/leases.ts'
import type { LiveState } from '../ledger/live-state.ts'
import type { BatchLedger, PreparePorts, PublishPorts } from '../ports.ts'
import { restorePage } from '../recovery/restore-page.ts'
import { withDeadLinkWarnings } from './dead-links.ts'
import { deploy } from './deploy.ts'
import { liveDigests, type RenderedRelease } from './live-page-row.ts'
import { mediaArtifacts } from './media-artifacts.ts'
import { withMediaWarnings } from './media-warnings.ts'
import { hasOtherFeedId, type PreparedBatch, prepare } from './prepare.ts'
import { newest, type PageToRender, type ProjectedSite, projectedSite } from './projected-site.ts'
import { redirectWarnings } from './redirects.ts'
import { withReplacedListWarnings } from './replaced-lists.ts'

interface BatchPorts extends PreparePorts {
  readonly liveState: BatchLedger['liveState'] & Pick<LiveState, 'linkTargets'>
}

/**
 * Renders a batch and plans its deploy.
 *
 * Returns pages that cannot be rendered, and strict releases with warnings, as `failed`. The others are prepared
 * again without them, so that no navigation names a page that does not go live. `prepared` is null when all failed.
 */
export async function prepareBatch(
  place: InProject,
  batch: readonly ClaimedRelease[],
  ports: BatchPorts,
): Promise<{ readonly prepared: PreparedBatch | null; readonly failed: readonly Failed[] }> {
  const now = ports.now()
  const { projectId } = place
  const addWarnings = async (pages: readonly RenderedRelease[]) =>
    withReplacedListWarnings(
      projectId,
      await withDeadLinkWarnings(
        projectId,
        withMediaWarnings(pages).map((page) => withFeedIdWarning(withFutureDateWarning(page, now))),
        ports.liveState,
      ),
      ports.liveState,
    )
  const failed: Failed[] = []
  for (let rest = batch; rest.length > 0; ) {
    const { refused, prepared } = await attempt(place, rest, now, {
      ...ports,
      remembersFeeds: true,
      addWarnings,
    })
    if (prepared !== null) return { prepared, failed }
    const lost = withStranded(rest, refused)
    failed.push(...lost)
    const refusedIds = new Set(lost.map(({ release }) => release.id))
    rest = rest.filter(({ release }) => !refusedIds.has(release.id))
  }
  return { prepared: null, failed }
}

/**
 * As `prepareBatch`, but prepares nothing when any page fails. Adds no warnings that depend on other pages: a build
 * also checks unchanged pages and reports all of them itself.
 */
export async function prepareAllOrNothing(
  place: InProject,
  batch: readonly ClaimedRelease[],
  ports: PreparePorts,
): Promise<{ readonly prepared: PreparedBatch | null; readonly failed: readonly Failed[] }> {
  if (batch.length === 0) return { prepared: null, failed: [] }
  const addWarnings = async (pages: readonly RenderedRelease[]) => pages
  const { refused, prepared } = await attempt(place, batch, ports.now(), { ...ports, addWarnings })
  return { prepared, failed: refused }
}

/** Adds the releases that wait for the path of a refused page, which stays there. */
function withStranded(batch: readonly ClaimedRelease[], refused: readonly Failed[]): readonly Failed[] {
  const failures = new Map(refused.map(({ release, failure }) => [release.pageId, failure]))
  const all = [...refused]
  for (let i = 0; i < all.length; i++) {
    const { release: staying, failure } = all[i] as Failed
    for (const { release, replaces } of batch) {
      if (replaces !== staying.pageId || failures.has(release.pageId)) continue
      const stranded = isServiceFault(failure) ? failure : staysAtPath(staying)
      failures.set(release.pageId, stranded)
      all.push({ release, failure: stranded })
    }
  }
  return all
}

function staysAtPath({ pageId }: Release): ReleaseFailure {
  return {
    name: 'conflict',
    message: `Another published page (page_${pageId}) is served at this path, and could not be published at its new one.`,
  }
}

interface AttemptPorts extends PreparePorts {
  /** Adds warnings about several pages. */
  readonly addWarnings: (pages: readonly RenderedRelease[]) => Promise<readonly RenderedRelease[]>
}

/** `prepared` is null when a page was refused. */
async function attempt(
  place: InProject,
  batch: readonly ClaimedRelease[],
  now: string,
  ports: AttemptPorts,
): Promise<{ readonly prepared: PreparedBatch | null; readonly refused: readonly Failed[] }> {
  const site = await projectedSite(place, batch, now, ports.liveState)
  const sealedKey = await sealedKeys(place, newest(batch).snapshot.site, ports)
  const rendering = mapConcurrently(site.pages, RENDER_CONCURRENCY, (page) =>
    render(page, site, { ...ports, sealedKey }),
  )
  const attempts = await untilAborted(rendering, ports.turn?.signal)
  const done = attempts.filter((attempt): attempt is RenderedRelease => 'rendered' in attempt)
  const rendered = await ports.addWarnings(done)
  const refused = [
    ...attempts.filter((attempt): attempt is Failed => 'failure' in attempt),
    ...rendered.flatMap(refusedForWarnings),
  ]
  if (refused.length > 0) return { prepared: null, refused }
  return { prepared: await prepare(place, batch, site, rendered, now, ports), refused }
}

/** Deploys a prepared batch and commits it. Returns its releases as they ended. */
export async function deployAndCommit(
  lease: Lease,
  { plan, claims, commit }: PreparedBatch,
  ports: PublishPorts,
  onUploaded: () => void = () => {},
  signal?: AbortSignal,
): Promise<readonly Release[]> {
  const { projectId } = lease
  const isSealed = plan.uploads.some(({ keyId }) => keyId !== null)
  const sealing = isSealed ? await createSealing(projectId, ports) : sealingWithoutKeys(projectId)
  if (claims.files.length > 0) await ports.releaseQueue.claimFiles(lease, claims.claimer, claims.files)
  // Before the deploy, not concurrently: if this fails, no upload may continue.
  const artifacts = await sealing.toStored(plan.uploads)
  const mediaBody = mediaBodies(projectId, { ...ports, sealing }, signal)
  await deploy(plan, projectId, ports.storage, sealing.encodeUpload, mediaBody)
  onUploaded()
  return ports.releaseQueue.commit(lease, { ...commit, artifacts })
}

/** The key of the sealed object with these bytes. */
type SealedKey = (digest: string) => string

/** All pages of a batch are published in one mode. Undefined outside Data Mode. */
async function sealedKeys(
  { projectId }: InProject,
  { keyId }: SiteIdentity,
  ports: PreparePorts,
): Promise<SealedKey | undefined> {
  if (keyId === null) return undefined
  const sealing = await createSealing(projectId, ports)
  return (digest) => sealing.mediaKey(keyId, digest)
}

/** Largest number of pending render requests: enough for every renderer, few compared with a large site. */
const RENDER_CONCURRENCY = 256

async function render(
  page: PageToRender,
  site: ProjectedSite,
  ports: PreparePorts & { readonly sealedKey: SealedKey | undefined },
): Promise<RenderedRelease | Failed> {
  const { renderer, sealedKey } = ports
  const turn = { ...ports.turn, pay: ports.payFor?.(page.claimed.release.id) }
  turn.signal?.throwIfAborted()
  try {
    const live = site.inContext(page)
    const { rendered, digests } = (await restorePage(page, ports)) ?? {
      rendered: await renderer.renderPage(live, turn),
      digests: digestsOf(page, live, renderer),
    }
    const { claimed, facts, card, placed } = page
    const feed = await renderer.feedEntry(live, turn)
    return {
      claimed,
      facts,
      card: await withEntry(card, rendered, () => renderer.renderPage(live, turn)),
      placed,
      rendered: withMedia(withWarnings(rendered, redirectWarnings(page)), shownMedia(live), sealedKey),
      digests,
      feed,
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { release: page.claimed.release, failure: { name: error.name, message: messageOf(error) } }
  }
}

/** Card of an entry of a changelog with its text. A page restored from stored bytes is rendered for it. */
async function withEntry(
  card: LiveCard,
  rendered: RenderedPage,
  renderAgain: () => Promise<RenderedPage>,
): Promise<LiveCard> {
  if (card.entry === undefined) return card
  const { entry } = rendered.entry === undefined ? await renderAgain() : rendered
  return { ...card, entry: { ...card.entry, ...entry } }
}

function digestsOf(
  { claimed }: PageToRender,
  live: LivePage,
  renderer: Renderer,
): RenderedRelease['digests'] {
  const { lacksPicture, site, includes } = claimed.release.snapshot
  const digests = {
    ...liveDigests(live, renderer),
    ...(includes !== undefined && { includes: includes.map(({ id, digest }) => ({ id, digest })) }),
  }
  return lacksPicture && site.keyId === null ? { ...digests, social: null } : digests
}

/** The API publishes at once, and a date in the future is shown as it is. */
function withFutureDateWarning(page: RenderedRelease, now: string): RenderedRelease {
  const { placed, card, rendered } = page
  if (placed.page.type !== 'article' || compareDates(card.date, now) <= 0) return page
  const message = `The date ${card.date} is in the future, and the article is live from now on. Schedule the publish with publish_at to have it live from then on.`
  return {
    ...page,
    rendered: withWarnings(rendered, [{ code: 'QN-FUTURE-DATE', at: 'publish_date', message }]),
  }
}

/** Readers of feeds know a live article by its id. */
function withFeedIdWarning(page: RenderedRelease): RenderedRelease {
  const { claimed, card, rendered } = page
  if (claimed.live === null || !hasOtherFeedId(page, claimed.live)) return page
  const message = `Readers of feeds show the article again, because its id changes from ${claimed.live.feedId} to ${card.feedId}.`
  return { ...page, rendered: withWarnings(rendered, [feedIdWarning(message)]) }
}

/** Page with its shown files. @param sealedKey of a page in Data Mode. */
export function withMedia(
  rendered: RenderedPage,
  media: LivePage['media'],
  sealedKey: SealedKey | undefined,
): RenderedPage {
  const shown = mediaArtifacts(media, sealedKey)
  return shown.length === 0 ? rendered : { ...rendered, artifacts: [...rendered.artifacts, ...shown] }
}

function withWarnings(rendered: RenderedPage, added: readonly PageWarning[]): RenderedPage {
  return added.length === 0 ? rendered : { ...rendered, warnings: [...rendered.warnings, ...added] }
}

/** A strict release is refused when its page has a warning. */
function refusedForWarnings({ claimed: { release }, rendered: { warnings } }: RenderedRelease): Failed[] {
  if (!release.strict || warnings.length === 0) return []
  const messages = warnings.map(({ at, message }) => (at === null ? message : `${at}: ${message}`))
  return [{ release, failure: { name: 'validation_error', message: messages.join(' ') } }]
}
