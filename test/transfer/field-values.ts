import fc from 'fast-check'
import { DEFAULT_HOSTING, type Hosting } from '../../src/domain/project.ts'
import type { Settings } from '../../src/domain/settings.ts'

/*
 * Values of every field that a client can write, other than the default: what a project can hold. A field without a row
 * here fails `every-field.proof.ts`.
 */

const words = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 é漢'&#:-]{0,20}[a-z]$/)

/** Settings, by their names in the code. */
export const SETTING_VALUES: { readonly [Key in keyof Settings]: fc.Arbitrary<Settings[Key]> } = {
  theme: fc.constantFrom('dark', 'minimal'),
  faviconUrl: fc.constant('/media/logo.png'),
  logoUrl: fc.constant('/media/logo.png'),
  logoDarkUrl: fc.constant('/media/team/ada.png'),
  ogImageUrl: fc.constantFrom('/media/logo.png', 'https://example.com/a.png'),
  siteName: words,
  socialCards: fc.constant('none'),
  mcp: fc.constant('read'),
  metaTitle: words,
  metaDescription: words,
  googleAnalyticsId: fc.constant('G-ABC1234567'),
  customCss: words.map((text) => `/* ${text} */ a { color: red }`),
  customHeadHtml: words.map((text) => `<meta name="note" content="${text}">`),
  footerText: words,
  announcement: words.map((text) => ({ text, href: '/docs', until: '2095-01-02T03:04:05.000Z' })),
  navLinks: words.map((label) => [
    { label, href: '/docs', icon: 'rocket', style: 'button' as const },
    { label: 'More', links: [{ label: 'Blog', href: '/de/blog', description: label }] },
  ]),
  docsNav: words.map((title) => [{ title, slug: 'docs/guide', badge: 'new', children: [{ title: 'More' }] }]),
  sharedFooter: words.map((title) => ({
    links: [{ title, links: [{ label: 'Docs', href: '/docs' }] }],
    copyright: title,
    social: [{ href: 'https://github.com/ada', label: 'Code' }],
    legal: [{ label: 'Imprint', href: '/imprint' }],
  })),
  branding: fc.constantFrom({ primary_color: '#123456', lang: 'en' }, { font: 'Inter, serif', other: 1 }),
  siteRoutes: fc.constantFrom({ docs: '/help' }, { items: '/' }),
  data: words.map((note) => ({ note, authors: { ada: { name: 'Ada', bio: note } } })),
  locales: words.map((label) => [
    { code: 'en', label, dir: 'ltr' as const, subroute: '' },
    { code: 'de', label: 'Deutsch', dir: 'rtl' as const, subroute: 'de', home: '/de/blog' },
  ]),
  byLocale: words.map((text) => ({
    de: {
      site_name: text,
      meta_title: text,
      meta_description: null,
      nav_links: [{ label: text, href: '/de/blog', icon: '/media/logo.png' }],
      shared_footer: { links: [{ title: text, links: [{ label: text, href: '/de' }] }], copyright: text },
      footer_text: text,
      announcement: { text, until: '2095-01-02T03:04:05.000Z' },
      docs_nav: [{ title: text, slug: 'docs/guide' }],
    },
  })),
  versions: words.map((label) => [
    { name: '2.0', label, subroute: 'v2', latest: true },
    { name: '1.0', label: '1.0', subroute: 'v1', latest: false },
  ]),
  variables: words.map((version) => ({ version })),
  mediaRefresh: fc.constant('manual'),
  visits: fc.constant('count'),
  feedGuid: fc.constantFrom('https://old.example.com/', 'a former feed'),
}

/** Hosting, by its names in the code. Data Mode has a key, which no export has. */
export const HOSTING_VALUES: { readonly [Key in keyof Hosting]: fc.Arbitrary<Hosting[Key]> } = {
  mode: fc.constant('rewrite'),
  subdomain: fc.integer({ min: 1e6 }).map((count) => `site-${count}`),
  customDomain: fc.constant(DEFAULT_HOSTING.customDomain),
  sslEnabled: fc.constant(!DEFAULT_HOSTING.sslEnabled),
  cdnEnabled: fc.constant(!DEFAULT_HOSTING.cdnEnabled),
  basePath: fc.constantFrom('/help', '/a/b'),
  manifest: fc.constant('minimal'),
  slugs: fc.constant('wide'),
}

/** Texts of a picture. The name is that of the file. */
export const ASSET_VALUES = {
  name: fc.constantFrom('logo.png', 'team/ada.png'),
  alt: words,
  title: words,
  focus: fc.constantFrom({ x: 0.25, y: 1 }, { x: 0, y: 0.5 }),
}

const text = words.map((line) => `${line}\n\n![](/media/logo.png)\n`)

/** Fields of every page, by their names in the API. */
const COMMON_VALUES = {
  title: words,
  description: words,
  og_image_url: fc.constantFrom('/media/logo.png', 'https://example.com/a.png'),
  meta: words.map((title) => ({ title, description: 'D', keywords: 'k', robots: 'noindex' })),
  markdown_content: text,
  tags: fc.constantFrom(['Node.js'], ['Trains', 'Steel']),
  locale: fc.constantFrom('de', 'en'),
  translation_key: fc.uuid(),
}

/** The fields of pages of each type. `parent_page` is the address of the parent. */
export const PAGE_VALUES = [
  fc.record({
    ...COMMON_VALUES,
    type: fc.constant('page'),
    slug: fc.constant('home'),
    subroute: fc.constant(''),
    config: words.map((title) => ({
      theme: 'minimal',
      layout: 'wide',
      lang: 'fr',
      redirect_from: ['/old', '/older.html'],
      sections: [{ type: 'hero', props: { heading: title, image: '/media/team/ada.png' } }],
      custom: { note: title },
    })),
  }),
  fc.record({
    ...COMMON_VALUES,
    type: fc.constant('article'),
    slug: fc.constant('first'),
    subroute: fc.constant('de/blog'),
    config: words.map((name) => ({
      blog: 'de',
      series: { name: `A ${name}`, order: 2 },
      list: 'changelog',
      version: '2.0',
      edit_url: 'https://example.com/edit',
      last_updated: '2026-03-01',
      custom: name,
    })),
    feed_guid: fc.constantFrom('https://old.example.com/?p=1', 'post 1'),
    publish_date: fc.constantFrom('2026-03-04T05:06:07+02:00', '2026-01-02T00:00:00Z'),
    author: fc.constantFrom('Ada', {
      name: 'Bo',
      avatar: '/media/logo.png',
      bio: 'B.',
      url: 'https://b.example',
    }),
  }),
  fc.record({
    ...COMMON_VALUES,
    type: fc.constant('docs'),
    slug: fc.constant('guide'),
    subroute: fc.constant('docs'),
    config: words.map((custom) => ({ badge: 'new', custom })),
    nav_order: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    ...COMMON_VALUES,
    type: fc.constant('docs'),
    slug: fc.constant('install'),
    subroute: fc.constant('docs/deep'),
    config: fc.constant({}),
    nav_order: fc.integer({ min: -9, max: -1 }),
    parent_page: fc.constant('docs/guide'),
  }),
  fc.record({
    ...COMMON_VALUES,
    type: fc.constant('item'),
    slug: fc.constant('loco'),
    subroute: fc.constant('items'),
    config: words.map((name) => ({ name, price: 12.5, tags: ['a'], nested: { deep: [name] } })),
  }),
] as const
