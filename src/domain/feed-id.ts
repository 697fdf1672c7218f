import { dayOf } from './date.ts'
import { type PageId, type ProjectId, prefixed } from './ids.ts'
import type { SiteIdentity } from './live-page.ts'
import type { Page } from './page.ts'
import { urlPath } from './route.ts'
import type { Settings } from './settings.ts'

/*
 * The ids of feeds and of their entries. Readers compare them as texts, and show an entry with another id again, so an
 * id never changes with an address. Source: RFC 4287, 4.2.6.
 */

/** The id of a page in every feed that has it. */
export function feedEntryId(
  { id, feedGuid, feedId }: Pick<Page, 'id' | 'feedGuid' | 'feedId'>,
  site: SiteIdentity,
): string {
  return feedGuid ?? feedId ?? formerEntryId(id, site)
}

/** The id that feeds have shown of a page before ids were stored. */
export function formerEntryId(id: PageId, site: Pick<SiteIdentity, 'origin' | 'feedId'>): string {
  return `${baseOf(site)}#${prefixed('page', id)}`
}

/**
 * The id of a feed of the site.
 *
 * @param folder of the list that the feed is of; empty for that of the site.
 */
export function feedIdOf(
  { feedGuid }: Pick<Settings, 'feedGuid'>,
  site: SiteIdentity,
  folder: string,
): string {
  const own = feedGuid ?? baseOf(site)
  return folder === '' ? own : `${own.replace(/\/$/, '')}/${urlPath(folder)}`
}

/** The id of the feed of a site of which none was stored: it is that of before ids were stored. */
function baseOf({ origin, feedId }: Pick<SiteIdentity, 'origin' | 'feedId'>): string {
  return feedId ?? `${origin}/`
}

/** The id that a page gets with its first publish. @param now ISO 8601 UTC. */
export function newEntryId(origin: string, projectId: ProjectId, id: PageId, now: string): string {
  return tagUri(origin, dayOf(now), `${prefixed('proj', projectId)}/${prefixed('page', id)}`)
}

/** The id that the feed of a project gets with its first publish. @param now ISO 8601 UTC. */
export function newSiteFeedId(origin: string, projectId: ProjectId, now: string): string {
  return tagUri(origin, dayOf(now), prefixed('proj', projectId))
}

/** A day on which every site may have had its address, for articles without a date. */
const UNDATED = '2000-01-01'

/**
 * The id of an article of a content folder that states none. It is the same on every machine and at every address.
 *
 * @param origin that `site.yaml` names; null for none.
 * @param publishDate that the file names; null for none.
 */
export function folderEntryId(origin: string | null, publishDate: string | null, path: string): string {
  return tagUri(origin, publishDate === null ? UNDATED : dayOf(publishDate), urlPath(path))
}

/** Reports whether an id is the result of `folderEntryId` for a page at this path. */
export function followsPath(id: string, path: string): boolean {
  return id.endsWith(`:${urlPath(path)}`)
}

/** Reports whether an id has the form of generated ones, which articles without an id get. */
export function isGivenForm(id: string): boolean {
  return /^tag:[^,]+,\d{4}-\d\d-\d\d:/.test(id)
}

/** Returns a tag URI. Source: RFC 4151. A network address is no name that a site has on a day, nor is an absent one. */
function tagUri(origin: string | null, day: string, rest: string): string {
  return `tag:${nameOf(origin)},${day}:${rest}`
}

function nameOf(origin: string | null): string {
  const host = origin === null ? 'localhost' : new URL(origin).hostname
  return /^\[|^\d+(?:\.\d+){3}$/.test(host) ? 'localhost' : host
}

/** Reports whether feeds may have the text as an id. Others are written as they are. Source: RFC 3987, in outline. */
export function isIri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?:[^\s"<>\\^`{|}%]|%[0-9a-f]{2})+$/i.test(text)
}
