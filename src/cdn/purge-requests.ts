import type { Message } from '../webhooks/send.ts'
import type { CdnTarget, PurgeTarget } from './purge-target.ts'

/** Tags, URLs and prefixes to purge. */
export interface Purge {
  readonly tags: readonly string[]
  /** Absolute and percent-encoded. */
  readonly urls: readonly string[]
  /** URLs below which everything is purged, without a trailing slash. */
  readonly prefixes: readonly string[]
}

/** Tags per request that Fastly and Cloudflare accept. */
const FASTLY_TAGS = 256
const CLOUDFLARE_TAGS = 100
/** URLs and prefixes per request that Cloudflare accepts on every plan. */
const CLOUDFLARE_URLS = 30
/** Paths of an invalidation. CloudFront accepts 3,000 in progress. */
const CLOUDFRONT_PATHS = 1_000
/** Tags and URLs of a webhook: its headers stay below the 8 KiB that Varnish reads of one. */
const WEBHOOK_TAGS = 200
const WEBHOOK_URLS = 1_000

const JSON_TYPE = 'application/json'

/**
 * The requests that purge a CDN. Pure. Those of CloudFront still have to be signed.
 *
 * @param reference unique for each call: CloudFront ignores a second request with the same one.
 */
export function purgeRequests(target: PurgeTarget, purge: Purge, reference: string): readonly Message[] {
  switch (target.service) {
    case 'fastly':
      return inChunks(purge.tags, FASTLY_TAGS).map((tags) =>
        post(
          `${target.endpoint}/service/${target.id}/purge`,
          { surrogate_keys: tags },
          {
            'Fastly-Key': target.token ?? '',
            Accept: JSON_TYPE,
          },
        ),
      )
    case 'cloudflare':
      return cloudflareBodies(target, purge).map((body) =>
        post(`${target.endpoint}/client/v4/zones/${target.id}/purge_cache`, body, bearer(target.token)),
      )
    case 'bunny':
      return bunnyRequests(target, purge)
    case 'cloudfront':
      return inChunks(cloudfrontItems(target, purge), CLOUDFRONT_PATHS).map((items, index) =>
        invalidation(target, items, `${reference}-${index}`),
      )
    case 'webhook':
      return webhookParts(purge).map((part) =>
        post(target.url, part, {
          ...bearer(target.token),
          // A header too, for caches that do not read bodies.
          ...(part.tags.length > 0 && { 'Surrogate-Key': part.tags.join(' ') }),
        }),
      )
  }
}

function cloudflareBodies({ by }: CdnTarget, { tags, urls, prefixes }: Purge): readonly object[] {
  if (by === 'tags') return inChunks(tags, CLOUDFLARE_TAGS).map((chunk) => ({ tags: chunk }))
  const bare = prefixes.map((prefix) => prefix.replace(/^https?:\/\//, ''))
  return [
    ...inChunks(urls, CLOUDFLARE_URLS).map((chunk) => ({ files: chunk })),
    ...inChunks(bare, CLOUDFLARE_URLS).map((chunk) => ({ prefixes: chunk })),
  ]
}

/** Bunny purges one tag or URL with each request. */
function bunnyRequests(
  { endpoint, id, token, by }: CdnTarget,
  { tags, urls, prefixes }: Purge,
): readonly Message[] {
  const headers = { AccessKey: token ?? '' }
  if (by === 'tags')
    return tags.map((tag) => post(`${endpoint}/pullzone/${id}/purgeCache`, { CacheTag: tag }, headers))
  return [...urls, ...prefixes.map((prefix) => `${prefix}/*`)].map((url) =>
    post(`${endpoint}/purge?url=${encodeURIComponent(url)}&exactPath=true`, {}, headers),
  )
}

/** A distribution may have several hosts; its paths count on all of them. */
function cloudfrontItems({ by }: CdnTarget, { tags, urls, prefixes }: Purge): readonly string[] {
  if (by === 'tags') return tags.map((tag) => `#${tag}`)
  return [
    ...new Set([...urls.map(pathOf), ...prefixes.map((prefix) => `${pathOf(prefix).replace(/\/$/, '')}/*`)]),
  ]
}

function pathOf(url: string): string {
  return new URL(url).pathname
}

function invalidation({ endpoint, id }: CdnTarget, items: readonly string[], reference: string): Message {
  const paths = items.map((item) => `<Path>${escapeXml(item)}</Path>`).join('')
  return {
    url: new URL(`${endpoint}/2020-05-31/distribution/${id}/invalidation`),
    headers: { 'Content-Type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?><InvalidationBatch xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Paths><Quantity>${items.length}</Quantity><Items>${paths}</Items></Paths><CallerReference>${escapeXml(reference)}</CallerReference></InvalidationBatch>`,
  }
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function webhookParts({ tags, urls, prefixes }: Purge): readonly Purge[] {
  const tagChunks = inChunks(tags, WEBHOOK_TAGS)
  const urlChunks = inChunks(urls, WEBHOOK_URLS)
  return Array.from({ length: Math.max(tagChunks.length, urlChunks.length) }, (_, index) => ({
    tags: tagChunks[index] ?? [],
    urls: urlChunks[index] ?? [],
    prefixes: index === 0 ? prefixes : [],
  }))
}

function bearer(token: string | null): Readonly<Record<string, string>> {
  return token === null ? {} : { Authorization: `Bearer ${token}` }
}

function post(url: string, body: object, headers: Readonly<Record<string, string>>): Message {
  return { url: new URL(url), headers: { 'Content-Type': JSON_TYPE, ...headers }, body: JSON.stringify(body) }
}

function inChunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
