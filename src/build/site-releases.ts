import { derive, resolvedFields } from '../content/derive.ts'
import type { PageId } from '../domain/ids.ts'
import type { SiteIdentity, Snapshot } from '../domain/live-page.ts'
import { newPage, type Page } from '../domain/page.ts'
import type { Release, ReleaseOp } from '../domain/release.ts'
import type { Addressed } from '../domain/route.ts'
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts'
import type { ClaimedRelease } from '../publish/ledger.ts'
import { pageKeys } from '../publish/page-keys.ts'
import type { Site } from '../render/head-view.ts'
import type { Site as Content, SitePage } from '../site/site.ts'
import { idOf } from './build-ids.ts'
import type { BuiltPage } from './build-state.ts'
import type { StateBefore } from './state-before.ts'

/** Where a site that is built will be read. */
export interface Place {
  /** Absolute URL of the path `/`, without a slash at its end. */
  readonly origin: string
}

/** What publishing each page of the folder begins with. */
export function publishesOf(
  { name, settings: written, pages }: Content,
  { origin }: Place,
  { state, isWhole }: StateBefore,
  now: string,
): readonly ClaimedRelease[] {
  const settings = { ...DEFAULT_SETTINGS, ...written }
  const site = siteIdentity(name, origin)
  const ids = new Map(pages.map((page) => [addressOf(page), idOf('page', page.source)]))
  return pages.map((page, index) => {
    const built = state.pages[idOf('page', page.source)] ?? null
    const parent = page.parent === null ? null : (ids.get(addressOf(page.parent)) ?? null)
    const snapshot = snapshotOf(page, { settings, site, parent, built, now })
    return claimedRelease('publish', snapshot, { built, isWhole, seq: index, now })
  })
}

/** What taking those pages off begins with that were built and are no longer in the folder. */
export function removalsOf(
  publishes: readonly ClaimedRelease[],
  { state, isWhole }: StateBefore,
  now: string,
): readonly ClaimedRelease[] {
  const staying = new Set(publishes.map(({ release }) => release.pageId))
  const of = publishes[0]?.release.snapshot ?? state.site
  if (of === null) return []
  return Object.values(state.pages)
    .filter(({ facts }) => !staying.has(facts.id))
    .map((built, index) => {
      const snapshot = formerSnapshot(built, of, now)
      return claimedRelease('unpublish', snapshot, { built, isWhole, seq: index, now })
    })
}

/** Of a page that goes only its address still matters. */
function formerSnapshot({ facts }: BuiltPage, { site, settings }: Site, now: string): Snapshot {
  const { title, slug, subroute, type } = facts
  const content = { title, slug, subroute, type, description: '', ogImageUrl: null, meta: {}, config: {} }
  const draft = { ...content, projectId: site.projectId, markdown: '', ownFields: {} }
  const page = newPage(draft, { id: facts.id, now, derive })
  return { page, fields: resolvedFields(page), settings, site }
}

function siteIdentity(name: string, origin: string): SiteIdentity {
  return {
    projectId: idOf('proj', name),
    name,
    origin,
    hostingMode: 'full_host',
    keyId: null,
    manifest: 'full',
  }
}

interface Around {
  readonly settings: Settings
  readonly site: SiteIdentity
  readonly parent: PageId | null
  readonly built: BuiltPage | null
  readonly now: string
}

function snapshotOf(
  { source, parent: _, draft: __, ownFields, ...draft }: SitePage,
  { settings, site, parent, built, now }: Around,
): Snapshot {
  const isDocs = draft.type === 'docs'
  const fresh = newPage(
    {
      ...draft,
      projectId: site.projectId,
      ownFields: { ...ownFields, ...(isDocs && { parentPage: parent }) },
    },
    { id: idOf('page', source), now, derive },
  )
  const page: Page = {
    ...fresh,
    firstPublishedAt: built?.firstPublishedAt ?? null,
    updatedAt: built?.digests.content === fresh.contentDigest ? built.updatedAt : now,
  }
  return { page, fields: resolvedFields(page), settings, site }
}

interface Standing {
  readonly built: BuiltPage | null
  readonly isWhole: boolean
  readonly seq: number
  readonly now: string
}

function claimedRelease(
  op: ReleaseOp,
  snapshot: Snapshot,
  { built, isWhole, seq, now }: Standing,
): ClaimedRelease {
  const { page, site } = snapshot
  const release: Release = {
    id: idOf('rel', `${page.id} ${now}`),
    projectId: site.projectId,
    seq,
    pageId: page.id,
    op,
    state: 'queued',
    snapshot,
    statusAfter: op === 'publish' ? 'published' : 'draft',
    lenient: false,
    strict: false,
    restores: null,
    outcome: null,
    failure: null,
    createdAt: now,
    finishedAt: null,
  }
  const live = built === null ? null : liveRow(built, isWhole)
  const [[file = ''] = []] = op === 'publish' ? pageKeys(snapshot) : []
  return { release, file, live, firstPublishedAt: built?.firstPublishedAt ?? null }
}

/** Of files that cannot be trusted nothing is known that the indexes say: each page counts as changed. */
function liveRow(
  { facts, line, redirects, publishedAt }: BuiltPage,
  isWhole: boolean,
): ClaimedRelease['live'] {
  const releaseId = idOf('rel', `${facts.id} ${publishedAt}`)
  return { releaseId, publishedAt, facts, line: isWhole ? line : '{}', redirects }
}

function addressOf({ subroute, slug }: Addressed): string {
  return `${subroute}/${slug}`
}
