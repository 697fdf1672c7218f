import { describe, expect, test } from 'vitest'
import { objectTag, siteTag } from '../../../src/cdn/cache-tags.ts'
import { storageKey } from '../../../src/domain/storage-key.ts'
import { projectId, startSite } from '../../support/visited-site.ts'

const SITE = {
  'index.html': '<h1>Home</h1>',
  'docs/install/index.html': '<h1>Install</h1>',
  '_index.json': '{}',
  '_assets/style.1234.css': 'body {}',
  '404.html': '<h1>Lost?</h1>',
  '文档/index.html': '文档',
}

const tagOf = (key: string) => objectTag(storageKey(projectId, key))

async function tagsOf(path: string) {
  const visit = await startSite({ site: SITE })
  const { headers, status } = await visit(path)
  const tags = String(headers['surrogate-key']).split(' ')
  expect(String(headers['cache-tag']).split(',')).toEqual(tags)
  expect(headers['cdn-tag']).toBe(headers['cache-tag'])
  return { status, tags }
}

describe('an answer to a visitor', () => {
  test.each([
    ['/', 'index.html'],
    ['/docs/install/', 'docs/install/index.html'],
    ['/_index.json', '_index.json'],
    ['/_assets/style.1234.css', '_assets/style.1234.css'],
    [`/${encodeURIComponent('文档')}/`, '文档/index.html'],
  ])('to %j has the tags of the site and of %j', async (path, key) => {
    expect(await tagsOf(path)).toEqual({ status: 200, tags: [siteTag(projectId), tagOf(key)] })
  })

  test('has the tag of the page in a folder when it redirects to the folder', async () => {
    const { status, tags } = await tagsOf('/docs/install')
    expect(status).toBe(308)
    expect(tags).toContain(tagOf('docs/install/index.html'))
  })

  test('has the tag of the page that it leads to when it redirects to another spelling', async () => {
    const { status, tags } = await tagsOf('/Docs/Install/')
    expect(status).toBe(308)
    expect(tags).toContain(tagOf('docs/install/index.html'))
  })

  test('404 has the tags of the 404 page and of the page that may be published there', async () => {
    const { status, tags } = await tagsOf('/docs/later')
    expect(status).toBe(404)
    expect(tags).toEqual(
      expect.arrayContaining(['404.html', 'docs/later', 'docs/later/index.html'].map(tagOf)),
    )
  })

  test.each(['/', '/nothing/here'])('to %j has tags that every cache accepts', async (path) => {
    const { tags } = await tagsOf(path)
    // Bunny reads 1,024 bytes of its header, the others more.
    expect(tags.join(',').length).toBeLessThan(1024)
    for (const tag of tags) expect(tag).toMatch(/^[a-z0-9_-]{1,100}$/i)
  })
})
