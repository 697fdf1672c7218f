export interface FieldWords {
  readonly label: string
  readonly hint?: string
}

/** Labels and hints of fields by their names in the API. */
export const FIELDS = {
  name: { label: 'Name' },
  title: { label: 'Title' },
  slug: { label: 'Address', hint: 'The last part of the web address: letters, digits and hyphens.' },
  subroute: {
    label: 'Folder',
    hint: 'The part of the web address before it, such as blog. Empty: the top of the site.',
  },
  type: { label: 'Type' },
  description: {
    label: 'Summary',
    hint: 'One or two sentences, for lists, search engines and link previews.',
  },
  og_image_url: {
    label: 'Picture for link previews',
    hint: 'Its web address, or /media/ and the name of a file in the library.',
  },
  markdown_content: { label: 'Text', hint: 'Markdown.' },
  config: {
    label: 'Sections and fields (JSON)',
    hint: 'Sections of a page, or fields of an item, as in the API.',
  },
  redirect_from: {
    label: 'Earlier addresses',
    hint: 'Paths that redirect to this page, one on each line, such as /old/page.',
  },
  tags: { label: 'Tags', hint: 'Names, with commas between them.' },
  locale: { label: 'Language', hint: 'The code of one of the languages of the site. Empty: by the path.' },
  translation_key: {
    label: 'Translation key',
    hint: 'Pages with one key are translations of each other. Empty: by the path.',
  },
  publish_date: { label: 'Date', hint: 'Empty: when it is first published.' },
  author: { label: 'Author' },
  feed_guid: {
    label: 'Id in feeds',
    hint: 'Readers of feeds show an article with another id again. Empty: one for good.',
  },
  nav_order: { label: 'Place in the navigation', hint: 'Lower numbers come first.' },
  parent_page: { label: 'Page above it', hint: 'The id of a docs page of this project.' },
  'meta.title': { label: 'Title for search engines', hint: 'Empty: the title of the page.' },
  'meta.description': { label: 'Description for search engines', hint: 'Empty: the summary.' },
  'meta.keywords': { label: 'Keywords' },
  'meta.robots': { label: 'Robots', hint: 'Such as noindex.' },
  publish_at: { label: 'Publish at (UTC)' },
  theme: { label: 'Theme' },
  favicon_url: {
    label: 'Icon in the browser tab',
    hint: 'The web address of a .ico, .png or .svg file, or /media/ and its name.',
  },
  logo_url: { label: 'Logo', hint: 'The web address of a .png, .jpg or .svg file, or /media/ and its name.' },
  logo_dark_url: { label: 'Logo on dark pages', hint: 'Empty for the same logo as on light pages.' },
  social_cards: { label: 'Pictures for link previews' },
  media_refresh: {
    label: 'Smaller pictures of live pages',
    hint: 'Those that come after the publish. Automatic: pages get them without another publish, and no edit with them.',
  },
  mcp: {
    label: 'Agents',
    hint: 'At /mcp of the published site, without a key: search, read_page and list_pages. Not in Data Mode.',
  },
  site_name: { label: 'Name of the site', hint: 'Empty: the name of the project.' },
  announcement: { label: 'Announcement', hint: 'An object with text, href and until.' },
  by_locale: { label: 'Settings of single languages' },
  meta_title: { label: 'Title for search engines', hint: 'Of pages without one of their own.' },
  meta_description: { label: 'Description for search engines', hint: 'Of pages without one of their own.' },
  google_analytics_id: { label: 'Google Analytics', hint: 'A measurement id such as G-ABC1234567.' },
  custom_css: { label: 'CSS', hint: 'Follows the CSS of the theme.' },
  custom_head_html: { label: 'HTML for the head', hint: 'At the end of the head of each page, as it is.' },
  'branding.primary_color': {
    label: 'Colour',
    hint: 'Such as #0b6e4f or teal. Empty: the colour of the theme.',
  },
  'branding.font': {
    label: 'Font',
    hint: 'Names of fonts, such as Inter, sans-serif. Empty: that of the theme.',
  },
  'branding.lang': { label: 'Language', hint: 'Of pages without one of their own, such as en or zh-Hans.' },
  'announcement.text': { label: 'Text', hint: 'A line above the header of each page. Empty: none.' },
  'announcement.href': { label: 'Leads to', hint: 'Empty: the line is no link.' },
  'announcement.until': {
    label: 'Until (UTC)',
    hint: 'Pages do not show the line any more from then on. Empty: until it is removed.',
  },
  footer_text: { label: 'Text in the footer' },
  nav_links: { label: 'Links in the header', hint: 'A list of objects with label and href.' },
  docs_nav: { label: 'Sidebar of the docs', hint: 'Empty: it follows from the pages.' },
  shared_footer: { label: 'Footer', hint: 'An object with links and copyright.' },
  site_routes: { label: 'Routes', hint: 'Maps a folder to the path that its pages have instead.' },
  locales: { label: 'Languages', hint: 'A list of objects with code, label, subroute and home.' },
  versions: { label: 'Versions', hint: 'A list of objects with name, subroute and latest.' },
  variables: { label: 'Variables', hint: 'Texts by name that pages show with {{ name }}.' },
  visits: { label: 'Visits' },
  data: { label: 'Data', hint: 'Values that templates read.' },
} as const satisfies Readonly<Record<string, FieldWords>>
