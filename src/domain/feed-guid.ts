import { MAX_FEED_GUID } from './page-limits.ts'

/** A text that a page states as its id; null for one that none can have. */
export function readFeedGuid(value: unknown): string | null {
  const text = typeof value === 'string' ? value : ''
  return text !== '' && [...text].length <= MAX_FEED_GUID && !/\p{Cc}/u.test(text) ? text : null
}
