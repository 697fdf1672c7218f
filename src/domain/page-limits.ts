/* Limits of authors' texts, shared by the API, content folders and conversion. Lengths are in code points. */

export const MAX_TITLE_LENGTH = 200
export const MAX_DESCRIPTION_LENGTH = 500
export const MAX_AUTHOR_LENGTH = 200
/** The largest position of a `docs` page, and the smallest without its minus. */
export const MAX_NAV_ORDER = 1_000_000

export const MAX_TRANSLATION_KEY = 200
export const MAX_FEED_GUID = 500
