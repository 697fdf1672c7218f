import type { Artifact } from '../../domain/artifact.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import type { PageId, ReleaseId } from '../../domain/ids.ts'
import type { LiveFacts, SiteIdentity } from '../../domain/live-page.ts'
import { pathOfKey } from '../../domain/redirect-path.ts'
import { putsLive, type Stamp } from '../../domain/release.ts'
import type { ProjectRedirect, RedirectChange } from '../../domain/site-redirect.ts'
import type { ClaimedRelease, LiveVersion } from '../decide/claimed-release.ts'
import type { InProject } from '../ledger/leases.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import type { Commit, FileClaim } from '../ledger/release-queue.ts'
import type { PreparePorts } from '../ports.ts'
import { assignSlots } from './listings.ts'
import {
  isSameLine,
  lineOf,
  livePageRow,
  publishedOutcome,
  type RenderedRelease,
  removedOutcome,
  unchangedOutcome,
} from './live-page-row.ts'
import { type IndexChange, type NextIndexes, nextIndexes } from './next-indexes.ts'
import { type Plan, plan, type UploadContext, withUnknownBytes } from './plan.ts'
import { newest, type ProjectedSite, revisionOf } from './projected-site.ts'
import { formerKeys, pageRedirects, type Redirects, restoredRedirects } from './redirects.ts'
import { type ChangedSite, type NextRedirects, NO_REDIRECTS, nextRedirects } from './site-redirects.ts'

/** A batch with every decision made and nothing changed yet. */
export interface PreparedBatch {
  readonly plan: Plan
  /** Listings and redirects to be written or removed, and their claiming release. */
  readonly claims: { readonly claimer: ReleaseId; readonly files: readonly FileClaim[] }
  /** Commit without the stored artifacts, which are compressed and sealed before the deploy. */
  readonly commit: Omit<Commit, 'artifacts'>
}

/**
 * Plans the deploy of a rendered batch: its pages, their redirects, the listings and the indexes. Pages whose objects
 * would not change are confirmed, and nothing of them is written.
 */
export async function prepare(
  place: InProject,
  batch: readonly ClaimedRelease[],
  projected: ProjectedSite,
  rendered: readonly RenderedRelease[],
  now: string,
  ports: PreparePorts,
): Promise<PreparedBatch> {
  const { projectId } = place
  const isInterrupted = batch.some(wasInterrupted)
  // An interrupted attempt may have overwritten any of them, with content of another batch.
  const actual = (objects: readonly LiveObject[]) => (isInterrupted ? objects.map(withUnknownBytes) : objects)
  const recorded = actual(
    await ports.liveState.objectsOfPages(
      projectId,
      batch.map(({ release }) => release.pageId),
    ),
  )
  const { site } = newest(batch).snapshot
  const placed = placePages(rendered, recorded)
  const same = placed.filter((page) => !hasChanged(page))
  const damaged = await damagedOf(same, site, ports)
  const known = (object: LiveObject) => (damaged.has(object.key) ? withUnknownBytes(object) : object)
  const owned = recorded.map(known)
  const isSound = (page: Placed) =>
    !page.existing.some(({ key }) => damaged.has(key)) ||
    !hasChanged({ ...page, existing: page.existing.map(known) })
  const unchanged = same.filter(isSound)
  const kept = new Set(unchanged)
  const changed = placed.filter((page) => !kept.has(page))
  const removed = batch.filter(({ release }) => !putsLive(release))

  const { cards, slots } = await assignSlots(
    place,
    changed.map(({ page: { card } }) => card),
    ports.liveState,
  )
  const pages = changed.map(({ page, redirects }) =>
    livePageRow({ ...page, card: cards.get(page.card.id) ?? page.card }, redirects.previousPaths, now),
  )
  const removedPages = removed.map(({ release }) => release.pageId)
  const touched = new Set<string>([...pages.map(({ pageId }) => pageId), ...removedPages])
  const allArtifacts = changed.flatMap(({ page, redirects }) => [
    ...page.rendered.artifacts,
    ...redirects.artifacts,
  ])
  const yielding = new Set(changed.flatMap(({ page, redirects }) => formerKeys(page, redirects)))
  const change: IndexChange = {
    pages,
    removed: removedPages,
    touched,
    confirmed: new Set(unchanged.map(({ page }) => page.facts.id)),
    cards: pages.map(({ card }) => card).filter(({ type }) => type === 'article'),
    slots,
    owned,
    claimed: await ports.liveState.objectsClaimedBy(batch.map(({ release }) => release.id)),
    written: new Set(
      [
        ...allArtifacts.filter(({ key }) => !yielding.has(key)),
        ...unchanged.flatMap(({ page }) => page.rendered.artifacts),
      ].map(keyOf),
    ),
  }
  const stamps = new Map<string, Stamp>(
    changed.map(({ page: { facts, claimed } }) => [
      facts.id,
      { releaseId: claimed.release.id, publishedAt: publishTime(claimed, now) },
    ]),
  )
  const stamp: Stamp = { releaseId: newest(batch).id, publishedAt: now }
  const context: UploadContext = { keyId: site.keyId, stampOf: ({ owner }) => stamps.get(owner.id) ?? stamp }
  const isDeployed = ({ artifacts, existing, strays }: NextIndexes) =>
    changesNothing(plan(artifacts, actual(existing), context)) && strays.length === 0
  const indexes = await nextIndexes(place, projected, change, isDeployed, ports)

  const lists = new Set(indexes.artifacts.filter(({ owner }) => owner.kind === 'listing').map(keyOf))
  const pageArtifacts = allArtifacts.filter(({ key }) => !yielding.has(key) || !lists.has(key))
  const artifacts = [...pageArtifacts, ...indexes.artifacts]
  const removedIds = new Set<string>(removedPages)
  const replaced = owned.filter(
    (object) => touched.has(object.owner.id) && (removedIds.has(object.owner.id) || !isFrozen(object, site)),
  )
  const shown = await ports.liveState.objectsAt(
    projectId,
    pageArtifacts.filter(({ original }) => original !== undefined).map(keyOf),
  )
  const siteObjects = [...replaced, ...shown, ...actual(indexes.existing)]
  const { planned, redirects } = await planRedirects(
    (restored) => plan([...artifacts, ...restored], siteObjects, context),
    (artifacts, existing) => plan(artifacts, actual(existing), context),
    { site: indexes.site.site, paths: pathsOf(pages, removedPages), change: changeOf(batch) },
    ports,
  )

  const untouched = unchanged.flatMap(({ page }) => page.rendered.artifacts.map(keyOf))
  const deletes = [...planned.deletes, ...indexes.strays]

  return {
    plan: { ...planned, keeps: [...new Set([...planned.keeps, ...untouched])], deletes },
    claims: { claimer: newest(batch).id, files: claimsOf(planned, touched) },
    commit: {
      live: withDeadRedirects(outcomesOf({ changed, unchanged, removed }, now), redirects.died),
      pages,
      confirmed: unchanged.map(({ page: { facts, digests } }) => ({ pageId: facts.id, digests })),
      removed: removedPages,
      left: [
        ...changed.map(({ page }) => page),
        ...removed.map((claimed) => ({ claimed, facts: null })),
      ].flatMap(leftPath),
      slots,
      uploads: planned.uploads,
      deletes: deletes.map(keyOf),
      basedOn: revisionOf(projected.previous),
      site: indexes.site,
      removesSearchIndex: indexes.removesSearchIndex,
      redirects: redirects.states,
    },
  }
}

/** Keys of damaged objects of these pages on the store, without frozen ones, which cannot be written again. */
async function damagedOf(
  unchanged: readonly Placed[],
  site: SiteIdentity,
  { findDamaged }: PreparePorts,
): Promise<ReadonlySet<string>> {
  const objects = unchanged.flatMap(({ existing }) => existing).filter((object) => !isFrozen(object, site))
  return findDamaged === undefined || objects.length === 0 ? new Set() : findDamaged(objects)
}

/** The releases of a batch with their outcomes. */
function outcomesOf(
  batch: {
    readonly changed: readonly Placed[]
    readonly unchanged: readonly Placed[]
    readonly removed: readonly ClaimedRelease[]
  },
  now: string,
): Commit['live'] {
  return [
    ...batch.changed.map(({ page }) => ({
      release: page.claimed.release,
      outcome: publishedOutcome(page, now),
    })),
    ...batch.unchanged.map(({ page }) => ({
      release: page.claimed.release,
      outcome: unchangedOutcome(page, now),
    })),
    ...batch.removed.map((claimed) => ({ release: claimed.release, outcome: removedOutcome(claimed) })),
  ]
}

/** The text of a refreshed page was published earlier. */
function publishTime({ release, publishedAt }: ClaimedRelease, now: string): string {
  return release.op === 'refresh' ? (publishedAt ?? now) : now
}

/** Reports whether an earlier attempt was interrupted after its claim. */
function wasInterrupted({ release }: ClaimedRelease): boolean {
  return release.state === 'claimed'
}

/** Path left by a page; none for a deleted page. */
function leftPath({
  claimed: { release, live },
  facts,
}: {
  readonly claimed: ClaimedRelease
  readonly facts: LiveFacts | null
}): Commit['left'] {
  if (live === null || live.facts.path === facts?.path || release.op === 'delete-page') return []
  return [{ pageId: release.pageId, path: live.facts.path }]
}

/** Next paths of the pages of a batch; null for a page taken off the site. */
function pathsOf(
  pages: PreparedBatch['commit']['pages'],
  removed: readonly PageId[],
): ReadonlyMap<PageId, string | null> {
  return new Map([
    ...removed.map((id) => [id, null] as const),
    ...pages.map(({ pageId, facts }) => [pageId, facts.path] as const),
  ])
}

/**
 * Adds redirects that change with the site to its plan: those from paths that pages left earlier and that are free again,
 * and those that belong to no page.
 *
 * @param planPages plans the rest of the site with more artifacts.
 * @param planOthers plans artifacts alone.
 */
async function planRedirects(
  planPages: (restored: readonly Artifact[]) => Plan,
  planOthers: (artifacts: readonly Artifact[], existing: readonly LiveObject[]) => Plan,
  {
    site,
    paths,
    change,
  }: Pick<ChangedSite, 'paths'> & { readonly site: SiteIdentity; readonly change: RedirectChange },
  { liveState, redirectRows }: Pick<PreparePorts, 'liveState' | 'redirectRows'>,
): Promise<{ readonly planned: Plan; readonly redirects: NextRedirects }> {
  const first = planPages([])
  if (redirectRows === undefined) return { planned: first, redirects: NO_REDIRECTS }
  const restored = await restoredRedirects(site, first.deletes.map(keyOf), paths, liveState)
  const ofPages = restored.length === 0 ? first : planPages(restored)
  const ports = { liveState, redirectRows }
  const redirects = await nextRedirects(site.projectId, site, { ...ofPages, paths }, ports, change)
  return { planned: joined(ofPages, planOthers(redirects.artifacts, redirects.existing)), redirects }
}

/** Redirects of the project with a batch. */
function changeOf(batch: readonly ClaimedRelease[]): RedirectChange {
  const changes = batch.flatMap(({ release }) => release.redirects ?? [])
  return {
    put: changes.flatMap(({ put }) => put),
    remove: changes.flatMap(({ remove }) => remove),
  }
}

/** A page may take the key of a redirect, which the redirects then no longer have. */
function joined(ofPages: Plan, ofRedirects: Plan): Plan {
  const taken = new Set(ofPages.uploads.map(({ artifact }) => artifact.key))
  const next = new Set(ofRedirects.uploads.map(({ artifact }) => artifact.key))
  return {
    uploads: [...ofPages.uploads, ...ofRedirects.uploads],
    keeps: [...ofPages.keeps, ...ofRedirects.keeps],
    deletes: [
      ...ofPages.deletes.filter(({ key }) => !next.has(key)),
      ...ofRedirects.deletes.filter(({ key }) => !taken.has(key)),
    ],
  }
}

/**
 * Listings and redirects that the plan writes or removes.
 *
 * @param touched pages of the batch, whose redirects are claimed with them.
 */
export function claimsOf(
  { uploads, deletes }: Pick<Plan, 'uploads' | 'deletes'>,
  touched: ReadonlySet<string> = NO_PAGES,
): readonly FileClaim[] {
  return [...uploads.map(({ artifact }) => artifact), ...deletes]
    .filter(
      ({ owner: { kind, id } }) =>
        kind === 'listing' || kind === 'site-redirect' || (kind === 'redirect' && !touched.has(id)),
    )
    .map(({ key, owner }) => ({ key, owner }))
}

const NO_PAGES: ReadonlySet<string> = new Set()

/** Adds a warning to the newest release for each redirect without a target from here on. */
function withDeadRedirects(live: Commit['live'], died: readonly ProjectRedirect[]): Commit['live'] {
  const warnings = died.slice(0, MAX_DEAD_WARNINGS).map(deadRedirectWarning)
  const last = live.at(-1)
  if (warnings.length === 0 || last === undefined) return live
  const { outcome } = last
  return [
    ...live.slice(0, -1),
    { ...last, outcome: { ...outcome, warnings: [...outcome.warnings, ...warnings] } },
  ]
}

/** Largest number of redirects named in the answer of a publish. */
const MAX_DEAD_WARNINGS = 20

function deadRedirectWarning({ from }: ProjectRedirect): PageWarning {
  const message = `The redirect from ${from} leads nowhere from now on. Give it another target, or delete it.`
  return { code: 'QN-DEAD-REDIRECT', at: null, message }
}

function keyOf({ key }: Pick<Artifact, 'key'>): string {
  return key
}

function byOwner(objects: readonly LiveObject[]): ReadonlyMap<string, readonly LiveObject[]> {
  const found = new Map<string, LiveObject[]>()
  for (const object of objects) {
    const own = found.get(object.owner.id)
    if (own === undefined) found.set(object.owner.id, [object])
    else own.push(object)
  }
  return found
}

/** Page to go live, with its redirects. */
interface Placed {
  readonly page: RenderedRelease
  readonly redirects: Redirects
  /** Objects of this page on the CDN, without redirects taken over by another page of the batch. */
  readonly existing: readonly LiveObject[]
}

/** Determines the existing objects and the redirects of each page. */
function placePages(rendered: readonly RenderedRelease[], owned: readonly LiveObject[]): readonly Placed[] {
  const ownedBy = byOwner(owned)
  const isTaken = takenIn(rendered)
  return rendered.map((page) => {
    const { id } = page.facts
    const existing = (ownedBy.get(id) ?? []).filter(
      ({ key, owner }) => owner.kind !== 'redirect' || !isTaken(pathOfKey(key), id),
    )
    return { page, existing, redirects: pageRedirects(page, (path) => isTaken(path, id)) }
  })
}

/** Reports whether a page of the batch goes live at a path, or another page than `id` redirects from it. */
function takenIn(pages: readonly RenderedRelease[]): (path: string, id: PageId) => boolean {
  const paths = new Set(pages.map(({ facts }) => facts.path))
  const redirecting = new Map(
    pages.flatMap(({ claimed, facts }) => claimed.redirectFrom.map((path) => [path, facts.id] as const)),
  )
  return (path, id) => paths.has(path) || (redirecting.get(path) ?? id) !== id
}

/** Compares what visitors get and what indexes contain; times do not count, except those that a build gives. */
function hasChanged({ page, redirects, existing }: Placed): boolean {
  const { claimed, facts, rendered } = page
  const { live } = claimed
  if (live === null || claimed.hasOtherFiles || JSON.stringify(live.facts) !== JSON.stringify(facts))
    return true
  if (claimed.publishedAt !== undefined && claimed.publishedAt !== live.publishedAt) return true
  // The page does not show its id in feeds.
  if (hasOtherFeedId(page, live)) return true
  if (!isSameLine(live.line, lineOf(page, live.publishedAt))) return true
  const pageArtifacts = rendered.artifacts.filter(({ owner }) => owner.kind === 'page')
  const { site } = claimed.release.snapshot
  const replaced = existing.filter((object) => !isFrozen(object, site))
  const stampOf: UploadContext['stampOf'] = () => live
  return !changesNothing(
    plan([...pageArtifacts, ...redirects.artifacts], replaced, { keyId: site.keyId, stampOf }),
  )
}

/** Reports whether readers of feeds will take the live article for a new one. */
export function hasOtherFeedId(
  { card: { feedId } }: Pick<RenderedRelease, 'card'>,
  live: Pick<LiveVersion, 'feedId'>,
): boolean {
  return feedId !== undefined && live.feedId !== null && live.feedId !== feedId
}

function changesNothing({ uploads, deletes }: Plan): boolean {
  return uploads.length + deletes.length === 0
}

/** After Data Mode was disabled, sealed objects stay for their readers until the page is removed or sealed again. */
function isFrozen({ keyId }: LiveObject, site: SiteIdentity): boolean {
  return keyId !== null && site.keyId === null
}
