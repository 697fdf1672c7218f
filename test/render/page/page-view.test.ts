import { describe, expect, test } from 'vitest'
import type { DocsContext, LivePage } from '../../../src/domain/live-page.ts'
import { relativeLinks } from '../../../src/render/links/links.ts'
import { pageView } from '../../../src/render/page/page-view.ts'
import { createRendering } from '../../../src/render/page/rendering.ts'
import { type LivePageParts, livePage } from '../../support/live-page.ts'
import { createPlainTheme } from '../../support/plain-theme.ts'

function viewOf(parts: LivePageParts) {
  const live: LivePage = livePage(parts)
  return pageView(live, createPlainTheme(), createRendering(relativeLinks(live.path)))
}

describe('the title of a document', () => {
  test.each([
    ['names page and site', {}, 'Install · Acme'],
    ['does not name the site twice', { page: { title: 'Acme handbook' } }, 'Acme handbook'],
    ['is the meta title where there is one', { page: { meta: { title: 'Exactly this' } } }, 'Exactly this'],
    [
      'carries the site title of the settings',
      { settings: { metaTitle: 'Acme Docs' } },
      'Install · Acme Docs',
    ],
    [
      'is the site title on the home page',
      { page: { slug: 'index' }, settings: { metaTitle: 'Acme Docs' } },
      'Acme Docs',
    ],
  ] as [string, LivePageParts, string][])('%s', (_, parts, title) => {
    expect(viewOf(parts).head.title).toBe(title)
  })
})

describe('the description of a document', () => {
  const settings = { metaDescription: 'Of the site' }

  test('is the meta description, else the one of the page, else the one of the site', () => {
    const description = 'Of the page'
    expect(viewOf({ page: { description, meta: { description: 'Meta' } }, settings }).head.description).toBe(
      'Meta',
    )
    expect(viewOf({ page: { description }, settings }).head.description).toBe('Of the page')
    expect(viewOf({ settings }).head.description).toBe('Of the site')
    expect(viewOf({}).head.description).toBeNull()
  })

  test('is truncated at a word boundary', () => {
    const { description } = viewOf({ page: { description: 'word '.repeat(100) } }).head
    expect(description).toBe('word '.repeat(32).trim())
  })
})

describe('absolute URLs', () => {
  const site = { origin: 'https://acme.example/help' }

  test.each([
    [{ slug: 'index' }, 'https://acme.example/help/'],
    [{ subroute: 'docs' }, 'https://acme.example/help/docs/install/'],
  ])('the canonical URL of %j ends with a slash', (page, url) => {
    expect(viewOf({ page, site }).head.canonical).toBe(url)
  })

  test.each([
    ['/share.png', 'https://acme.example/help/share.png'],
    ['https://cdn.example/share.png', 'https://cdn.example/share.png'],
    ['share.png', 'https://acme.example/help/install/share.png'],
    ['javascript:alert(1)', 'https://acme.example/help/site.png'],
  ])('the social media image %j is %j', (ogImageUrl, url) => {
    expect(
      viewOf({ page: { ogImageUrl }, settings: { ogImageUrl: '/site.png' }, site }).head.socialImage,
    ).toMatchObject({
      url,
    })
  })
})

describe('the language', () => {
  const settings = { branding: { lang: 'de' } }

  test('is that of the config, else the front matter, else the branding, else English', () => {
    const markdown = '---\nlang: ar\n---\nText'
    const page = { type: 'docs' as const, markdown }
    expect(viewOf({ page: { ...page, config: { lang: 'zh-Hans' } }, settings }).lang).toBe('zh-Hans')
    expect(viewOf({ page, settings })).toMatchObject({ lang: 'ar', dir: 'rtl' })
    expect(viewOf({ settings })).toMatchObject({ lang: 'de', dir: 'ltr' })
    expect(viewOf({}).lang).toBe('en')
  })
})

describe('the navigation of the site', () => {
  const navLinks = [
    { label: 'Home', href: '/' },
    { label: 'Docs', href: '/docs' },
    { label: 'Blog', href: '/blog/' },
    { label: 'Source', href: 'https://example.com' },
    { label: 'Forced', href: '/app', external: true },
    { label: 'Bad', href: 'javascript:alert(1)' },
  ]

  test('marks links to the page and to its ancestors', () => {
    const current = (page: LivePageParts['page']) =>
      viewOf({ page: page ?? {}, settings: { navLinks } })
        .site.navLinks.filter((link) => link.current)
        .map(({ label }) => label)
    expect(current({ subroute: 'docs' })).toEqual(['Docs'])
    expect(current({ slug: 'docs' })).toEqual(['Docs'])
    expect(current({ slug: 'docs-of-old' })).toEqual([])
    expect(current({ slug: 'index' })).toEqual(['Home'])
    expect(current({ slug: 'index', subroute: 'blog' })).toEqual(['Blog'])
  })

  test('marks no link to a place in a page, which one reads as little as another', () => {
    const links = [
      { label: 'Work', href: '/#work' },
      { label: 'Home', href: '/' },
    ]
    const { site } = viewOf({ page: { slug: 'index' }, settings: { navLinks: links } })
    expect(site.navLinks.map(({ current }) => current)).toEqual([false, true])
  })

  test('is relative, marks external links and drops unsafe ones', () => {
    const { site } = viewOf({ page: { subroute: 'docs' }, settings: { navLinks } })
    expect(site.navLinks.map(({ href, external }) => [href, external])).toEqual([
      ['../../', false],
      ['../../docs/', false],
      ['../../blog/', false],
      ['https://example.com', true],
      ['../../app/', true],
    ])
  })
})

test('the footer holds groups, then the links that stand in none', () => {
  const links = [
    { label: 'Imprint', href: '/imprint' },
    { title: 'Product', links: [{ text: 'Docs', url: '/docs' }, 'nonsense', { label: 'No address' }] },
    { title: 'Empty', links: [] },
    { title: 'Privacy', link: '/privacy' },
  ]
  const { footer } = viewOf({
    settings: { footerText: ' ', sharedFooter: { links, copyright: '© Acme' } },
  }).site
  expect([footer.text, footer.copyright]).toEqual([null, '© Acme'])
  expect(
    footer.groups.map(({ title, links }) => [title, links.map(({ label, href }) => `${label} ${href}`)]),
  ).toEqual([
    ['Product', ['Docs ../docs/']],
    [null, ['Imprint ../imprint/', 'Privacy ../privacy/']],
  ])
})

describe('the content', () => {
  test('has, in an article, date, author, reading time and cover', () => {
    const { page, head } = viewOf({
      page: {
        type: 'article',
        wordCount: 450,
        markdown: '---\nimage: /cover.jpg\n---\n# Install\n\nText\n\n## Next',
      },
      fields: { publishDate: '2026-03-03T23:30:00.000Z', author: { name: 'Ada', avatar: '/ada.png' } },
    })
    expect(page).toMatchObject({
      date: { iso: '2026-03-03T23:30:00.000Z', text: 'March 3, 2026' },
      author: { name: 'Ada', avatar: '../ada.png' },
      readingMinutes: 2,
      image: { src: '../cover.jpg' },
      toc: [{ depth: 2, id: 'next', text: 'Next' }],
    })
    expect(page.html).not.toContain('<h1')
    expect(head.ogType).toBe('article')
  })

  test('has, in an article, its date in the language of the page', () => {
    const page = { type: 'article' as const, config: { lang: 'de' } }
    expect(viewOf({ page, fields: { publishDate: '2026-03-03T00:00:00.000Z' } }).page.date?.text).toBe(
      '3. März 2026',
    )
  })

  test('is, in a page, its sections, whose hero has the heading', () => {
    const sections = [{ type: 'hero', title: 'T' }]
    const { page } = viewOf({ page: { config: { sections }, markdown: 'Text' } })
    expect([page.hasOwnHeading, page.html, page.date, page.readingMinutes]).toEqual([
      true,
      '<p>Text</p>',
      null,
      null,
    ])
    expect(page.sectionsHtml).toContain('"hero-1"')
  })

  test('consists, in an item, of its fields and Markdown', () => {
    const { page } = viewOf({
      page: { type: 'item', config: { price: 5, image: '/a.png' }, markdown: 'Text' },
    })
    expect(page).toMatchObject({
      html: '<p>Text</p>',
      fields: [{ label: 'Price', value: { kind: 'text', text: '5' } }],
      image: { src: '../a.png' },
    })
  })
})

test('a docs page shows its own branch with the way to it open', () => {
  const docs: DocsContext = {
    home: 'docs',
    branch: [
      {
        title: 'Start',
        path: null,
        badge: null,
        children: [{ title: 'Install', path: '/docs/install', badge: 'new', children: [] }],
      },
      { title: 'More', path: '/docs/more', badge: null, children: [], more: true },
    ],
    breadcrumbs: [{ title: 'Start', path: null }],
    previous: null,
    next: { title: 'More', path: '/docs/more' },
  }
  const view = viewOf({ page: { type: 'docs', subroute: 'docs' }, docs })
  expect(view.docs).toMatchObject({
    navFile: '../../_nav/docs.json',
    navPage: '../../_nav/docs/',
    previous: null,
    next: { href: '../../docs/more/' },
    breadcrumbs: [{ title: 'Start', href: null }],
    tree: [
      {
        open: true,
        current: false,
        more: false,
        children: [{ current: true, open: false, href: '../../docs/install/' }],
      },
      { open: false, current: false, more: true, children: [] },
    ],
  })
})

test('a docs page that stands in no navigation stands alone, and no other page has one', () => {
  expect(viewOf({ page: { type: 'docs', subroute: 'docs' } }).docs).toMatchObject({
    tree: [],
    breadcrumbs: [],
    navFile: '../../_nav/docs.json',
  })
  const docs: DocsContext = { home: 'docs', branch: [], breadcrumbs: [], previous: null, next: null }
  expect(viewOf({ page: { type: 'article' }, docs }).docs).toBeNull()
})

describe('when a page was last edited', () => {
  test.each([
    [{ type: 'docs', config: { last_updated: '2026-03-01' } }, 'March 1, 2026'],
    [{ type: 'article', markdown: '---\nlast_updated: 2026-03-01\n---\nWords.' }, 'March 1, 2026'],
    [{ type: 'docs', config: { last_updated: 'in spring' } }, undefined],
    [{ type: 'docs' }, undefined],
    [{ type: 'item', config: { last_updated: '2026-03-01' } }, undefined],
  ] as [NonNullable<LivePageParts['page']>, string | undefined][])('is what %j says', (page, text) => {
    expect(viewOf({ page }).page.updated?.text).toBe(text)
  })
})
