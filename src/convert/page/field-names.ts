import type { JsonValue } from '../../domain/json.ts'
import { readSeries } from '../../domain/series.ts'
import type { GeneratorName, PageTarget } from '../conversion.ts'
import { isRobotsField } from './robots.ts'

/** The date of the last edit, as Quoin, Hugo, Jekyll, other generators and VitePress name it. */
export const UPDATED_FIELDS: readonly string[] = [
  'last_updated',
  'lastmod',
  'last_modified_at',
  'last_modified',
  'modified',
  'updated',
  'lastUpdated',
]
/** The date of an article. */
export const PUBLISHED_FIELDS = ['date', 'publishDate'] as const
/** The image of a page, as Hugo, Jekyll and their themes name it. The first one present is used. */
export const IMAGE_FIELDS = [
  'og_image',
  'image',
  'images',
  'cover',
  'featured_image',
  'featuredImage',
  'cover_image',
  'thumbnail',
]
/** Fields of `config` that Quoin reads under the same name. */
export const CONFIG_FIELDS_READ = new Set(['edit_url', 'badge'])
/** The position of a page, as Hugo, Jekyll and other generators name it. */
export const ORDER_FIELDS = ['weight', 'nav_order', 'order', 'sidebar_position'] as const
/** The address at which a page is edited, as Starlight and Docusaurus name it. */
export const EDIT_FIELDS = ['editUrl', 'custom_edit_url'] as const
/** Fields that have a counterpart. */
const CONVERTED = new Set<string>([
  ...ORDER_FIELDS,
  ...PUBLISHED_FIELDS,
  ...UPDATED_FIELDS,
  'title',
  'tags',
  'categories',
  'category',
  'linkTitle',
  'description',
  'summary',
  'excerpt',
  'author',
  'authors',
  'draft',
  'published',
  'lang',
  'url',
  'guid',
  'aliases',
  'redirect_from',
  'permalink',
  // Fields of Hugo about publication. The fields of a cascade are written to the pages below.
  'expiryDate',
  'build',
  '_build',
  'headless',
  'cascade',
])
/** Fields that have a counterpart where the reader of a generator looks for them. */
const READ_BY: Readonly<Record<string, readonly GeneratorName[]>> = {
  slug: ['docusaurus', 'starlight', 'hugo'],
  id: ['docusaurus'],
  unlisted: ['docusaurus'],
  sidebar_label: ['docusaurus'],
  sidebar: ['starlight'],
}
/** Fields about the layout of a page, without visible text. */
const DRAWING = new Set([
  'layout',
  'type',
  'toc',
  'outline',
  'aside',
  'navbar',
  'editLink',
  'template',
  'tableOfContents',
  'hide_table_of_contents',
  'hide_title',
  'toc_min_heading_level',
  'toc_max_heading_level',
  'pagination_prev',
  'pagination_next',
  'sidebar_class_name',
  'displayed_sidebar',
  'eleventyExcludeFromCollections',
  'navigation',
  'hide',
])

/** The fate of a field of front matter that is neither an image nor in `UNSUPPORTED`. */
export function fateOf(
  field: string,
  value: JsonValue,
  { from, type }: { readonly from: GeneratorName; readonly type: PageTarget['type'] },
): 'converted' | 'drawing' | 'kept' {
  // Only docs pages have an entry in the sidebar, and some generators give only posts a slug.
  const isRead =
    field === 'eleventyNavigation'
      ? type === 'docs' && from === 'eleventy'
      : READ_BY[field]?.includes(from) ||
        (field === 'slug' && type === 'article' && (from === 'jekyll' || from === 'mkdocs'))
  if (CONVERTED.has(field) || isRead || isRobotsField(field)) return 'converted'
  if (field === 'series' && type === 'article' && readSeries(value) !== null) return 'converted'
  if (isDrawing(field, value)) return 'drawing'
  return EDIT_FIELDS.some((name) => name === field) ? editFate(value) : 'kept'
}

/**
 * Reports whether a field is about the layout of a page, without visible text. VitePress switches the sidebar of a page
 * off.
 */
export function isDrawing(field: string, value: JsonValue): boolean {
  return DRAWING.has(field) || (field === 'sidebar' && typeof value === 'boolean')
}

function editFate(value: JsonValue): 'converted' | 'drawing' {
  return typeof value === 'string' ? 'converted' : 'drawing'
}

/** Fields without a counterpart, and the reason in a message. */
export const UNSUPPORTED: Readonly<Record<string, string>> = {
  redirect_to: 'a page cannot redirect to another one',
  head: 'a page cannot add elements to its head',
  pagination: 'pages are not generated from data',
  prev: 'the previous page follows from the order of pages',
  menu: 'the links at the top of all pages are `nav_links` of site.yaml',
  menus: 'the links at the top of all pages are `nav_links` of site.yaml',
  next: 'the next page follows from the order of pages',
}
