import { didYouMean } from '../domain/nearest-name.ts'
import { PAGE_TYPES, type PageType } from '../domain/page.ts'
import { PAGE_SCHEMAS } from './page-fields.ts'

/** Fields of other generators, with their counterparts. */
const COUNTERPARTS: ReadonlyMap<string, string> = new Map([
  ...['pubDate', 'published'].map((name) => [name, 'an article has publish_date'] as const),
  ...['lastmod', 'lastUpdated', 'updated', 'modified'].map(
    (name) => [name, 'an article or a docs page has last_updated'] as const,
  ),
  ...['permalink', 'url', 'path'].map(
    (name) => [name, 'folder and name of the file are the address, or subroute and slug'] as const,
  ),
  ...['weight', 'order', 'sidebar_position'].map((name) => [name, 'a docs page has nav_order'] as const),
  ...['categories', 'taxonomies', 'keywords'].map((name) => [name, 'a page has tags'] as const),
  ...['template'].map((name) => [name, 'a page has a type and a layout'] as const),
  ...['summary', 'excerpt'].map((name) => [name, 'a page has description'] as const),
  ...['image', 'cover', 'thumbnail'].map((name) => [name, 'a page has og_image_url'] as const),
  ...['authors'].map((name) => [name, 'an article has author'] as const),
])

/** A sentence about the field that an author may have meant by an unknown one; empty when nothing is near. */
export function counterpartOf(field: string, type: PageType): string {
  const others = PAGE_TYPES.filter((other) => Object.hasOwn(PAGE_SCHEMAS[other].shape, field))
  if (others.length > 0)
    return others.length === 1 ? ` Type ${others[0]} has it.` : ` Types ${others.join(' and ')} have it.`
  const counterpart = COUNTERPARTS.get(field)
  if (counterpart === undefined) return didYouMean(field, Object.keys(PAGE_SCHEMAS[type].shape))
  return ` ${counterpart.charAt(0).toUpperCase()}${counterpart.slice(1)}.`
}
