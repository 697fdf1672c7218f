import { unstatedFeedGuid } from '../content-folder/feed-guid.ts'
import type { Site as Content, SitePage } from '../content-folder/site.ts'
import { iconsOf } from '../domain/generated-picture.ts'
import type { PageId } from '../domain/ids.ts'
import type { SiteIdentity, Snapshot } from '../domain/live-page.ts'
import type { MediaSource } from '../domain/media.ts'
import { type Derived, newPage } from '../domain/page.ts'
import { redirectKey } from '../domain/redirect-path.ts'
import type { Release, ReleaseOp } from '../domain/release.ts'
import type { Addressed } from '../domain/route.ts'
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts'
import type { Skill } from '../domain/skill.ts'
import { SOCIAL_PATH } from '../domain/social-picture.ts'
import { deriveForRendering } from '../page-text/derive.ts'
import { withVariables } from '../page-text/page-variables.ts'
import { snapshotOf } from '../page-text/snapshot.ts'
import type { ClaimedRelease } from '../publish/decide/claimed-release.ts'
import { pageKeys, redirectPaths } from '../publish/pipeline/page-keys.ts'
import type { Site } from '../render/page/head-view.ts'
import type { FileDates } from './file-dates.ts'
import { namedMedia } from './pictures/named-media.ts'
import { socialPath } from './pictures/social-pictures.ts'
import { idOf } from './stable-ids.ts'
import type { BuildState } from './state/build-state.ts'
import type { BuiltPage } from './state/built-page.ts'
import type { PreviousState } from './state/previous-state.ts'
import { stampOf } from './state/state-ledger.ts'

/** The address and the key of a built site. */
export interface SiteAddress {
  /** Absolute URL of the path `/`, without a trailing slash. */
  readonly origin: string
  /** Id of the key that seals it in Data Mode; null otherwise. */
  readonly keyId: string | null
  /** Agent skills; undefined for none. Not optional, so that no caller forgets them. */
  readonly skills: readonly Skill[] | undefined
}

/** The releases that publish the pages. */
export function publishesOf(
  pages: readonly SitePage[],
  around: SharedSnapshot,
  { state, isWhole }: PreviousState,
  { now, datesOf }: { readonly now: string; readonly datesOf: (source: string) => FileDates },
): readonly ClaimedRelease[] {
  const { settings, site, media } = around
  const snapshots = pages.map((page) =>
    snapshotOfSource(page, {
      settings,
      site,
      media,
      parent: around.parentOf(page),
      feedId: around.feedGuidOf(page),
      dates: datesOf(page.generatedFrom ?? page.source),
    }),
  )
  const files = ownFiles(snapshots, state)
  return snapshots.map((snapshot, seq) => {
    const { id } = snapshot.page
    const built = state.pages.get(id) ?? null
    const release = claimedRelease('publish', snapshot, { built, isWhole, seq, now })
    const { createdAt, updatedAt } = snapshot.page
    return {
      ...release,
      firstPublishedAt: createdAt,
      publishedAt: updatedAt,
      file: files.get(id) ?? '',
      redirectFrom: redirectPaths(snapshot),
      formerPaths: formerPathsOf(built, state),
    }
  })
}

/** The key of each page's own file: the one it has, else the best that no other page has. */
function ownFiles(snapshots: readonly Snapshot[], { files }: BuildState): ReadonlyMap<PageId, string> {
  const namesOf = (snapshot: Snapshot) => pageKeys(snapshot)[0] ?? []
  const own = new Map<PageId, string>()
  for (const snapshot of snapshots) {
    const { id } = snapshot.page
    const held = namesOf(snapshot).find((key) => {
      const owner = files.get(key)?.owner
      return owner?.kind === 'page' && owner.id === id
    })
    if (held !== undefined) own.set(id, held)
  }
  const taken = new Set(own.values())
  for (const snapshot of snapshots.filter(({ page }) => !own.has(page.id))) {
    const free = namesOf(snapshot).find((key) => !taken.has(key)) ?? ''
    own.set(snapshot.page.id, free)
    taken.add(free)
  }
  return own
}

/** The parts that the snapshots of all pages share. */
export interface SharedSnapshot {
  readonly settings: Settings
  readonly site: SiteIdentity
  /** All images of the site. */
  readonly media: MediaSource
  parentOf(page: Pick<SitePage, 'parent'>): PageId | null
  /** The id in feeds of a page whose file states none; null for none. */
  feedGuidOf(page: SitePage): string | null
}

/** The pages among which parents are looked up. */
export interface PageLookup extends Pick<Content, 'name' | 'origin' | 'settings' | 'media'> {
  readonly pages: readonly Pick<SitePage, 'source' | 'subroute' | 'slug'>[]
}

export function sharedSnapshot(
  { name, origin, settings, pages, media = {} }: PageLookup,
  place: SiteAddress,
): SharedSnapshot {
  let sources: ReadonlyMap<string, string> | null = null
  return {
    // A folder has no server that answers agents, counts visits or completes pages.
    settings: {
      ...DEFAULT_SETTINGS,
      ...settings,
      mcp: DEFAULT_SETTINGS.mcp,
      mediaRefresh: DEFAULT_SETTINGS.mediaRefresh,
      visits: DEFAULT_SETTINGS.visits,
    },
    site: siteOfFolder(name, place, origin),
    feedGuidOf: (page) => unstatedFeedGuid(page, { origin, settings }),
    media,
    parentOf({ parent }) {
      if (parent === null) return null
      sources ??= new Map(pages.map((page) => [addressOf(page), page.source]))
      const source = sources.get(addressOf(parent))
      return source === undefined ? null : idOf('page', source)
    },
  }
}

/** The releases that unpublish pages removed from the folder. */
export function removalsOf(
  publishes: readonly ClaimedRelease[],
  { state, isWhole }: PreviousState,
  now: string,
): readonly ClaimedRelease[] {
  const staying = new Set(publishes.map(({ release }) => release.pageId))
  const of = publishes[0]?.release.snapshot ?? state.site
  if (of === null) return []
  return [...state.pages.values()]
    .filter(({ facts }) => !staying.has(facts.id))
    .map((built, index) => {
      const snapshot = formerSnapshot(built, of, now)
      return claimedRelease('unpublish', snapshot, { built, isWhole, seq: index, now })
    })
}

/** A snapshot of a removed page. Only its address is used. */
function formerSnapshot({ facts }: BuiltPage, { site, settings }: Site, now: string): Snapshot {
  const { title, slug, subroute, type } = facts
  const content = { title, slug, subroute, type, description: '', ogImageUrl: null, meta: {}, config: {} }
  const draft = { ...content, projectId: site.projectId, markdown: '', ownFields: {} }
  const page = newPage(draft, { id: facts.id, now, derive: deriveForRendering })
  return snapshotOf(page, settings, site)
}

/**
 * @param stated the address in `site.yaml`, from which the feed id follows even in a build with another one; null for
 *   none.
 */
function siteOfFolder(
  name: string,
  { origin, keyId, skills }: SiteAddress,
  stated: string | null,
): SiteIdentity {
  return {
    projectId: idOf('proj', name),
    name,
    origin,
    hostingMode: keyId === null ? 'full_host' : 'data_mode',
    keyId,
    feedId: `${stated ?? origin}/`,
    manifest: 'full',
    ...(skills !== undefined && { skills }),
  }
}

interface SnapshotContext extends Pick<SharedSnapshot, 'settings' | 'site' | 'media'> {
  readonly parent: PageId | null
  readonly feedId: string | null
  readonly dates: FileDates
}

/** The snapshot that publishes a page, without its content from other pages. */
export function snapshotOfSource(
  written: SitePage,
  { settings, site, media, parent, feedId, dates }: SnapshotContext,
): Snapshot {
  const { source, parent: _, draft: __, attachments: ___, ownFields, ...draft } = written
  const isDocs = draft.type === 'docs'
  const content = {
    ...draft,
    projectId: site.projectId,
    ownFields: { ...ownFields, ...(isDocs && { parentPage: parent }) },
  }
  const draftPage = newPage(content, {
    id: idOf('page', source),
    now: dates.edited,
    derive: () => UNDERIVED,
  })
  const dated = { ...draftPage, feedId, createdAt: dates.created, firstPublishedAt: dates.created }
  const page = { ...dated, ...deriveForRendering(dated) }
  const shown = withVariables(page, settings.variables)
  return snapshotOf(shown, settings, site, mediaOf(written, media) ?? undefined)
}

/** The media that a page shows, its image for link previews, and the icons; null for none. */
export function mediaOf(written: SitePage, media: MediaSource): MediaSource | null {
  const named = namedMedia(written, media)
  const social = media[socialPath(written.source)]
  const icons = iconsOf(media)
  if (social === undefined && icons === undefined) return named
  return { ...named, ...(social !== undefined && { [SOCIAL_PATH]: social }), ...icons }
}

/** Placeholder: the derived fields depend on the date of the first publish, which `newPage` does not take. */
const UNDERIVED: Derived = { wordCount: 0, tags: [], feedGuid: null, contentDigest: '' }

interface ReleaseContext {
  readonly built: BuiltPage | null
  readonly isWhole: boolean
  readonly seq: number
  readonly now: string
}

function claimedRelease(
  op: ReleaseOp,
  snapshot: Snapshot,
  { built, isWhole, seq, now }: ReleaseContext,
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
    deadlineAt: null,
  }
  const live = built === null ? null : liveRow(built, isWhole)
  return {
    release,
    file: '',
    redirectFrom: [],
    formerPaths: [],
    replaces: null,
    live,
    firstPublishedAt: null,
  }
}

/** If the files are not trusted, the line of the page is empty, so that it counts as changed. */
function liveRow(built: BuiltPage, isWhole: boolean): ClaimedRelease['live'] {
  const { line } = built.details()
  const feedId = built.card.feedId ?? null
  return { ...stampOf(built), facts: built.facts, line: isWhole ? line : '{}', feedId }
}

/** Paths at which the page was before and nothing else is. */
function formerPathsOf(built: BuiltPage | null, { files }: Pick<BuildState, 'files'>): readonly string[] {
  if (built === null) return []
  const { facts, details } = built
  const paths = [...new Set([facts.path, ...details().redirects])]
  return paths.filter((path) => files.get(redirectKey(path))?.owner?.id === facts.id)
}

/** Unique among the pages of a site. */
export function addressOf({ subroute, slug }: Addressed): string {
  return `${subroute}/${slug}`
}
