import type { Artifact } from '../../domain/artifact.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import type { LivePage, PlacedPage } from '../../domain/live-page.ts'
import type { ReleaseOutcome } from '../../domain/release.ts'
import type { Addressed } from '../../domain/route.ts'
import { type FeedEntry, newestEntryFirst, type SiteLines } from '../../domain/site-lines.ts'
import type { LiveDigests } from '../../domain/staleness.ts'
import { queriesOf } from '../../render/listing/collections.ts'
import type { RenderedPage } from '../../render/page/render-page.ts'
import { FEED_LENGTH } from '../../render/site-files/feeds.ts'
import { llmsLine } from '../../render/site-files/llms.ts'
import { manifestLine } from '../../render/site-files/manifest.ts'
import { sitemapLine } from '../../render/site-files/sitemap.ts'
import type { Renderer } from '../../renderer/renderer.ts'
import type { IndexLine, LiveFeedEntry, LivePageRow } from '../ledger/live-state.ts'
import type { ClaimedRelease } from '../ledger/release-queue.ts'
import { collectionDigest, hostingDigest, navDigest, settingsDigest } from './digests.ts'
import { digestOf, sha256 } from './plan.ts'
import type { PageToRender } from './projected-site.ts'

/* What is written down of a page that goes live, and what its caller is told. */

export interface RenderedRelease extends PageToRender {
  readonly rendered: RenderedPage
  readonly digests: LiveDigests
  readonly feed: FeedEntry | null
}

/** The page's row among the live ones. */
export function livePageRow(page: RenderedRelease, redirects: readonly string[], now: string): LivePageRow {
  return {
    pageId: page.facts.id,
    releaseId: page.claimed.release.id,
    facts: page.facts,
    card: page.card,
    lines: linesOf(page, now),
    feed: page.feed,
    search: page.rendered.search,
    digests: page.digests,
    redirects,
    anchors: page.rendered.anchors,
    objects: page.rendered.artifacts.map(objectOf),
  }
}

/** What many pages bring along is the same object, and so is what is said of it. */
const objects = new WeakMap<Artifact, LivePageRow['objects'][number]>()

function objectOf(artifact: Artifact): LivePageRow['objects'][number] {
  const known = objects.get(artifact)
  if (known !== undefined) return known
  const { key, stage } = artifact
  const object = { key, stage, digest: digestOf(artifact) }
  if (stage === 'asset') objects.set(artifact, object)
  return object
}

/** What the site's files say once the pages touched have theirs, or none. */
export function mergeIndexLines(
  lines: readonly IndexLine[],
  touched: ReadonlySet<string>,
  pages: readonly LivePageRow[],
): readonly IndexLine[] {
  const kept = lines.filter(({ pageId }) => !touched.has(pageId))
  const added = pages.map(({ pageId, facts: { subroute, slug }, lines: { line, sitemap, llms } }) => {
    return { pageId, subroute, slug, line, sitemap, llms }
  })
  return inIndexOrder([...kept, ...added])
}

/** As indexes name pages: by subroute, then slug, by code unit, as the database sorts. */
export function inIndexOrder<Line extends Addressed>(lines: readonly Line[]): readonly Line[] {
  return [...lines].sort(bySubrouteThenSlug)
}

/** The newest articles once the pages touched have their entry, or none. */
export function mergeFeed(
  entries: readonly LiveFeedEntry[],
  touched: ReadonlySet<string>,
  pages: readonly LivePageRow[],
): readonly FeedEntry[] {
  const kept = entries.filter(({ pageId }) => !touched.has(pageId)).map(({ entry }) => entry)
  const added = pages.flatMap(({ feed }) => feed ?? [])
  return [...kept, ...added].sort(newestEntryFirst).slice(0, FEED_LENGTH)
}

function linesOf(page: RenderedRelease, now: string): SiteLines {
  const { placed } = page
  // There is nothing to read of what is sealed.
  const readable = placed.site.keyId === null
  const [sitemap, llms] = readable ? [sitemapLine(placed), llmsLine(placed)] : [null, null]
  return {
    line: inOnePiece(lineOf(page, now)),
    sitemap: sitemap && inOnePiece(sitemap),
    llms: llms && inOnePiece(llms),
  }
}

/** The same text. What is put together V8 keeps as a tree of its parts, 32 bytes a joint, until a letter of it is read. */
function inOnePiece(text: string): string {
  return text.charCodeAt(0) >= 0 ? text : ''
}

export function publishedOutcome(
  { claimed: { release }, placed, rendered }: RenderedRelease,
  now: string,
): ReleaseOutcome {
  return {
    publishedAt: now,
    url: absoluteUrl(placed),
    releaseId: release.id,
    changed: true,
    warnings: rendered.warnings.map(toldLater),
  }
}

/** Enough of what was written to find it in its file. */
const LONGEST_WRITTEN = 200

function toldLater({ code, at, message, written }: PageWarning): PageWarning {
  return { code, at, message, ...(written && { written: written.slice(0, LONGEST_WRITTEN) }) }
}

/** Nothing had changed: the answer repeats what the live release says. */
export function unchangedOutcome(page: RenderedRelease, now: string): ReleaseOutcome {
  const { live, release } = page.claimed
  return {
    ...publishedOutcome(page, live?.publishedAt ?? now),
    releaseId: live?.releaseId ?? release.id,
    changed: false,
  }
}

/** Its URL is where the page was. */
export function removedOutcome({ release, live }: ClaimedRelease): ReleaseOutcome {
  const url = live && release.snapshot.site.origin + live.facts.path
  return { publishedAt: null, url, releaseId: release.id, changed: true, warnings: [] }
}

export function lineOf(page: RenderedRelease, publishedAt: string): string {
  return manifestLine(page.placed, { publishedAt, etag: etagOf(page) })
}

/** Of what is sealed not even a digest is told, which could be guessed at: only which release it is. */
function etagOf({ claimed, placed, facts, rendered }: RenderedRelease): string {
  const file = rendered.artifacts.find(({ key }) => key === placed.file)
  if (file === undefined) throw new Error(`Rendering page ${facts.id} wrote no file of its own.`)
  const digest = placed.site.keyId === null ? digestOf(file) : sha256(claimed.release.id)
  return digest.slice(0, 32)
}

/** Whether two lines say the same of a page, its times and tag left aside. */
export function isSameLine(one: string, other: string): boolean {
  return timeless(one) === timeless(other)
}

function timeless(line: string): string {
  const { published_at: _, updated_at: __, etag: ___, ...rest } = JSON.parse(line)
  return JSON.stringify(rest)
}

/** What the page goes live with, to be compared with what it would go live with later. */
export function liveDigests(live: LivePage, renderer: Renderer): LiveDigests {
  const { page, settings, site, context, path } = live
  const queries = queriesOf(live)
  const ownTheme = renderer.ownTheme(page)
  const theme = ownTheme ?? settings.theme
  return {
    path,
    content: page.contentDigest,
    settings: settingsDigest(settings, site),
    ownTheme,
    theme: `${theme} ${renderer.themeDigest(theme)}`,
    // Navigation stands in a page's HTML only.
    nav: site.keyId === null ? navDigest(context.docs) : null,
    collection: queries.length === 0 ? null : { queries, digest: collectionDigest(context.collections) },
    hosting: hostingDigest(site),
  }
}

function bySubrouteThenSlug(a: Addressed, b: Addressed): number {
  if (a.subroute !== b.subroute) return a.subroute < b.subroute ? -1 : 1
  return a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0
}

function absoluteUrl({ site, path }: PlacedPage): string {
  return path === '/' ? `${site.origin}/` : site.origin + path
}
