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
/** Fields that have a counterpart, and fields that only say where a page is or how it is drawn. */
export const CONVERTED = new Set([
  ...ORDER_FIELDS,
  ...PUBLISHED_FIELDS,
  ...UPDATED_FIELDS,
  'title',
  'tags',
  'linkTitle',
  'description',
  'summary',
  'excerpt',
  'author',
  'authors',
  'draft',
  'published',
  'lang',
  'slug',
  'url',
  'aliases',
  'redirect_from',
  'permalink',
  'layout',
  'type',
  'toc',
  'outline',
  'aside',
  'sidebar',
  'sidebar_label',
  'navbar',
  'editLink',
  'eleventyNavigation',
  'eleventyExcludeFromCollections',
  // Where a page is, and how it is drawn, in Docusaurus, Starlight, MkDocs and Hugo.
  'id',
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
  'editUrl',
  'custom_edit_url',
  'navigation',
  'hide',
  'expiryDate',
  'build',
  '_build',
  'headless',
  // Its fields are written to the pages below.
  'cascade',
])
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
