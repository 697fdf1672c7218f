import { describe, expect, test } from 'vitest'
import { type ListingPage, layOutListing } from '../../../src/domain/listing.ts'
import type { LiveCard } from '../../../src/domain/live-page.ts'
import { listingPageArtifacts, listingTitle } from '../../../src/render/listing/listing.ts'
import { pageId } from '../../support/docs-pages.ts'
import { type LivePageParts, livePage } from '../../support/live-page.ts'
import { createPlainTheme } from '../../support/plain-theme.ts'

/** The nth article of a blog; a greater n is newer. */
function article(n: number, more: Partial<LiveCard> = {}): LiveCard {
  return {
    id: pageId(n),
    path: `/blog/post-${n}`,
    title: `Post ${n}`,
    subroute: 'blog',
    type: 'article',
    excerpt: null,
    image: null,
    date: new Date(Date.UTC(2026, 0, 1 + n)).toISOString(),
    author: null,
    navOrder: 0,
    isSealed: false,
    folder: 'blog',
    slot: n,
    tags: [],
    ...more,
  }
}

function render(page: ListingPage, parts: LivePageParts & { readonly isNew?: boolean } = {}) {
  const theme = {
    ...createPlainTheme(),
    labels: (lang: string) => ({ page: lang === 'de' ? 'Seite {n}' : 'Page {n}' }),
  }
  const artifacts = listingPageArtifacts({ ...page, isNew: parts.isNew ?? false }, livePage(parts), theme, [])
  const [view] = theme.views.listings
  if (view === undefined) throw new Error('The theme was not asked for a listing.')
  return { artifacts, view, document: artifacts.find(({ owner }) => owner.kind === 'listing') }
}

const FRONT: ListingPage = {
  folder: 'blog',
  blog: 'blog',
  tag: null,
  feed: null,
  tags: [],
  number: null,
  path: '/blog',
  articles: [article(2), article(1)],
  newer: null,
  older: '/blog/page/1',
}
const NUMBERED: ListingPage = { ...FRONT, number: 3, path: '/blog/page/3', newer: '/blog', older: null }

describe('the front page of a listing', () => {
  test('is at the address of its folder, with the name of the folder as title', () => {
    const { view, document } = render(FRONT)
    expect(document?.key).toBe('blog/index.html')
    expect(view.title).toBe('Blog')
    expect(view.numbered).toBeNull()
    expect(view.head).toMatchObject({ title: 'Blog · Acme', canonical: 'https://acme.example/blog/' })
  })

  test('lists its articles in the given order, with links that work in any folder', () => {
    expect(render(FRONT).view.posts.map(({ title, href }) => [title, href])).toEqual([
      ['Post 2', '../blog/post-2/'],
      ['Post 1', '../blog/post-1/'],
    ])
  })

  test('leads to older articles and to no newer ones', () => {
    expect(render(FRONT).view).toMatchObject({ newer: null, older: '../blog/page/1/' })
  })

  test('announces the feed of the site', () => {
    expect(render(FRONT).view.head.feed).toBe('../feed.xml')
  })
})

describe('a numbered page of a listing', () => {
  test('says its number in the language of the site', () => {
    expect(render(NUMBERED).view.numbered).toBe('Page 3')
    const { view } = render(NUMBERED, { settings: { branding: { lang: 'de' } } })
    expect(view).toMatchObject({ lang: 'de', numbered: 'Seite 3', title: 'Blog' })
    expect(view.head.title).toBe('Blog · Seite 3 · Acme')
  })

  test('links to its neighbours from its own depth', () => {
    expect(render(NUMBERED).view).toMatchObject({ newer: '../../../blog/', older: null })
  })

  test('goes live before the pages that link to it when it is new, and with them when it is not', () => {
    const stages = [NUMBERED, FRONT].flatMap((page) =>
      [true, false].map((isNew) => render(page, { isNew }).document?.stage),
    )
    expect(stages).toEqual(['listing', 'index', 'index', 'index'])
  })
})

describe('search engines', () => {
  test('read the articles of a listing in order, at their canonical addresses', () => {
    const [data] = render(FRONT).view.head.structuredData.map((text) => JSON.parse(text))
    expect(data).toMatchObject({ '@type': 'CollectionPage', name: 'Blog', url: 'https://acme.example/blog/' })
    expect(data.mainEntity.itemListElement).toEqual([
      { '@type': 'ListItem', position: 1, url: 'https://acme.example/blog/post-2/' },
      { '@type': 'ListItem', position: 2, url: 'https://acme.example/blog/post-1/' },
    ])
  })

  test('cannot be served a script through the name of a site', () => {
    const { view } = render({ ...FRONT, folder: '', path: '/' }, { site: { name: '</script><script>x' } })
    expect(view.head.structuredData.join()).not.toContain('<')
  })
})

test.each([
  ['', 'Acme'],
  ['blog', 'Blog'],
  ['release-notes', 'Release notes'],
  ['docs/api_v2', 'Docs / API v2'],
])('the listing of the folder %j has the title %j', (folder, title) => {
  expect(listingTitle(folder, livePage().site)).toBe(title)
})

test('a listing brings every file that it refers to', () => {
  const { artifacts, view } = render(FRONT, {
    settings: { customCss: 'body { color: red }', googleAnalyticsId: 'G-ABC123DEF4' },
  })
  const keys = artifacts.map(({ key }) => `../${key}`)
  const { head, site } = view
  const wanted = [
    head.themeStyle,
    head.sectionStyle,
    head.customStyle,
    head.script,
    head.analytics?.script,
    site.search.script,
  ]
  for (const href of wanted) expect(keys).toContain(href)
  expect(keys.at(-1)).toBe('../blog/index.html')
})

test('following the links to older articles from the front page shows each article once', () => {
  const articles = Array.from({ length: 60 }, (_, n) => article(n))
  const pages = new Map(layOutListing('blog', 60, articles).map((page) => [page.path, page]))
  const titles: string[] = []
  for (let page = pages.get('/blog'); page !== undefined; page = pages.get(page.older ?? '')) {
    const { view } = render(page)
    titles.push(...view.posts.map(({ title }) => title))
    const older = view.older === null ? null : new URL(view.older, `https://a.example${page.path}/`).pathname
    expect(older).toBe(page.older === null ? null : `${page.older}/`)
  }
  expect(titles).toEqual(articles.map(({ title }) => title).reverse())
})
