import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Artifact } from '../../src/domain/artifact.ts'
import { manifest, manifestLine } from '../../src/render/manifest.ts'
import { anyLivePage, livePage } from '../support/live-page.ts'

const at = '2026-03-03T10:00:00.000Z'

function fileOf(id: string, text = '<h1>'): Artifact {
  return {
    key: 'docs/install/index.html',
    stage: 'page',
    body: Buffer.from(text),
    owner: { kind: 'page', id },
  }
}

test('a line says what the contract names, in its order', () => {
  const live = livePage({ page: { subroute: 'docs', type: 'docs', description: 'How' } })
  const line: object = JSON.parse(manifestLine(live, fileOf(live.page.id), at))
  expect(Object.keys(line)).toEqual([
    ...['id', 'title', 'slug', 'subroute', 'type', 'url', 'file', 'description', 'og_image_url'],
    ...['published_at', 'updated_at', 'etag'],
  ])
  expect(line).toMatchObject({
    id: `page_${live.page.id}`,
    url: '/docs/install',
    file: 'docs/install/index.html',
    published_at: at,
    updated_at: live.page.updatedAt,
  })
})

test('the etag follows the bytes', () => {
  const live = livePage()
  const etag = (text: string): unknown => JSON.parse(manifestLine(live, fileOf('x', text), at)).etag
  expect(etag('a')).toBe(etag('a'))
  expect(etag('a')).not.toBe(etag('b'))
})

test('the manifest holds the lines as they were prepared', () => {
  fc.assert(
    fc.property(fc.array(anyLivePage(), { maxLength: 3 }), fc.nat(), (pages, revision) => {
      const lines = pages.map((live) => manifestLine(live, fileOf(live.page.id), at))
      const { projectId } = livePage().site
      const { key, stage, owner, body } = manifest(
        { projectId, revision, hostingMode: 'rewrite', theme: 'dark' },
        lines,
      )
      expect([key, stage, owner]).toEqual(['_index.json', 'manifest', { kind: 'site', id: '' }])
      expect(JSON.parse(Buffer.from(body).toString())).toEqual({
        project_id: `proj_${projectId}`,
        revision,
        data_mode: { enabled: false, cipher: null, key_id: null },
        hosting_mode: 'rewrite',
        theme: 'dark',
        pages: lines.map((line) => JSON.parse(line)),
      })
    }),
  )
})
