import {
  COLLECTION_SORTS,
  type CollectionQuery,
  GROUPINGS,
  type Grouping,
  SHOWN_PARTS,
  type ShownPart,
} from '../domain/collection.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import type { ListedPage } from '../domain/live-page.ts'
import { PAGE_TYPES, type PageType } from '../domain/page.ts'
import { readSubroute } from '../domain/route.ts'
import type { Section } from '../domain/section.ts'
import { tagAddress } from '../domain/tag.ts'
import { matchType } from './catalogue.ts'
import { normalizeSection } from './normalize.ts'
import { choiceIn, numberIn, textIn, textsIn } from './values.ts'

const DEFAULT_LIMIT = 6
/** Pages of a list with headings: the archive of a blog of ten years. */
const ARCHIVE_LIMIT = 500

/** Returns null for a list without headings. */
export function groupingIn(props: JsonObject): Grouping | null {
  return choiceIn(props, 'group_by', GROUPINGS)
}

function isCollection({ type, known }: Pick<Section, 'type' | 'known'>): boolean {
  return known && type === 'posts'
}

/** Such a section is omitted, because its heading would announce nothing. */
export function isEmptyCollection(section: Section, posts: readonly ListedPage[]): boolean {
  return isCollection(section) && posts.length === 0
}

/**
 * Queries of the visible `posts` sections.
 *
 * @param sections as sent by the client.
 * @param ofSealed whether the page is sealed.
 */
export function collectionQueries(
  sections: readonly JsonValue[],
  ofSealed: boolean,
): readonly CollectionQuery[] {
  return sections.flatMap((written, section) => {
    const type = isJsonObject(written) ? written['type'] : null
    if (typeof type !== 'string' || !isCollection(matchType(type))) return []
    const { props } = normalizeSection(written)
    return props['hidden'] === true ? [] : [{ section, ...queryOf(props, type), ofSealed }]
  })
}

function queryOf(props: JsonObject, written: string): Omit<CollectionQuery, 'section' | 'ofSealed'> {
  const type = choiceIn(props, 'page_type', PAGE_TYPES) ?? defaultPageType(written)
  return {
    type,
    subroute: subrouteIn(props),
    sort: choiceIn(props, 'sort', COLLECTION_SORTS) ?? 'published_at',
    ...(props['reverse'] === true && { isReversed: true }),
    ...filtersIn(props),
    limit: numberIn(props, 'limit') ?? (groupingIn(props) === null ? DEFAULT_LIMIT : ARCHIVE_LIMIT),
    shows: SHOWN_PARTS.filter((part) => shows(part, type, props)),
  }
}

/** Names without a letter or digit are ignored. */
function filtersIn(props: JsonObject): Pick<CollectionQuery, 'tags' | 'author'> {
  const tags = textsIn(props, 'tags').map(tagAddress).filter(Boolean)
  const author = tagAddress(textIn(props, 'author') ?? '')
  return { ...(tags.length > 0 && { tags }), ...(author !== '' && { author }) }
}

/** `items-grid` without a page type lists items. */
function defaultPageType(written: string): PageType {
  return /^[^a-z0-9]*items?[^a-z0-9]/i.test(written) ? 'item' : 'article'
}

/** Returns null for all subroutes. An invalid one finds no pages. */
function subrouteIn(props: JsonObject): string | null {
  const written = textIn(props, 'subroute')
  return written === null ? null : (readSubroute(written, 'wide') ?? written)
}

/** Dates are shown by default where pages are news, and always where they are the headings of the list. */
function shows(part: ShownPart, type: PageType, props: JsonObject): boolean {
  if (part === 'date' && groupingIn(props) !== null) return true
  const explicit = props[`show_${part}`]
  return typeof explicit === 'boolean' ? explicit : part !== 'date' || type === 'article'
}
