import { drawnIcon, serviceOf } from '../../src/render/icons/drawn-icon.ts'
import { contentPolicy } from '../../src/render/page/content-policy.ts'
import { PREFETCH_RULES } from '../../src/render/page/head-view.ts'
import type { Theme } from '../../src/theme/theme.ts'
import type {
  ContentView,
  DocsView,
  FieldView,
  HeadView,
  LinkView,
  NavLinkView,
  NavNodeView,
  PageView,
  PostView,
  SectionView,
  SiteView,
} from '../../src/theme/view.ts'
import { catalogueHtml, type Fullness } from './sample-catalogue.ts'
import * as markdown from './sample-markdown.ts'
import * as sections from './sample-sections.ts'

/** Whole pages by name that show everything a theme can do. */
export function samplePages(theme: Theme): Readonly<Record<string, string>> {
  const page = (view: Partial<PageView> & { page: ContentView }) => theme.page(pageView(theme, view))
  const landing = (...views: readonly SectionView[]) =>
    content({ type: 'page', sectionsHtml: views.map(theme.section).join(''), hasOwnHeading: true })
  const catalogue = (fullness: Fullness) =>
    content({ type: 'page', sectionsHtml: catalogueHtml(theme, fullness) })

  const css = Buffer.from(theme.assets.style.body).toString()
  const script = Buffer.from(theme.assets.script.body).toString()
  return {
    landing: page({
      page: landing(
        sections.SPLIT_HERO,
        sections.GRID,
        sections.ALTERNATING,
        sections.LINKED_GRID,
        sections.LIST,
        sections.BANNER,
      ),
    }),
    'landing-center': page({
      page: landing(
        sections.CENTER_HERO,
        sections.ACCENT_GRID,
        sections.GENERIC,
        sections.CTA_CARD,
        sections.CTA_SPLIT,
      ),
    }),
    'landing-photo': page({
      page: landing(
        sections.BACKGROUND_HERO,
        sections.DARK_GRID,
        sections.LIST,
        sections.CTA_DARK,
        sections.CTA_ACCENT,
      ),
    }),
    'landing-plain': page({ page: landing(sections.PLAIN_HERO, sections.GRID, sections.CTA_SPLIT) }),
    'landing-overlong': page({
      page: content({
        type: 'page',
        sectionsHtml: [...sections.OVERLONG, ...sections.EMPTY].map(theme.section).join(''),
      }),
    }),
    catalogue: page({ page: catalogue('full') }),
    'catalogue-minimal': page({ page: catalogue('minimal') }),
    'catalogue-overlong': page({ page: catalogue('overlong') }),
    'catalogue-ar': page({ ...ARABIC, page: catalogue('right-to-left') }),
    'landing-ar': page({ ...ARABIC, page: landing(sections.ARABIC_HERO, sections.ARABIC_LIST) }),
    article: page({ page: ARTICLE, listing: { title: 'Blog', href: '/blog/' } }),
    'article-minimal': page({ page: content({ type: 'article', html: '<p>Only a paragraph.</p>' }) }),
    'article-ar': page({
      ...ARABIC,
      page: {
        ...ARTICLE,
        title: 'كيف نقلنا ألفي صفحة إلى ملفات ثابتة',
        description: 'ما الذي تعطل في الطريق، وما الذي سنفعله ثانية.',
        ...markdown.sampleBody(markdown.ARABIC),
        date: { iso: '2026-09-14T00:00:00.000Z', text: '١٤ سبتمبر ٢٠٢٦' },
        author: { name: 'أمينة حداد', avatar: null, bio: null, href: null },
      },
    }),
    'article-zh': page({
      lang: 'zh-Hans',
      page: {
        ...ARTICLE,
        title: '我们如何把两千个页面搬到静态文件上',
        description: '途中遇到的问题，以及我们会再次采用的做法。',
        ...markdown.sampleBody(markdown.CHINESE),
        date: { iso: '2026-09-14T00:00:00.000Z', text: '2026年9月14日' },
        author: { name: '林晓', avatar: null, bio: null, href: null },
        image: null,
      },
    }),
    docs: page({ page: GUIDE, docs: DOCS }),
    'docs-minimal': page({
      page: content({ type: 'docs', html: '<p>Only a paragraph.</p>' }),
      docs: { ...DOCS, tree: [], breadcrumbs: [], previous: null, next: null },
    }),
    'docs-long': page({
      page: {
        ...GUIDE,
        title:
          'A title so long that whoever wrote it must have been thinking of something else entirely, ConfigurationOverridePrecedenceResolutionStrategyFactory included',
      },
      docs: DOCS,
    }),
    'docs-ar': page({
      ...ARABIC,
      page: {
        ...GUIDE,
        title: 'البداية السريعة',
        description: 'من لا شيء إلى صفحة حيّة في خمس دقائق.',
        ...markdown.sampleBody(markdown.ARABIC),
      },
      docs: DOCS,
    }),
    item: page({
      page: ITEM,
      breadcrumbs: [
        { title: 'Northwind', href: '/' },
        { title: 'Studios', href: '/studios/' },
      ],
    }),
    'item-minimal': page({ page: content({ type: 'item', fields: FIELDS.slice(0, 2) }) }),
    'nav-page': theme.navPage({
      lang: 'en',
      dir: 'ltr',
      head: headView(theme),
      site: SITE,
      title: 'All pages',
      tree: FULL_TREE,
    }),
    listing: theme.listing({
      lang: 'en',
      dir: 'ltr',
      head: headView(theme),
      site: SITE,
      title: 'Blog',
      numbered: null,
      tags: TAGS,
      allTags: '/blog/tags/',
      listing: null,
      author: null,
      feed: null,
      posts: POSTS,
      layout: 'grid',
      entries: null,
      newer: null,
      older: '/blog/page/3/',
    }),
    'listing-plain': theme.listing({
      lang: 'en',
      dir: 'ltr',
      head: headView(theme),
      site: SITE,
      title: 'Blog',
      numbered: 'Page 3',
      tags: [],
      allTags: '/blog/tags/',
      listing: { title: 'Blog', href: '/blog/' },
      author: null,
      feed: '/blog/tags/trains/feed.xml',
      posts: POSTS.map((post) => ({ ...post, image: null })),
      layout: 'list',
      entries: null,
      newer: '/blog/',
      older: '/blog/page/2/',
    }),
    tags: theme.tags({
      lang: 'en',
      dir: 'ltr',
      head: headView(theme),
      site: SITE,
      listing: null,
      blogs: [
        { title: 'Blog', href: '/blog/', tags: TAGS.map((tag) => ({ ...tag, count: 12 })) },
        { title: 'News', href: '/news/', tags: TAGS.map((tag) => ({ ...tag, count: 1 })) },
      ],
    }),
    'not-found': theme.notFound({
      lang: 'en',
      dir: 'ltr',
      site: SITE,
      page: null,
      favicon: '/images/icon.svg',
      icons: ICONS,
      themeColours: THEME_COLOURS,
      script,
      css,
      visits: null,
      brandStyle: null,
      policy: contentPolicy({ styles: [css], scripts: [script], hasAnalytics: false }),
    }),
  }
}

const ICONS: HeadView['icons'] = [
  { rel: 'icon', href: '/favicon.ico', type: null, sizes: '32x32' },
  { rel: 'icon', href: '/images/icon.svg', type: 'image/svg+xml', sizes: null },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png', type: null, sizes: null },
]

const THEME_COLOURS: HeadView['themeColours'] = [
  { colour: '#1f4fe0', media: '(prefers-color-scheme: light)' },
  { colour: '#3a67f2', media: '(prefers-color-scheme: dark)' },
]

const TAGS = [
  { name: 'Trains', href: '/blog/tags/trains/', count: null },
  { name: 'Node.js', href: '/blog/tags/node-js/', count: null },
]

export function pageView(theme: Theme, view: Partial<PageView> & { page: ContentView }): PageView {
  return {
    lang: 'en',
    dir: 'ltr',
    layout: null,
    head: headView(theme),
    site: SITE,
    docs: null,
    breadcrumbs: [],
    listing: null,
    neighbours: null,
    ...view,
  }
}

export function headView(theme: Theme): HeadView {
  return {
    policy: contentPolicy({ styles: [], scripts: [PREFETCH_RULES], hasAnalytics: false }),
    title: 'Publish a site that is already there · Northwind Press',
    alternates: [
      { hreflang: 'en', href: 'https://northwind.example/' },
      { hreflang: 'x-default', href: 'https://northwind.example/' },
    ],
    description: 'Plain files, on your own CDN.',
    keywords: 'static, publishing',
    robots: null,
    canonical: 'https://example.com/docs/install/',
    ogTitle: 'Publish a site that is already there',
    ogType: 'website',
    published: null,
    modified: null,
    socialImage: {
      url: 'https://example.com/images/cover.png',
      type: 'image/png',
      width: 1200,
      height: 630,
      alt: 'Publish a site that is already there',
    },
    favicon: '/images/icon.svg',
    icons: ICONS,
    manifest: '/site.webmanifest',
    themeColours: THEME_COLOURS,
    themeStyle: `/${theme.assets.style.key}`,
    sectionStyle: `/${theme.assets.sectionStyle.key}`,
    customStyle: null,
    script: `/${theme.assets.script.key}`,
    prefetchRules: PREFETCH_RULES,
    ownScript: null,
    analytics: null,
    visits: null,
    markdown: 'index.md',
    json: null,
    feed: null,
    structuredData: [],
    customHeadHtml: '',
    brandStyle: null,
  }
}

export function content(fields: Partial<ContentView> & Pick<ContentView, 'type'>): ContentView {
  return {
    title: 'A page with hardly anything on it',
    description: null,
    config: {},
    html: '',
    toc: [],
    sectionsHtml: '',
    hasOwnHeading: false,
    fields: [],
    image: null,
    date: null,
    updated: null,
    author: null,
    tags: [],
    editHref: null,
    readingMinutes: null,
    ...fields,
  }
}

function link(label: string, href: string, more: Partial<LinkView> = {}): LinkView {
  return { label, href, external: false, current: false, iconHtml: null, hreflang: null, ...more }
}

export function navLink(label: string, href: string, more: Partial<NavLinkView> = {}): NavLinkView {
  return { ...link(label, href), style: 'link', links: [], ...more }
}

const icon = (name: string) => drawnIcon(name) ?? ''

export const SITE: SiteView = {
  name: 'Northwind Press',
  homeHref: '/',
  rootHref: '/',
  versions: [{ name: '2.0', label: '2.0', href: '/', current: true, latest: true }],
  latestVersion: null,
  searchScope: 'en@2.0',
  languages: [
    { code: 'en', label: 'English', dir: 'ltr', href: '/', current: true },
    { code: 'ar', label: 'العربية', dir: 'rtl', href: '/ar/', current: false },
  ],
  filesHref: '/_assets/',
  href: String,
  data: {},
  markdown: String,
  search: { script: '/_assets/search.js', style: '/_assets/search.css', stemmer: '/_assets/stem-en.js' },
  logo: null,
  logoDark: null,
  mark: null,
  announcement: {
    text: 'Version 3 is out: faster, smaller, quieter',
    href: '/blog/version-3/',
    external: false,
    hreflang: null,
    until: null,
  },
  navLinks: [
    navLink('Product', '/', {
      links: [
        {
          ...link('Press', '/press/', { iconHtml: icon('newspaper') }),
          description: 'Turns a folder of text into a site.',
        },
        {
          ...link('Courier', '/courier/', { iconHtml: icon('send') }),
          description: 'Puts it in front of your readers.',
        },
      ],
    }),
    navLink('Docs', '/docs/', { current: true }),
    navLink('Blog', '/blog/'),
    navLink('Status', 'https://status.example.org/', { external: true }),
    navLink('Start free', '/start/', { style: 'button' }),
  ],
  footer: {
    text: 'Plain files for people who would rather write.',
    copyright: '© 2026 Northwind Press, Ltd. Set in system type.',
    social: [
      'https://github.com/northwind',
      'https://social.example/@northwind',
      'mailto:hi@northwind.example',
    ].map((href) => ({
      href,
      label: serviceOf(href)?.title ?? '',
      iconHtml: serviceOf(href)?.iconHtml ?? '',
      hreflang: null,
    })),
    legal: [link('Privacy', '/privacy/'), link('Imprint', '/imprint/')],
    groups: [
      {
        title: 'Product',
        links: [link('Overview', '/'), link('Pricing', '/pricing/'), link('Changelog', '/changelog/')],
      },
      {
        title: 'Learn',
        links: [link('Documentation', '/docs/', { current: true }), link('Guides', '/guides/')],
      },
      {
        title: 'Company',
        links: [link('About', '/about/'), link('Press', 'https://example.org/', { external: true })],
      },
    ],
  },
}

const ARABIC = {
  lang: 'ar',
  dir: 'rtl',
  site: {
    ...SITE,
    name: 'مطبعة الشمال',
    announcement: null,
    navLinks: [
      navLink('المنتج', '/', {
        links: [
          { ...link('الصحافة', '/press/', { iconHtml: icon('newspaper') }), description: 'من نص إلى موقع.' },
        ],
      }),
      navLink('التوثيق', '/docs/', { current: true }),
      navLink('الحالة', 'https://example.org/', { external: true }),
    ],
    footer: {
      text: 'ملفات ثابتة لمن يفضلون الكتابة.',
      copyright: null,
      groups: [{ title: null, links: [link('عن الشركة', '/about/'), link('الأسعار', '/pricing/')] }],
      social: [],
      legal: [],
    },
  },
} as const

const ARTICLE: ContentView = content({
  type: 'article',
  title: 'How we moved two thousand pages to plain files',
  description: 'What broke on the way, and what we would do the same way again.',
  ...markdown.sampleBody(markdown.STORY),
  image: { src: '/images/cover.svg', alt: 'Hills at dusk.', width: 1600, height: 900, dark: null },
  date: { iso: '2026-09-14T00:00:00.000Z', text: 'September 14, 2026' },
  author: {
    name: 'Amina Haddad',
    avatar: '/images/avatar.svg',
    bio: 'Writes about trains.',
    href: 'https://example.com/mara',
  },
  readingMinutes: 6,
  editHref: 'https://forge.example/northwind/edit/news/moved.md',
})

function post(title: string, more: Partial<PostView> = {}): PostView {
  const date = { iso: '2026-09-14T00:00:00.000Z', text: 'September 14, 2026' }
  return { title, href: '/blog/story/', excerpt: null, image: null, date, author: null, ...more }
}

const POSTS: readonly PostView[] = [
  post('How we moved two thousand pages to plain files', {
    excerpt: 'What broke on the way, and what we would do the same way again.',
    image: { src: '/images/cover.svg', alt: 'Hills at dusk.', width: 1600, height: 900, dark: null },
    author: 'Amina Haddad',
  }),
  post('Nothing but a title', { date: null }),
  post('A title so long that whoever wrote it must have been thinking of something else entirely', {
    image: { src: '/images/cover.svg', alt: '', width: null, height: null, dark: null },
    excerpt: 'Short.',
  }),
  post('Four', { author: 'A name with a great many words in it, as some families and committees have' }),
]

const GUIDE: ContentView = content({
  type: 'docs',
  title: 'Quick start',
  description: 'From nothing to a live page in five minutes.',
  ...markdown.sampleBody(markdown.GUIDE),
  editHref: 'https://forge.example/northwind/edit/docs/quick-start.md',
  updated: { iso: '2026-09-14T00:00:00.000Z', text: 'September 14, 2026' },
})

function node(title: string, href: string | null, more: Partial<NavNodeView> = {}): NavNodeView {
  return {
    title,
    href,
    badge: null,
    iconHtml: null,
    current: false,
    open: false,
    children: [],
    more: false,
    ...more,
  }
}

const DOCS: DocsView = {
  tree: [
    node('Introduction', '/docs/'),
    node('Get started', null, {
      open: true,
      children: [
        node('Install', '/docs/install/'),
        node('Quick start', '/docs/quick-start/', {
          current: true,
          children: [
            node('On Windows', '/docs/quick-start/windows/'),
            node('In a container', '/docs/quick-start/container/', { badge: 'New' }),
          ],
        }),
        node('Configuration that everybody asks about and nobody reads', '/docs/configuration/'),
      ],
    }),
    node('Publishing', '/docs/publishing/', { more: true }),
    node('API reference', null, { more: true, badge: 'v2' }),
    node('Changelog', '/docs/changelog/', { badge: 'Beta' }),
  ],
  breadcrumbs: [
    { title: 'Docs', href: '/docs/' },
    { title: 'Get started', href: null },
  ],
  previous: { title: 'Install', href: '/docs/install/' },
  next: { title: 'Configuration that everybody asks about and nobody reads', href: '/docs/configuration/' },
  navFile: '/_nav/docs.json',
  navPage: '/_nav/docs/',
}

const FULL_TREE: readonly NavNodeView[] = DOCS.tree.map((entry) =>
  entry.more
    ? {
        ...entry,
        more: false,
        children: [
          node('Releases', '/docs/publishing/releases/'),
          node('Rollback', '/docs/publishing/rollback/', { badge: 'New' }),
        ],
      }
    : entry,
)

/** Data that the script loads into the sidebar of the docs pages above. */
export const NAV_FILE = {
  subroute: 'docs',
  items: FULL_TREE.map(function toNode(entry: NavNodeView): object {
    const path = entry.href === null ? null : entry.href.slice(0, -1)
    return { title: entry.title, path, badge: entry.badge, children: entry.children.map(toNode) }
  }),
}

const FIELDS: readonly FieldView[] = [
  { label: 'Category', value: { kind: 'text', text: 'Letterpress' } },
  {
    label: 'Website',
    value: { kind: 'link', text: 'northwind.example', href: 'https://northwind.example/' },
  },
  {
    label: 'Languages',
    value: {
      kind: 'list',
      values: [
        { kind: 'text', text: 'English' },
        { kind: 'text', text: 'العربية' },
        { kind: 'text', text: '中文' },
      ],
    },
  },
  {
    label: 'Opening hours',
    value: {
      kind: 'fields',
      fields: [
        { label: 'Weekdays', value: { kind: 'text', text: '09:00–18:00' } },
        { label: 'Weekend', value: { kind: 'text', text: 'Closed' } },
      ],
    },
  },
  {
    label: 'Mark',
    value: {
      kind: 'image',
      image: { src: '/images/icon.svg', alt: 'A wedge.', width: 64, height: 64, dark: null },
    },
  },
]

const ITEM: ContentView = content({
  type: 'item',
  title: 'Northwind Letterpress Studio',
  description: 'A print shop in Bergen that still locks its type with quoins.',
  html: '<p>Founded in 1921, the studio prints invitations, posters and small books on two Heidelberg presses.</p><h2 id="visits"><a class="anchor" href="#visits">Visits</a></h2><p>Tours take place on the first Friday of each month. Groups of up to twelve.</p>',
  fields: FIELDS,
  image: { src: '/images/cover.svg', alt: 'Hills at dusk.', width: 1600, height: 900, dark: null },
})
