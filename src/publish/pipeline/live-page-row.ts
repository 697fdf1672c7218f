import type { Artifact } from '../../domain/artifact.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import { iconsOf, withoutGeneratedPictures } from '../../domain/generated-picture.ts'
import type { LivePage, PlacedPage } from '../../domain/live-page.ts'
import { feedLocale, type Locale } from '../../domain/locale.ts'
import { fileAt } from '../../domain/media.ts'
import { notFoundKey } from '../../domain/not-found-page.ts'
import { ownTheme } from '../../domain/page.ts'
import type { ReleaseOutcome } from '../../domain/release.ts'
import { type Addressed, urlPath } from '../../domain/route.ts'
import { type FeedEntry, newestEntryFirst, type SiteLines } from '../../domain/site-lines.ts'
import { SOCIAL_PATH } from '../../domain/social-picture.ts'
import type { LiveDigests } from '../../domain/staleness.ts'
import { isOldVersion } from '../../domain/version.ts'
import { queriesOf } from '../../render/listing/collections.ts'
import type { RenderedPage } from '../../render/page/render-page.ts'
import { FEED_LENGTH } from '../../render/site-files/feeds.ts'
import { llmsLine } from '../../render/site-files/llms.ts'
import { manifestLine } from '../../render/site-files/manifest.ts'
import { sitemapLine } from '../../render/site-files/sitemap.ts'
import type { Renderer } from '../../renderer/renderer.ts'
import type { ClaimedRelease } from '../decide/claimed-release.ts'
import type { IndexLine, LiveFeedEntry, LivePageRow } from '../ledger/live-state.ts'
import {
  collectionDigest,
  hostingDigest,
  mediaDigest,
  navDigest,
  neighboursDigest,
  settingsDigest,
  translationsDigest,
} from './digests.ts'
import { digestOf, sha256 } from './plan.ts'
import type { PageToRender } from './projected-site.ts'

/** A page of a batch after rendering, or after restoring it from stored bytes. */
export interface RenderedRelease extends PageToRender {
  readonly rendered: RenderedPage
  readonly digests: LiveDigests
  readonly feed: FeedEntry | null
}

/** Row of the page for the commit. */
export function livePageRow(page: RenderedRelease, redirects: readonly string[], now: string): LivePageRow {
  return {
    pageId: page.facts.id,
    releaseId: page.claimed.release.id,
    facts: page.facts,
    card: page.card,
    lines: linesOf(page, page.claimed.publishedAt ?? now),
    feed: page.feed,
    search: page.rendered.search,
    digests: page.digests,
    redirects,
    anchors: page.rendered.anchors,
    objects: page.rendered.artifacts.map(objectOf),
  }
}

/** Pages share the artifacts of a theme: their entries are shared too. */
const objects = new WeakMap<Artifact, LivePageRow['objects'][number]>()

function objectOf(artifact: Artifact): LivePageRow['objects'][number] {
  const known = objects.get(artifact)
  if (known !== undefined) return known
  const { key, stage } = artifact
  const object = { key, stage, digest: digestOf(artifact) }
  if (stage === 'asset') objects.set(artifact, object)
  return object
}

/** Replaces the lines of the touched pages by those of `pages`; a page without one is removed. */
export function mergeIndexLines(
  lines: readonly IndexLine[],
  touched: ReadonlySet<string>,
  pages: readonly LivePageRow[],
): readonly IndexLine[] {
  const unchanged = lines.filter(({ pageId }) => !touched.has(pageId))
  const added = pages.map(
    ({ pageId, facts: { subroute, slug, translated }, lines: { line, sitemap, llms } }) => {
      return { pageId, subroute, slug, line, sitemap, llms, ...(translated !== undefined && { translated }) }
    },
  )
  return inIndexOrder([...unchanged, ...added])
}

/** Sorts by subroute, then slug, by code unit: the order of the indexes and of the database. */
export function inIndexOrder<Line extends Addressed>(lines: readonly Line[]): readonly Line[] {
  return [...lines].sort(bySubrouteThenSlug)
}

/** Replaces the feed entries of the touched pages by those of `pages`, newest first, at most `FEED_LENGTH` in each language. */
export function mergeFeed(
  entries: readonly LiveFeedEntry[],
  touched: ReadonlySet<string>,
  pages: readonly LivePageRow[],
  locales: readonly Locale[],
): readonly FeedEntry[] {
  const unchanged = entries.filter(({ pageId }) => !touched.has(pageId))
  const added = pages.flatMap(({ pageId, feed }) => (feed === null ? [] : [{ pageId, entry: feed }]))
  const counts = new Map<Locale | null, number>()
  const sorted = [...unchanged, ...added].sort((a, b) =>
    newestEntryFirst(
      { page: a.pageId, published: a.entry.published },
      { page: b.pageId, published: b.entry.published },
    ),
  )
  return sorted.flatMap(({ entry }) => {
    const locale = feedLocale(entry, locales)
    const count = (counts.get(locale) ?? 0) + 1
    counts.set(locale, count)
    return count <= FEED_LENGTH ? [entry] : []
  })
}

function linesOf(page: RenderedRelease, now: string): SiteLines {
  const { placed } = page
  // Readers of the sitemap and llms.txt cannot read sealed pages.
  const readable = placed.site.keyId === null
  const [sitemap, llms] = readable
    ? [sitemapLine(placed), hasLlmsLine(placed) ? llmsLine(placed) : null]
    : [null, null]
  return {
    line: flattened(lineOf(page, now)),
    sitemap: sitemap && flattened(sitemap),
    llms: llms && flattened(llms),
  }
}

/** Language models would mix what old versions say with the latest one. */
function hasLlmsLine({ path, settings }: PlacedPage): boolean {
  return notFoundKey(path, settings) === null && !isOldVersion(path, settings)
}

/** Returns the same text as a flat string. V8 stores a concatenation as a tree, 32 bytes per node, until a character is read. */
function flattened(text: string): string {
  return text.charCodeAt(0) >= 0 ? text : ''
}

export function publishedOutcome(
  { claimed: { release, publishedAt }, placed, rendered }: RenderedRelease,
  now: string,
): ReleaseOutcome {
  return {
    publishedAt: publishedAt ?? now,
    url: absoluteUrl(placed),
    releaseId: release.id,
    changed: true,
    warnings: rendered.warnings.map(withShortText),
  }
}

/** UTF-16 code units of the author's text in a warning: enough to find it in its file. */
const MAX_WRITTEN = 200

function withShortText({ code, at, message, written }: PageWarning): PageWarning {
  return { code, at, message, ...(written && { written: written.slice(0, MAX_WRITTEN) }) }
}

/** The outcome of a publish without a change: that of the live release. */
export function unchangedOutcome(page: RenderedRelease, now: string): ReleaseOutcome {
  const { live, release } = page.claimed
  return {
    ...publishedOutcome(page, live?.publishedAt ?? now),
    releaseId: live?.releaseId ?? release.id,
    changed: false,
  }
}

/** The outcome of an unpublish or deletion; its URL is the previous one. */
export function removedOutcome({ release, live }: ClaimedRelease): ReleaseOutcome {
  const url = live && release.snapshot.site.origin + urlPath(live.facts.path)
  return { publishedAt: null, url, releaseId: release.id, changed: true, warnings: [] }
}

export function lineOf(page: RenderedRelease, publishedAt: string): string {
  return manifestLine(page.placed, { publishedAt, etag: etagOf(page) })
}

/** Identifies the content of a page. In Data Mode it depends on the release alone: a digest of the content could be guessed. */
function etagOf({ claimed, placed, facts, rendered }: RenderedRelease): string {
  const file = rendered.artifacts.find(({ key }) => key === placed.file)
  if (file === undefined) throw new Error(`Rendering page ${facts.id} wrote no page file.`)
  const digest = placed.site.keyId === null ? digestOf(file) : sha256(claimed.release.id)
  return digest.slice(0, 32)
}

/** Reports whether two index lines are equal apart from their times and etag. */
export function isSameLine(one: string, other: string): boolean {
  return withoutTimes(one) === withoutTimes(other)
}

function withoutTimes(line: string): string {
  const { published_at: _, updated_at: __, etag: ___, ...rest } = JSON.parse(line)
  return JSON.stringify(rest)
}

/** Digests of all inputs of a page. A live page is stale when they differ from its current ones. */
export function liveDigests(live: LivePage, renderer: Renderer): LiveDigests {
  const { page, settings, site, context, path } = live
  const media = withoutGeneratedPictures(live.media)
  const icons = iconsOf(live.media)
  const social = fileAt(live.media, SOCIAL_PATH)
  const queries = queriesOf(live)
  const own = ownTheme(page)
  const theme = own ?? settings.theme
  return {
    path,
    content: page.contentDigest,
    settings: settingsDigest(settings, site),
    ownTheme: own,
    theme: `${theme} ${renderer.themeDigest(theme)}`,
    // Sealed pages carry no navigation.
    nav: site.keyId === null ? navDigest(context.docs) : null,
    collection: queries.length === 0 ? null : { queries, digest: collectionDigest(context.collections) },
    neighbours: neighboursDigest(context.neighbours),
    ...(site.keyId === null && translationsDigest(context)),
    ...(media !== undefined && { media: mediaDigest(media) }),
    ...(social !== null && { social: social.key }),
    ...(icons !== undefined && {
      icons: Object.values(icons)
        .map(({ key }) => key)
        .join(' '),
    }),
    hosting: hostingDigest(site),
  }
}

function bySubrouteThenSlug(a: Addressed, b: Addressed): number {
  if (a.subroute !== b.subroute) return a.subroute < b.subroute ? -1 : 1
  return a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0
}

function absoluteUrl({ site, path }: PlacedPage): string {
  return path === '/' ? `${site.origin}/` : site.origin + urlPath(path)
}
