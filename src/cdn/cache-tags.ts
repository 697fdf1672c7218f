import { hash } from 'node:crypto'
import { type ProjectId, prefixed } from '../domain/ids.ts'

/* Tags of answers and objects, by which a CDN purges them. */

/** Hexadecimal digits of an object's tag. A clash would purge one object too many. */
const DIGITS = 16

/** The tag of everything of a site: the id of its project. */
export function siteTag(projectId: ProjectId): string {
  return prefixed('proj', projectId)
}

/** The tag of an object. Short and of plain characters, because caches limit both, and keys hold any script. */
export function objectTag(storageKey: string): string {
  return `o-${hash('sha256', storageKey, 'hex').slice(0, DIGITS)}`
}

/**
 * The tags of an answer: of its site, and of each object that was looked up for it, whether it exists or not. So an
 * answer 404 or a redirect is purged as soon as a page is published at its path.
 */
export function cacheTags(projectId: ProjectId, storageKeys: readonly string[]): readonly string[] {
  return [siteTag(projectId), ...new Set(storageKeys.map(objectTag))]
}

/** Tags as headers: of Fastly and Varnish, of Cloudflare and CloudFront, and of Bunny. */
export function cacheTagHeaders(tags: readonly string[]): Readonly<Record<string, string>> {
  const list = tags.join(',')
  return { 'Surrogate-Key': tags.join(' '), 'Cache-Tag': list, 'CDN-Tag': list }
}
