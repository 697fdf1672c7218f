import type { PageWarning } from '../../domain/diagnostic.ts'
import { followsPath, isIri } from '../../domain/feed-id.ts'
import type { LivePage } from '../../domain/live-page.ts'

/** Warnings about the id that feeds have of an article. */
export function feedIdWarnings({
  page: { type, feedGuid, feedId },
  fields,
  path,
}: Pick<LivePage, 'page' | 'fields' | 'path'>): readonly PageWarning[] {
  if (type !== 'article') return []
  if (feedGuid !== null)
    return isIri(feedGuid)
      ? []
      : [
          feedIdWarning(
            `${JSON.stringify(feedGuid.slice(0, 200))} is no address, as ids in feeds are. Feeds have it as it is, because readers compare texts, but do not validate.`,
          ),
        ]
  return feedId !== null && followsPath(feedId, path) && fields.redirectFrom.length > 0
    ? [
        feedIdWarning(
          `The article has moved, and readers of feeds show it again, because it states no guid. Its id is ${feedId} now. "quoin feeds pin" writes the ids of articles into their files before they move.`,
        ),
      ]
    : []
}

export function feedIdWarning(message: string): PageWarning {
  return { code: 'QN-FEED-ID', at: 'feed_guid', message }
}
