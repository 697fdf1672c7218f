import { prefixed, type ReleaseId } from './ids.ts'
import type { JsonObject } from './json.ts'
import type { Page } from './page.ts'
import { putsLive, type Release } from './release.ts'
import { publicUrlPath } from './route.ts'
import type { EventType, NewEvent } from './webhook.ts'

/** A page as events describe it; `url` is absolute. */
export interface EventPage extends Pick<Page, 'id' | 'projectId' | 'title' | 'slug' | 'subroute' | 'type'> {
  readonly status: Page['status'] | 'deleted'
  readonly url: string
}

/** An event about the stored page, not about its live version. */
export function storedEvent(
  type: 'page.created' | 'page.updated' | 'page.deleted',
  page: EventPage & Pick<Page, 'publishedAt'>,
  timestamp: string,
): NewEvent {
  return event(type, page, timestamp, { published_at: page.publishedAt }, null)
}

/** Events of a release that succeeded, in order. */
export function eventsOfRelease(release: Release, now: string): readonly NewEvent[] {
  const { op, outcome, snapshot, statusAfter } = release
  // The page says what it said before.
  if (op === 'refresh') return []
  const { page, settings, site } = snapshot
  const url = outcome?.url ?? site.origin + publicUrlPath(page, settings.siteRoutes)
  const described: EventPage = { ...page, status: statusAfter ?? 'deleted', url }
  if (putsLive(release)) {
    const when = { published_at: outcome?.publishedAt ?? now }
    const releaseId = outcome?.releaseId ?? release.id
    const published = event('page.published', described, now, when, releaseId)
    return op === 'rollback'
      ? [published, event('release.rolled_back', described, now, when, releaseId)]
      : [published]
  }
  const wasLive = outcome?.changed === true
  return [
    ...(wasLive ? [event('page.unpublished', described, now, { unpublished_at: now }, release.id)] : []),
    ...(statusAfter === null
      ? [storedEvent('page.deleted', { ...described, publishedAt: page.publishedAt }, now)]
      : []),
  ]
}

function event(
  type: EventType,
  { id, projectId, title, slug, subroute, type: pageType, status, url }: EventPage,
  timestamp: string,
  when: JsonObject,
  releaseId: ReleaseId | null,
): NewEvent {
  return {
    type,
    timestamp,
    data: {
      project_id: prefixed('proj', projectId),
      page_id: prefixed('page', id),
      page_name: title,
      slug,
      subroute,
      page_type: pageType,
      status,
      url,
      ...when,
      release_id: releaseId && prefixed('rel', releaseId),
    },
  }
}
