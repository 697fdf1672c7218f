import { describe, expect, test } from 'vitest'
import { structuredData } from '../../../src/render/page/structured-data.ts'
import { livePage } from '../../support/live-page.ts'

describe('structured data', () => {
  test('names on the home page the organization', () => {
    const home = livePage({ page: { slug: 'index' }, settings: { logoUrl: '/logo.svg' } })
    expect(structuredData(home)).toEqual([
      {
        '@context': 'https://schema.org',
        '@type': 'Organization',
        name: 'Acme',
        url: 'https://acme.example/',
        logo: 'https://acme.example/logo.svg',
      },
      { '@context': 'https://schema.org', '@type': 'WebSite', name: 'Acme', url: 'https://acme.example/' },
    ])
  })

  test('has for an article its title, by whom and since when', () => {
    const live = livePage({
      page: { type: 'article', title: 'Hello', description: 'About.', ogImageUrl: '/a.png' },
      fields: { publishDate: '2026-01-02T00:00:00.000Z', author: { name: 'Ada', avatar: null } },
    })
    expect(structuredData(live)).toEqual([
      expect.objectContaining({
        '@type': 'Article',
        headline: 'Hello',
        description: 'About.',
        image: 'https://acme.example/a.png',
        datePublished: '2026-01-02T00:00:00.000Z',
        author: { '@type': 'Person', name: 'Ada' },
        mainEntityOfPage: 'https://acme.example/install/',
      }),
    ])
  })

  test.each(['article', 'docs'] as const)(
    'has for a page of the type %s the last edit that its author wrote',
    (type) => {
      const edited = livePage({ page: { type, markdown: '---\nlast_updated: 2026-02-03\n---\nText.' } })
      expect(structuredData(edited)[0]).toMatchObject({
        '@type': type === 'docs' ? 'TechArticle' : 'Article',
        headline: edited.page.title,
        dateModified: '2026-02-03T00:00:00.000Z',
      })
      expect(structuredData(livePage({ page: { type } }))[0]).not.toHaveProperty('dateModified')
    },
  )

  test.each([
    ['https://ada.example/', 'https://ada.example/'],
    [' https://ada.example/a ', 'https://ada.example/a'],
    ['/authors/ada', 'https://acme.example/authors/ada/'],
    ['/cv.pdf', 'https://acme.example/cv.pdf'],
    ['ada', 'https://acme.example/install/ada'],
    ['#ada', 'https://acme.example/install/#ada'],
    ['mailto:ada@ada.example', undefined],
    ['javascript:alert(1)', undefined],
  ])('links an article to its author at %j as %j', (url, expected) => {
    const author = { name: 'Ada', avatar: null, url }
    const [data] = structuredData(livePage({ page: { type: 'article' }, fields: { author } }))
    expect(data?.['author']).toEqual({ '@type': 'Person', name: 'Ada', ...(expected && { url: expected }) })
  })

  test('has for a docs page its breadcrumbs', () => {
    const docs = {
      home: 'docs',
      branch: [],
      breadcrumbs: [
        { title: 'Docs', path: '/docs' },
        { title: 'Basics', path: null },
      ],
      previous: null,
      next: null,
    }
    const live = livePage({ page: { type: 'docs', subroute: 'docs' }, docs })
    expect(structuredData(live)).toEqual([
      expect.objectContaining({ '@type': 'TechArticle' }),
      {
        '@context': 'https://schema.org',
        '@type': 'BreadcrumbList',
        itemListElement: [
          { '@type': 'ListItem', position: 1, name: 'Docs', item: 'https://acme.example/docs/' },
          { '@type': 'ListItem', position: 2, name: 'Basics' },
          { '@type': 'ListItem', position: 3, name: 'Install', item: 'https://acme.example/docs/install/' },
        ],
      },
    ])
  })

  test('is empty on other pages', () => {
    expect(structuredData(livePage())).toEqual([])
  })
})
