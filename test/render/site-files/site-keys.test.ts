import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feeds } from '../../../src/render/site-files/feeds.ts'
import { llmsText } from '../../../src/render/site-files/llms.ts'
import { renderNotFound } from '../../../src/render/site-files/not-found.ts'
import { siteFile } from '../../../src/render/site-files/site-file.ts'
import { siteKeys } from '../../../src/render/site-files/site-keys.ts'
import { robots, sitemap, sitemapKeys } from '../../../src/render/site-files/sitemap.ts'
import { livePage } from '../../support/live-page.ts'
import { createPlainTheme } from '../../support/plain-theme.ts'

const ENTRY = {
  id: 'https://acme.example/#page_1',
  url: 'https://acme.example/blog/a/',
  title: 'A',
  summary: '',
  html: null,
  author: null,
  image: null,
  published: '2026-02-03T00:00:00.000Z',
  updated: '2026-02-03T00:00:00.000Z',
}

test('every file that a site writes as a whole is among the keys that deleting a site removes', () => {
  const live = livePage()
  const lines = Array.from({ length: 50_001 }, () => '<url/>')
  const written = [
    ...feeds(live, [ENTRY]),
    llmsText(live, [], []),
    renderNotFound(live, null, createPlainTheme()),
    robots(live.site.origin),
    ...sitemap(live.site.origin, lines),
  ]
  const keys = siteKeys(lines.length, [])
  for (const { key } of written) expect(keys).toContain(key)
})

test('the keys of a sitemap are those of its files, for a site of any size', () => {
  const size = fc.oneof(fc.constantFrom(0, 1, 49_999, 50_000, 50_001, 100_000), fc.nat(120_000))
  fc.assert(
    fc.property(size, (pages) => {
      const lines = Array.from({ length: pages }, () => '')
      const keys = sitemap('https://acme.example', lines).map(({ key }) => key)
      expect(new Set(sitemapKeys(pages))).toEqual(new Set(keys))
    }),
    { numRuns: 15 },
  )
})

test('no key is named twice', () => {
  const keys = siteKeys(1_000_000, ['fr'])
  expect(new Set(keys).size).toBe(keys.length)
})

test('a file of the site is published with the indexes and belongs to no page', () => {
  const { key, stage, owner, body } = siteFile('a.txt', {
    start: '<',
    lines: ['ä', '字'],
    separator: ',',
    end: '>',
  })
  expect({ key, stage, owner }).toEqual({ key: 'a.txt', stage: 'index', owner: { kind: 'site', id: '' } })
  expect(Buffer.from(body).toString()).toBe('<ä,字>')
  expect(Buffer.from(siteFile('a.txt', '<ä,字>').body)).toEqual(Buffer.from(body))
})
