import type { Diagnostic } from '../domain/diagnostic.ts'
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
  ...['tags', 'categories', 'taxonomies'].map((name) => [name, 'pages are listed by their folder'] as const),
  ...['layout', 'template'].map((name) => [name, 'a page has a type: page, article, docs or item'] as const),
  ...['summary', 'excerpt'].map((name) => [name, 'a page has description'] as const),
  ...['image', 'cover', 'thumbnail'].map((name) => [name, 'a page has og_image_url'] as const),
  ...['authors'].map((name) => [name, 'an article has author'] as const),
])

/** Extends the message about an unknown field of another page type or another generator with its counterpart. */
export function withCounterpart(error: Diagnostic, type: PageType): Diagnostic {
  const { code, field } = error
  if (field === null || code !== 'QN-UNKNOWN-FIELD') return error
  const others = PAGE_TYPES.filter((other) => Object.hasOwn(PAGE_SCHEMAS[other].shape, field))
  if (others.length > 0) {
    const have = others.length === 1 ? `type ${others[0]} has it` : `types ${others.join(' and ')} have it`
    return { ...error, message: `A page of type ${type} has no field "${field}"; ${have}.` }
  }
  const counterpart = COUNTERPARTS.get(field)
  return counterpart === undefined
    ? error
    : { ...error, message: `Unknown field "${field}": ${counterpart}.` }
}
