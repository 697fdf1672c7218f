import { safeUrl } from '../../domain/author-url.ts'
import { feedEntryId } from '../../domain/feed-id.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { listingFolder } from '../../domain/listing.ts'
import type { LiveCard, Snapshot } from '../../domain/live-page.ts'
import { localeOf } from '../../domain/locale.ts'
import type { MediaSource } from '../../domain/media.ts'
import { pathFolder } from '../../domain/route.ts'
import { tagAddress } from '../../domain/tag.ts'
import { splitFrontMatter } from '../../page-text/front-matter.ts'
import { normalizeImage } from '../../sections/image.ts'
import { mediaHref, namedFile } from '../links/links.ts'
import { mediaByAddress } from '../page/payload-files.ts'
import { truncateText } from '../page/truncate-text.ts'
import { enclosuresOf } from '../site-files/enclosures.ts'

const MAX_EXCERPT = 220

/**
 * The facts about a page that listings and `posts` sections show.
 *
 * @param path where the page is published.
 * @param date of the first publish, unless an article sets its own.
 */
export function liveCard(snapshot: Snapshot, path: string, date: string): LiveCard {
  const { page, fields, site } = snapshot
  const isSealed = site.hostingMode === 'data_mode'
  const folder = isSealed ? null : listingFolder(snapshot)
  const locale = localeOf({ ...snapshot, path })
  const enclosures = isSealed ? undefined : enclosuresOf(snapshot)
  // Sealed files have no address: readers find them by the address in the content.
  const media = isSealed ? mediaByAddress(snapshot.media) : snapshot.media
  const image = cardImage(snapshot.page, path, media)
  const imageMedia = isSealed ? mediaOf(image, snapshot.media) : undefined
  return {
    id: page.id,
    path,
    title: page.title,
    subroute: page.subroute,
    ...(locale !== null && { locale: locale.code }),
    type: page.type,
    ...(page.type === 'article' && !isSealed && { feedId: feedEntryId(page, site) }),
    excerpt: excerptOf(page),
    image,
    ...(imageMedia !== undefined && { media: imageMedia }),
    date: fields.publishDate ?? date,
    author: fields.author?.name ?? null,
    navOrder: fields.navOrder,
    isSealed,
    folder,
    slot: null,
    tags: folder === null ? NO_CARD_TAGS : cardTags(fields.tags),
    ...(folder !== null && bylineOf(fields.author)),
    ...(fields.series &&
      folder !== null && {
        series: { ...fields.series, address: tagAddress(fields.series.name) },
      }),
    ...(fields.changelog && folder !== null && { entry: { ...fields.changelog, html: null } }),
    ...(enclosures !== undefined && { enclosures }),
  }
}

function bylineOf(author: Snapshot['fields']['author']): Pick<LiveCard, 'byline'> {
  const address = author?.address
  return author === null || address === undefined
    ? {}
    : { byline: { name: author.name, address, slot: null } }
}

const NO_CARD_TAGS: LiveCard['tags'] = []

function cardTags(names: readonly string[]): LiveCard['tags'] {
  if (names.length === 0) return NO_CARD_TAGS
  return names.map((name) => ({ name, address: tagAddress(name), slot: null }))
}

function excerptOf({ description, meta }: Snapshot['page']): string | null {
  const text = (description || (meta.description ?? '')).trim()
  if (text === '') return null
  const cut = truncateText(text, MAX_EXCERPT)
  return text.length > MAX_EXCERPT ? `${cut}…` : cut
}

/** The cover image, else the image for social media. */
function cardImage(page: Snapshot['page'], path: string, media: MediaSource | undefined): JsonObject | null {
  const own = page.type === 'article' || page.type === 'item' ? ownImages(page) : []
  for (const candidate of [...own, page.ogImageUrl]) {
    const image = normalizeImage(candidate ?? null)
    if (image === null) continue
    const src = siteWideUrl(image['src'], path, media)
    if (src === null) continue
    const dark = siteWideUrl(image['dark'], path, media)
    const { dark: _, ...light } = image
    return { ...light, src, ...(dark === null ? {} : { dark }) }
  }
  return null
}

/** The files that an image shows; undefined for none. */
function mediaOf(image: JsonObject | null, media: MediaSource | undefined): MediaSource | undefined {
  const byAddress = mediaByAddress(media)
  const shown = [image?.['src'], image?.['dark']].flatMap((url) => {
    const path = typeof url === 'string' ? namedFile(url, byAddress)?.key : undefined
    const file = path === undefined ? undefined : media?.[path]
    return path === undefined || file === undefined ? [] : [[path, file] as const]
  })
  return shown.length === 0 ? undefined : Object.fromEntries(shown)
}

function ownImages({ config, markdown }: Snapshot['page']): readonly (JsonValue | undefined)[] {
  return [config['image'], splitFrontMatter(markdown).frontMatter['image']]
}

/** Rewrites an image URL so that other pages of the site can use it; null when it is unsafe. */
function siteWideUrl(
  written: JsonValue | undefined,
  path: string,
  media: MediaSource | undefined,
): string | null {
  const url = typeof written === 'string' ? safeUrl(written, 'image') : null
  const named = url === null ? null : mediaHref(url, media)
  if (named !== null) return named
  if (url === null || /^(?:\/|[a-z][a-z0-9+.-]*:)/i.test(url)) return url
  // Every relative URL is valid against this base.
  const { pathname, search } = new URL(url, `http://site.invalid/${pathFolder(path)}`)
  return pathname + search
}
