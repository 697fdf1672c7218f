import { COLLECTION_SORTS, type CollectionQuery, SHOWN_PARTS, type ShownPart } from '../domain/collection.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import type { ListedPage } from '../domain/live-page.ts'
import { PAGE_TYPES, type PageType } from '../domain/page.ts'
import { readSubroute } from '../domain/route.ts'
import type { Section } from '../domain/section.ts'
import { matchType } from './catalogue.ts'
import { normalizeSection } from './normalize.ts'
import { choiceIn, numberIn, textIn } from './values.ts'

const LIMIT = 6

function isCollection({ type, known }: Pick<Section, 'type' | 'known'>): boolean {
  return known && type === 'posts'
}

/** A heading above nothing would promise what is not there: such a section is left out. */
export function isEmptyCollection(section: Section, posts: readonly ListedPage[]): boolean {
  return isCollection(section) && posts.length === 0
}

/**
 * What the `posts` sections among these ask for; hidden ones ask for nothing.
 *
 * @param sections as they were sent.
 * @param ofSealed whether the page that holds them is sealed.
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
  const type = choiceIn(props, 'page_type', PAGE_TYPES) ?? typeNamed(written)
  return {
    type,
    subroute: subrouteIn(props),
    sort: choiceIn(props, 'sort', COLLECTION_SORTS) ?? 'published_at',
    limit: numberIn(props, 'limit') ?? LIMIT,
    shows: SHOWN_PARTS.filter((part) => shows(part, type, props)),
  }
}

/** An `items-grid` that does not say of what is one of items. */
function typeNamed(written: string): PageType {
  return /^[^a-z0-9]*items?[^a-z0-9]/i.test(written) ? 'item' : 'article'
}

/** Null: any. One that no page can have finds none. */
function subrouteIn(props: JsonObject): string | null {
  const written = textIn(props, 'subroute')
  return written === null ? null : (readSubroute(written) ?? written)
}

/** When something was published is of interest where it is news. */
function shows(part: ShownPart, type: PageType, props: JsonObject): boolean {
  const asked = props[`show_${part}`]
  return typeof asked === 'boolean' ? asked : part !== 'date' || type === 'article'
}
