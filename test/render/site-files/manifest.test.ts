import fc from 'fast-check'
import { expect, test } from 'vitest'
import { manifest, manifestLine, withKeyId } from '../../../src/render/site-files/manifest.ts'
import { anyLivePage, livePage } from '../../support/live-page.ts'

const published = { publishedAt: '2026-03-03T10:00:00.000Z', etag: '0123' }

test('a line has the documented fields in order', () => {
  const live = livePage({ page: { subroute: 'docs', type: 'docs', description: 'How' } })
  const line: object = JSON.parse(manifestLine(live, published))
  expect(Object.keys(line)).toEqual([
    ...['id', 'title', 'slug', 'subroute', 'type', 'url', 'file', 'key_id', 'description', 'og_image_url'],
    ...['published_at', 'updated_at', 'etag'],
  ])
  expect(line).toMatchObject({
    id: `page_${live.page.id}`,
    url: '/docs/install',
    file: 'docs/install/index.html',
    key_id: null,
    published_at: published.publishedAt,
    updated_at: live.page.updatedAt,
    etag: published.etag,
  })
})

test('changing the key id of a line changes nothing else', () => {
  fc.assert(
    fc.property(anyLivePage(), (live) => {
      const line = manifestLine(live, published)
      expect(JSON.parse(withKeyId(line, 'k2'))).toEqual({ ...JSON.parse(line), key_id: 'k2' })
    }),
  )
})

test('a minimal manifest in Data Mode contains addresses and no content', () => {
  const site = { ...livePage().site, hostingMode: 'data_mode', keyId: 'k1', manifest: 'minimal' } as const
  const word = 'Periwinkle'
  const page = { title: word, description: word, ogImageUrl: `https://example.com/${word}.png` }
  const line = manifestLine(livePage({ page, site }), published)
  const body = Buffer.from(manifest({ site, revision: 1, theme: 'default' }, [line]).body).toString()
  expect(body).not.toContain(word)
  expect(JSON.parse(body)).toMatchObject({
    data_mode: { enabled: true, cipher: 'AES-256-GCM', key_id: 'k1' },
    pages: [{ slug: 'install', file: 'install/index.html', key_id: 'k1' }],
  })
  const open = { ...site, hostingMode: 'full_host', keyId: null } as const
  expect(
    Buffer.from(manifest({ site: open, revision: 1, theme: 'default' }, [line]).body).toString(),
  ).toContain(word)
})

test('the manifest contains the lines unchanged', () => {
  fc.assert(
    fc.property(fc.array(anyLivePage(), { maxLength: 3 }), fc.nat(), (pages, revision) => {
      const lines = pages.map((live) => manifestLine(live, published))
      const site = { ...livePage().site, hostingMode: 'rewrite' } as const
      const { key, stage, owner, body } = manifest({ site, revision, theme: 'dark' }, lines)
      expect([key, stage, owner]).toEqual(['_index.json', 'manifest', { kind: 'site', id: '' }])
      expect(JSON.parse(Buffer.from(body).toString())).toEqual({
        project_id: `proj_${site.projectId}`,
        revision,
        data_mode: { enabled: false, cipher: null, key_id: null },
        hosting_mode: 'rewrite',
        theme: 'dark',
        pages: lines.map((line) => JSON.parse(line)),
      })
    }),
  )
})
