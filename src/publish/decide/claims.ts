import type { Owner } from '../../domain/artifact.ts'
import type { PageId } from '../../domain/ids.ts'
import { snapshotPath } from '../../domain/live-page.ts'
import { MAX_FORMER_PATHS, redirectKey } from '../../domain/redirect-path.ts'
import { putsLive, type Release, type ReleaseFailure, type ReleaseOutcome } from '../../domain/release.ts'
import {
  addressFailure,
  GONE,
  KEY_LOST,
  NOT_PUBLISHED,
  pathTaken,
  TOO_MANY_ADDRESSES,
} from './claim-failures.ts'
import type { ClaimedRelease, LiveVersion } from './claimed-release.ts'
import { type Ending, endedBeforeDeploy, refused, wentLive } from './endings.ts'
import { leavingPages, mayExchange } from './exchanges.ts'
import {
  createKeyClaims,
  type KeyClaim,
  type KeyClaims,
  type KeyConflict,
  type KeyOwner,
} from './key-claims.ts'
import { createRedirectTable, type KnownRedirect, type RedirectTable } from './redirect-changes.ts'

/* Decisions about waiting releases of pages: who may publish where. */

/** A waiting release, on the site as it is (`onCurrentSite`). */
export interface Candidate {
  readonly release: Release
  /** Keys of its live page, each as a list of possible names, best first. */
  readonly keys: readonly (readonly string[])[]
  /** Further paths that redirect to the page where they are free. */
  readonly redirectFrom: readonly string[]
}

/** The row of a page. */
export interface PageState {
  /** Live version; null when the page is not live. */
  readonly live: LiveVersion | null
  readonly firstPublishedAt: string | null
  /** Earlier paths of the page, newest first. */
  readonly formerPaths: readonly string[]
}

/** Rows for a decision about candidates. */
export interface ClaimRows {
  readonly isKeyLost: boolean
  /** Existing pages of the candidates. */
  readonly pages: ReadonlyMap<PageId, PageState>
  /** Live pages at the paths of the candidates. */
  readonly occupants: ReadonlyMap<string, PageId>
  /** Owners of all keys of `claimableKeys`. */
  readonly owners: ReadonlyMap<string, KeyOwner>
  /** Redirects of the project; empty unless a candidate changes them. */
  readonly redirects: readonly KnownRedirect[]
  /** Position of the live release that gave the indexes their settings; 0 without one. */
  readonly newestSettings: number
}

export type Decision =
  | { readonly kind: 'claimed'; readonly claimed: ClaimedRelease }
  | { readonly kind: 'ended'; readonly ending: Ending<Release> }
  /** Left to the next batch, because it depends on a release of this one. */
  | { readonly kind: 'left'; readonly release: Release }

export interface ClaimDecisions {
  /** One decision for each candidate, in their order. */
  readonly decisions: readonly Decision[]
  /** The keys of all claimed releases, each once. */
  readonly keys: readonly KeyClaim[]
}

/**
 * Decides about waiting releases in their order: claims keys, refuses invalid releases, and ends those without an
 * effect.
 *
 * @param candidates in order of acceptance, at most one of each page.
 */
export function decideClaims(candidates: readonly Candidate[], rows: ClaimRows, now: string): ClaimDecisions {
  const batch: Batch = {
    rows,
    now,
    leaving: leavingOf(candidates, rows),
    keysOf: new Map(candidates.map(({ release, keys }) => [release.pageId, keys.flat()])),
    keys: createKeyClaims(rows.owners),
    redirects: createRedirectTable(rows.redirects),
    paths: new Map(),
    decided: new Map(),
  }
  let isOver = false
  for (const candidate of candidates) {
    const { release } = candidate
    const decision: Decision = isOver ? { kind: 'left', release } : decide(candidate, batch)
    if (decision.kind === 'left') isOver = true
    batch.decided.set(release.pageId, decision)
  }
  endStranded(batch)
  claimRedirects(candidates, batch)
  return { decisions: [...batch.decided.values()], keys: batch.keys.all() }
}

/** A decision in progress. */
interface Batch {
  readonly rows: ClaimRows
  readonly now: string
  /** Pages that leave their live path once claimed. */
  readonly leaving: ReadonlySet<PageId>
  /** Possible keys of each live page, which gives up all others. */
  readonly keysOf: ReadonlyMap<PageId, readonly string[]>
  readonly keys: KeyClaims
  readonly redirects: RedirectTable
  /** Claimed page of each path. */
  readonly paths: Map<string, PageId>
  /** Decisions by page, in order of acceptance. */
  readonly decided: Map<string, Decision>
}

function decide(candidate: Candidate, batch: Batch): Decision {
  const { rows, now } = batch
  const { release } = candidate
  const page = rows.pages.get(release.pageId)
  if (page === undefined) return { kind: 'ended', ending: refused({ release, failure: GONE }, now) }
  if (!putsLive(release)) return decideRemoval(release, page, batch)
  if (rows.isKeyLost) return { kind: 'ended', ending: refused({ release, failure: KEY_LOST }, now) }
  return decidePublish(candidate, page, batch)
}

function decideRemoval(release: Release, page: PageState, { rows, redirects, now }: Batch): Decision {
  if (page.live === null && release.redirects === undefined) {
    const isDone = release.op === 'delete-page' || release.lenient
    const ending = isDone
      ? wentLive(release, nothingLive(release), now)
      : refused({ release, failure: NOT_PUBLISHED }, now)
    return { kind: 'ended', ending }
  }
  const failure = release.redirects === undefined ? null : redirects.change(release.redirects)
  return failure === null
    ? { kind: 'claimed', claimed: claimedRelease(release, page, rows) }
    : { kind: 'ended', ending: endedBeforeDeploy({ release, failure }, now) }
}

function decidePublish({ release, keys }: Candidate, page: PageState, batch: Batch): Decision {
  const { rows, paths, now } = batch
  const { pageId, snapshot } = release
  const path = snapshotPath(snapshot)
  const failure = addressFailure(snapshot) ?? formerPathsFailure(release, page)
  if (failure !== null) return { kind: 'ended', ending: endedBeforeDeploy({ release, failure }, now) }

  const occupant = occupantOf(release, rows)
  const replaces = occupant !== null && mayExchange(release) && batch.leaving.has(occupant) ? occupant : null
  const atPath = paths.get(path) ?? (replaces === null ? occupant : null)
  const isVacated = (key: string, { id }: Owner) =>
    id === replaces && batch.keysOf.get(replaces)?.includes(key) === false
  const names =
    atPath === null
      ? batch.keys.claim({ pageId, releaseId: release.id }, keys, isVacated)
      : { key: path, owner: atPath }
  if ('owner' in names) return decideConflict(release, names, batch)
  paths.set(path, pageId)
  return {
    kind: 'claimed',
    claimed: { ...claimedRelease(release, page, rows), file: names[0] ?? '', replaces },
  }
}

function decideConflict(release: Release, conflict: KeyConflict, { decided, now }: Batch): Decision {
  // The other page may move away in this batch.
  if (decided.get(conflict.owner)?.kind === 'claimed') return { kind: 'left', release }
  return { kind: 'ended', ending: endedBeforeDeploy({ release, failure: pathTaken(conflict) }, now) }
}

/** Pages that leave their live path in an exchange, unless a page that stays blocks them. */
function leavingOf(candidates: readonly Candidate[], { pages, occupants }: ClaimRows): ReadonlySet<PageId> {
  const moves = candidates
    .map(({ release }) => release)
    .filter((release) => putsLive(release) && mayExchange(release) && pages.has(release.pageId))
    .map(({ pageId, snapshot }) => ({
      pageId,
      from: pages.get(pageId)?.live?.facts.path ?? null,
      to: snapshotPath(snapshot),
    }))
  return leavingPages(moves, occupants)
}

/** Ends claimed releases whose path is not vacated after all. */
function endStranded({ decided, keys, now }: Batch): void {
  for (let one = strandedOf(decided); one !== undefined; one = strandedOf(decided)) {
    const { release, replaces } = one
    keys.drop(release.id)
    const owner = replaces ?? ''
    const failure = pathTaken({ owner, key: snapshotPath(release.snapshot) })
    const isRefused = decided.get(owner)?.kind === 'ended'
    decided.set(
      release.pageId,
      isRefused
        ? { kind: 'ended', ending: endedBeforeDeploy({ release, failure }, now) }
        : { kind: 'left', release },
    )
  }
}

function strandedOf(decided: Batch['decided']): ClaimedRelease | undefined {
  for (const one of decided.values()) {
    if (one.kind !== 'claimed' || one.claimed.replaces === null) continue
    const other = decided.get(one.claimed.replaces)
    if (other?.kind !== 'claimed' || !putsLive(other.claimed.release)) return one.claimed
  }
  return undefined
}

/**
 * Claims redirects after all pages of the batch, since pages take precedence, and former paths after those named by
 * authors.
 */
function claimRedirects(candidates: readonly Candidate[], { decided, keys }: Batch): void {
  const free = ({ id: releaseId, pageId }: Release, paths: readonly string[], isNamed: boolean) =>
    paths.filter((path) => keys.claimRedirect({ pageId, releaseId }, redirectKey(path), isNamed))
  const change = (edit: (claimed: ClaimedRelease, candidate: Candidate) => Partial<ClaimedRelease>) => {
    for (const candidate of candidates) {
      const { pageId } = candidate.release
      const one = decided.get(pageId)
      if (one?.kind !== 'claimed' || !putsLive(candidate.release)) continue
      decided.set(pageId, { ...one, claimed: { ...one.claimed, ...edit(one.claimed, candidate) } })
    }
  }
  change(({ release }, { redirectFrom }) => ({ redirectFrom: free(release, redirectFrom, true) }))
  change(({ release, redirectFrom, formerPaths }) => {
    const named = new Set(redirectFrom)
    const unnamed = formerPaths.filter((path) => !named.has(path))
    return { formerPaths: free(release, unnamed, false) }
  })
}

function claimedRelease(release: Release, page: PageState, { newestSettings }: ClaimRows): ClaimedRelease {
  const { live, firstPublishedAt } = page
  return {
    release,
    file: '',
    redirectFrom: [],
    formerPaths: putsLive(release) && redirectsAt(release) ? formerPathsOf(release, page) : [],
    replaces: null,
    live,
    firstPublishedAt,
    isOvertaken: release.seq < newestSettings,
    // The text of a refresh was published then.
    ...(release.op === 'refresh' && live !== null && { publishedAt: live.publishedAt }),
  }
}

/** Keys whose owners decide about a candidate. */
export function claimableKeys(
  { release, keys, redirectFrom }: Candidate,
  page: PageState | undefined,
): readonly string[] {
  if (page === undefined || !putsLive(release) || formerPathsFailure(release, page) !== null) return []
  const former = redirectsAt(release) ? formerPathsOf(release, page) : []
  return [...keys.flat(), ...[...redirectFrom, ...former].map(redirectKey)]
}

/** Reports whether a page has redirects: in Data Mode readers resolve paths themselves. */
function redirectsAt({ snapshot }: Release): boolean {
  return snapshot.site.hostingMode !== 'data_mode'
}

/** Earlier paths of a page, other than its next one. */
function formerPathsOf({ snapshot }: Release, { live, formerPaths }: PageState): readonly string[] {
  const path = snapshotPath(snapshot)
  const all = live === null ? formerPaths : [live.facts.path, ...formerPaths]
  return [...new Set(all)].filter((one) => one !== path)
}

/** Another live page at the path of a release; null without one. */
function occupantOf({ pageId, snapshot }: Release, { occupants }: ClaimRows): PageId | null {
  const occupant = occupants.get(snapshotPath(snapshot)) ?? pageId
  return occupant === pageId ? null : occupant
}

function formerPathsFailure(release: Release, page: PageState): ReleaseFailure | null {
  return formerPathsOf(release, page).length > MAX_FORMER_PATHS ? TOO_MANY_ADDRESSES : null
}

function nothingLive({ id }: Release): ReleaseOutcome {
  return { publishedAt: null, url: null, releaseId: id, changed: false, warnings: [] }
}
