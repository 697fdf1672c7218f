import fc from 'fast-check'
import { expect, test } from 'vitest'
import { robots, sitemap, sitemapLine } from '../../../src/render/site-files/sitemap.ts'
import { xmlText } from '../../../src/render/site-files/xml.ts'
import { livePage } from '../../support/live-page.ts'

const texts = (artifacts: ReturnType<typeof sitemap>) =>
  Object.fromEntries(artifacts.map(({ key, body }) => [key, Buffer.from(body).toString()]))

test('a page has its address and the day of its last edit', () => {
  const live = livePage({
    page: { slug: 'install', subroute: 'docs', updatedAt: '2026-05-06T07:08:09.000Z' },
  })
  expect(texts(sitemap(live.site.origin, [sitemapLine(live) ?? '']))).toEqual({
    'sitemap.xml': [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      '<url><loc>https://acme.example/docs/install/</loc><lastmod>2026-05-06</lastmod></url>',
      '</urlset>',
      '',
    ].join('\n'),
  })
})

test("the author's date of the last edit wins over the stored one", () => {
  const page = { type: 'article' as const, updatedAt: '2026-05-06T07:08:09.000Z' }
  const lineOf = (markdown: string) => sitemapLine(livePage({ page: { ...page, markdown } }))
  expect(lineOf('---\nlast_updated: 2026-03-01\n---\nText')).toContain('<lastmod>2026-03-01</lastmod>')
  expect(lineOf('---\nlast_updated: soon\n---\nText')).toContain('<lastmod>2026-05-06</lastmod>')
})

test.each(['noindex', 'NOINDEX, nofollow', 'none'])('a page marked %j is left out', (robots) => {
  expect(sitemapLine(livePage({ page: { meta: { robots } } }))).toBeNull()
})

test('the sitemap of more than 50,000 pages is split and indexed', () => {
  const lines = Array.from({ length: 100_001 }, (_, index) => `<url>${index}</url>`)
  const files = texts(sitemap('https://acme.example', lines))
  expect(Object.keys(files)).toEqual(['sitemap-1.xml', 'sitemap-2.xml', 'sitemap-3.xml', 'sitemap.xml'])
  const named = Object.values(files).map((text) => (text.match(/<url>/g) ?? []).length)
  expect(named).toEqual([50_000, 50_000, 1, 0])
  expect(files['sitemap.xml']).toContain('<sitemap><loc>https://acme.example/sitemap-3.xml</loc></sitemap>')
})

test('robots.txt points to the sitemap', () => {
  expect(Buffer.from(robots('https://acme.example').body).toString()).toContain(
    '\nSitemap: https://acme.example/sitemap.xml\n',
  )
})

test('escaped text contains no markup and only characters that XML allows', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const written = xmlText(text)
      expect(written).not.toMatch(/[<>"']/)
      expect(written).not.toMatch(/\p{Cc}|\p{Cs}|[\ufffe\uffff]/u)
    }),
  )
})
