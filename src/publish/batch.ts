import type { Artifact } from '../domain/artifact.ts'
import { messageOf, ServiceError } from '../domain/errors.ts'
import type { ReleaseId } from '../domain/ids.ts'
import type { Release } from '../domain/release.ts'
import type { Renderer } from '../renderer/renderer.ts'
import type { CallOptions, Storage } from '../storage/storage.ts'
import { deploy } from './deploy.ts'
import {
  linesAfter,
  liveDigests,
  livePageRow,
  publishedOutcome,
  type RenderedRelease,
  removedOutcome,
  unchangedOutcome,
} from './going-live.ts'
import type {
  ClaimedRelease,
  Commit,
  Failed,
  GoneLive,
  Lease,
  Ledger,
  LiveObject,
  LiveSite,
} from './ledger.ts'
import { type Plan, plan } from './plan.ts'
import { newest, type PageToRender, type SiteAfter, siteAfter } from './site-after.ts'

export interface PublishPorts {
  readonly ledger: Ledger
  readonly storage: Storage
  readonly renderer: Renderer
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

/** A batch as it is about to go live: every decision made, nothing touched yet. */
export interface PreparedBatch {
  readonly plan: Plan
  readonly commit: Commit
}

/**
 * Render what a batch publishes and compare it with what is live.
 *
 * Pages that cannot be rendered are handed back as `failed`; the others are then prepared without
 * them, so that no navigation names a page that does not go live. `prepared` is null when none is left.
 */
export async function prepareBatch(
  lease: Lease,
  batch: readonly ClaimedRelease[],
  ports: PublishPorts,
): Promise<{ readonly prepared: PreparedBatch | null; readonly failed: readonly Failed[] }> {
  const now = ports.now()
  const failed: Failed[] = []
  for (let rest = batch; ; ) {
    if (rest.length === 0) return { prepared: null, failed }
    const site = await siteAfter(lease, rest, now, ports.ledger)
    const attempts = await Promise.all(site.pages.map((page) => attemptRender(page, ports.renderer)))
    const refused = attempts.filter((attempt): attempt is Failed => 'failure' in attempt)
    if (refused.length === 0) {
      const rendered = attempts.filter((attempt): attempt is RenderedRelease => 'rendered' in attempt)
      return { prepared: await prepare(lease, rest, site, rendered, now, ports), failed }
    }
    failed.push(...refused)
    const gone = new Set(refused.map(({ release }) => release.id))
    rest = rest.filter(({ release }) => !gone.has(release.id))
  }
}

/**
 * Put a prepared batch on the CDN and make it true. Returns the releases as they ended.
 *
 * @param options.signal ends the upload, not the recording of one that is complete.
 */
export async function carryOut(
  lease: Lease,
  { plan, commit }: PreparedBatch,
  { ledger, storage }: PublishPorts,
  options: CallOptions,
): Promise<readonly Release[]> {
  await deploy(plan, lease.projectId, storage, options)
  return ledger.commit(lease, commit)
}

async function attemptRender(page: PageToRender, renderer: Renderer): Promise<RenderedRelease | Failed> {
  try {
    return { ...page, rendered: await renderer.renderPage(page.live) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { release: page.claimed.release, failure: { name: error.name, message: messageOf(error) } }
  }
}

async function prepare(
  lease: Lease,
  batch: readonly ClaimedRelease[],
  site: SiteAfter,
  rendered: readonly RenderedRelease[],
  now: string,
  ports: PublishPorts,
): Promise<PreparedBatch> {
  const owned = await ports.ledger.objectsOfPages(
    lease.projectId,
    batch.map(({ release }) => release.pageId),
  )
  const changed = rendered.filter((page) => hasChanged(page, owned))
  const unchanged = rendered.filter((page) => !changed.includes(page))
  const removed = batch.map(({ release }) => release).filter(({ op }) => op !== 'publish')

  const pages = changed.map((page) => livePageRow(page, ports.renderer, now))
  const gone = removed.map(({ pageId }) => pageId)
  const touched = new Set<string>([...pages.map(({ pageId }) => pageId), ...gone])
  const indexes =
    touched.size === 0 ? NO_INDEXES : await indexesAfter(lease, batch, site, touched, pages, ports)

  const artifacts = [...changed.flatMap((page) => page.rendered.artifacts), ...indexes.artifacts]
  const lying = [...owned.filter(({ owner }) => touched.has(owner.id)), ...indexes.lying]
  const releaseOf = new Map<string, ReleaseId>(pages.map(({ pageId, releaseId }) => [pageId, releaseId]))
  const made = plan(artifacts, lying, ({ owner }) => releaseOf.get(owner.id) ?? newest(batch).id)

  return {
    plan: made,
    commit: {
      live: [
        ...changed.map((page) => ({ release: page.claimed.release, outcome: publishedOutcome(page, now) })),
        ...unchanged.map((page) => ({ release: page.claimed.release, outcome: unchangedOutcome(page, now) })),
        ...removed.map((release) => ({ release, outcome: removedOutcome(release) })),
      ],
      pages,
      confirmed: unchanged.map(({ facts: { id }, live }) => ({
        pageId: id,
        digests: liveDigests(live, ports.renderer),
      })),
      gone,
      uploads: made.uploads,
      deletes: made.deletes,
      site: indexes.site,
    },
  }
}

/** The site's own files once the batch is live, and those that lie there now. */
interface Indexes {
  readonly artifacts: readonly Artifact[]
  readonly lying: readonly LiveObject[]
  readonly site: LiveSite | null
}

const NO_INDEXES: Indexes = { artifacts: [], lying: [], site: null }

async function indexesAfter(
  { projectId }: Lease,
  batch: readonly ClaimedRelease[],
  { trees }: SiteAfter,
  touched: ReadonlySet<string>,
  pages: readonly GoneLive[],
  { ledger, renderer }: PublishPorts,
): Promise<Indexes> {
  const { site, settings } = newest(batch).snapshot
  const before = await ledger.liveSite(projectId)
  const live: LiveSite = { site, settings, revision: (before?.revision ?? 0) + 1 }
  const lines = linesAfter(await ledger.indexLines(projectId), touched, pages)
  return {
    artifacts: await renderer.renderSite({ ...live, lines, trees }),
    lying: [
      ...(await ledger.objectsOfKind(projectId, 'site')),
      ...(trees === null ? [] : await ledger.objectsOfKind(projectId, 'nav')),
    ],
    site: live,
  }
}

/** Judged by what a visitor gets and what the indexes say, not by when it was published. */
function hasChanged({ claimed, facts, rendered }: RenderedRelease, owned: readonly LiveObject[]): boolean {
  if (claimed.live === null || JSON.stringify(claimed.live.facts) !== JSON.stringify(facts)) return true
  const own = rendered.artifacts.filter(({ owner }) => owner.kind === 'page')
  const lying = owned.filter(({ owner }) => owner.id === facts.id)
  const { uploads, deletes } = plan(own, lying, () => claimed.release.id)
  return uploads.length + deletes.length > 0
}
