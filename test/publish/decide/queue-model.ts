import type { PageId, ReleaseId } from '../../../src/domain/ids.ts'
import { snapshotPath } from '../../../src/domain/live-page.ts'
import { redirectKey } from '../../../src/domain/redirect-path.ts'
import { putsLive, type Release, type ReleaseOp } from '../../../src/domain/release.ts'
import type { ClaimedRelease } from '../../../src/publish/decide/claimed-release.ts'
import {
  type Candidate,
  type ClaimDecisions,
  type ClaimRows,
  claimableKeys,
  type Decision,
  decideClaims,
  type PageState,
} from '../../../src/publish/decide/claims.ts'
import type { KeyOwner } from '../../../src/publish/decide/key-claims.ts'
import { untilRepeat } from '../../../src/publish/decide/next-in-line.ts'
import { factsOf, pageKeys, redirectPaths } from '../../../src/publish/pipeline/page-keys.ts'
import { snapshotFor } from '../../support/live-site.ts'

export const NOW = '2026-01-02T03:04:05.678Z'

/** A release to enqueue. */
export interface Wish {
  readonly page: string
  readonly op?: ReleaseOp
  readonly subroute?: string
  /** Absent: the name of the page. */
  readonly slug?: string
  readonly redirectFrom?: readonly string[]
  /** Whether a request awaits it, so that it exchanges no address. Absent: no. */
  readonly isAwaited?: boolean
  readonly isSealed?: boolean
  readonly wasClaimed?: boolean
}

/** @param name a letter or a short word. */
export function pageId(name: string): PageId {
  return name.padEnd(16, 'a') as PageId
}

/** Releases in order of acceptance. */
export function releasesOf(wishes: readonly Wish[]): readonly Release[] {
  return wishes.map((wish, index) => {
    const { page, op = 'publish', subroute = '', slug = page, redirectFrom = [] } = wish
    const { site, ...snapshot } = snapshotFor(page, { subroute, slug }, { redirectFrom: [...redirectFrom] })
    return {
      id: `release${index}` as ReleaseId,
      projectId: site.projectId,
      seq: index + 1,
      pageId: pageId(page),
      op,
      state: wish.wasClaimed ? 'claimed' : 'queued',
      snapshot: {
        ...snapshot,
        site: wish.isSealed ? { ...site, hostingMode: 'data_mode', keyId: 'key1' } : site,
      },
      statusAfter: op === 'delete-page' ? null : op === 'unpublish' ? 'draft' : 'published',
      lenient: false,
      strict: false,
      restores: null,
      outcome: null,
      failure: null,
      createdAt: NOW,
      finishedAt: null,
      deadlineAt: wish.isAwaited ? NOW : null,
    }
  })
}

/** What the database holds of a site. */
export interface Stored {
  readonly pages: ReadonlyMap<PageId, PageState>
  readonly owners: ReadonlyMap<string, KeyOwner>
}

/** A site with these pages, none of which is live. */
export function newSite(pages: readonly string[]): Stored {
  const state: PageState = { live: null, firstPublishedAt: null, formerPaths: [] }
  return { pages: new Map(pages.map((page) => [pageId(page), state])), owners: new Map() }
}

/** What a claim of these releases reads. */
function readRows(
  { pages, owners }: Stored,
  releases: readonly Release[],
): { readonly candidates: readonly Candidate[]; readonly rows: ClaimRows } {
  const candidates = releases.map((release) => ({
    release,
    keys: putsLive(release) ? pageKeys(release.snapshot) : [],
    redirectFrom: putsLive(release) ? redirectPaths(release.snapshot) : [],
  }))
  const keys = new Set(candidates.flatMap((one) => claimableKeys(one, pages.get(one.release.pageId))))
  const paths = releases.filter(putsLive).map(({ snapshot }) => snapshotPath(snapshot))
  const occupants = [...livePaths(pages)].filter(([path]) => paths.includes(path))
  const rows = {
    isKeyLost: false,
    pages: new Map([...pages].filter(([id]) => releases.some((release) => release.pageId === id))),
    occupants: new Map(occupants),
    owners: new Map([...owners].filter(([key]) => keys.has(key))),
    redirects: [],
    newestSettings: 0,
  }
  return { candidates, rows }
}

export function claim(stored: Stored, releases: readonly Release[]): ClaimDecisions {
  const { candidates, rows } = readRows(stored, releases)
  return decideClaims(candidates, rows, NOW)
}

export function claimedOf(decisions: readonly Decision[]): readonly ClaimedRelease[] {
  return decisions.flatMap((one) => (one.kind === 'claimed' ? one.claimed : []))
}

/** The live page at each path. */
export function livePaths(pages: Stored['pages']): ReadonlyMap<string, PageId> {
  return new Map(
    [...pages].flatMap(([id, { live }]) => (live === null ? [] : [[live.facts.path, id] as const])),
  )
}

/** The site after the claimed releases went live. */
export function goLive({ pages, owners }: Stored, { decisions, keys }: ClaimDecisions): Stored {
  const claimed = claimedOf(decisions)
  const moved = new Set<string>(claimed.map(({ release }) => release.pageId))
  const next = new Map([...owners].filter(([, { id }]) => !moved.has(id)))
  for (const { key, claimedBy } of keys) {
    const { release, redirectFrom, formerPaths } =
      claimed.find((one) => one.release.id === claimedBy) ?? noRelease(key)
    const isRedirect = [...redirectFrom, ...formerPaths].some((path) => key === redirectKey(path))
    const kind = isRedirect ? 'redirect' : 'page'
    next.set(key, { kind, id: release.pageId, claimedBy: null })
  }
  const states = new Map(pages)
  for (const { release, formerPaths } of claimed) {
    if (release.statusAfter === null) states.delete(release.pageId)
    else states.set(release.pageId, { live: liveOf(release), firstPublishedAt: NOW, formerPaths })
  }
  return { pages: states, owners: next }
}

function liveOf(release: Release): PageState['live'] {
  if (!putsLive(release)) return null
  return {
    releaseId: release.id,
    publishedAt: NOW,
    facts: factsOf(release.snapshot),
    line: '{}',
    feedId: null,
  }
}

function noRelease(key: string): never {
  throw new Error(`${key} is claimed by no claimed release.`)
}

/** Publishes releases in batches until none waits. @returns how each ended: `live`, or the name of its failure. */
export function publishAll(
  stored: Stored,
  releases: readonly Release[],
  batchSize: number,
): { readonly stored: Stored; readonly ended: ReadonlyMap<ReleaseId, string> } {
  const ended = new Map<ReleaseId, string>()
  let site = stored
  for (let waiting = releases; waiting.length > 0; waiting = waiting.filter(({ id }) => !ended.has(id))) {
    const batch = untilRepeat(waiting.slice(0, batchSize))
    const decided = claim(site, batch)
    for (const { release } of claimedOf(decided.decisions)) ended.set(release.id, 'live')
    for (const one of decided.decisions)
      if (one.kind === 'ended') ended.set(one.ending.release.id, one.ending.release.failure?.name ?? 'live')
    if (decided.decisions.every(({ kind }) => kind === 'left'))
      throw new Error('A batch left all of its releases.')
    site = goLive(site, decided)
  }
  return { stored: site, ended }
}
