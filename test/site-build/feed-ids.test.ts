import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unstatedFeedGuid } from '../../src/content-folder/feed-guid.ts'
import { readSite, readSiteTexts } from '../../src/content-folder/read-site.ts'
import { withGuid } from '../../src/content-folder/with-guid.ts'
import { writeFrontMatter } from '../../src/page-text/write-front-matter.ts'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const SITE = { 'site.yaml': 'name: Walks\nurl: https://walks.example.com\n' }
const POST =
  '---\ntitle: One\ntype: article\npublish_date: 2024-03-10 23:30 -0500\ntags: [Hills]\n---\nText.\n'
const ids = (text: string | undefined) => [...(text ?? '').matchAll(/<id>([^<]*)<\/id>/g)].map(([, id]) => id)

describe('the ids of the feeds of a build', () => {
  test('follow from the folder alone, whatever address and machine it is built for', async () => {
    const { build, out } = await temporarySite({ ...SITE, 'blog/one.md': POST })
    const entry = 'tag:walks.example.com,2024-03-10:/blog/one'
    for (const origin of [null, 'http://127.0.0.1:8080', 'https://preview.example.net/branch']) {
      await build({}, false, null, null, origin)
      const files = await readSiteFiles(out)
      expect(ids(files.get('feed.xml'))).toEqual(['https://walks.example.com/', entry])
      expect(ids(files.get('blog/tags/hills/feed.xml'))).toEqual([
        'https://walks.example.com/blog/tags/hills',
        entry,
      ])
    }
  })

  test('are those that the files state, also after an incremental build, and stay when a file moves', async () => {
    const { build, folder, out } = await temporarySite({ ...SITE, 'blog/one.md': POST })
    await build()
    const stated = withGuid(POST, 'https://old.example.com/?p=1')
    await writeFile(join(folder, 'blog/one.md'), stated)
    await writeFile(join(folder, 'site.yaml'), `${SITE['site.yaml']}feed_guid: https://old.example.com/\n`)
    await build()
    const expected = ['https://old.example.com/', 'https://old.example.com/?p=1']
    expect(ids((await readSiteFiles(out)).get('feed.xml'))).toEqual(expected)
    await rename(join(folder, 'blog/one.md'), join(folder, 'blog/two.md'))
    await build()
    expect(ids((await readSiteFiles(out)).get('feed.xml'))).toEqual(expected)
  })

  test('follow the url of the folder also where a build replaces it', async () => {
    const { build, folder, out } = await temporarySite({ ...SITE, 'blog/one.md': POST })
    await build({}, false, null, null, 'https://preview.example.net')
    await writeFile(join(folder, 'site.yaml'), 'name: Walks\nurl: https://other.example.com\n')
    await build({}, false, null, null, 'https://preview.example.net')
    const files = await readSiteFiles(out)
    for (const key of ['feed.xml', 'blog/tags/hills/feed.xml'])
      expect(ids(files.get(key)).every((id) => id?.includes('other.example.com'))).toBe(true)
  })

  test('are reported for an article that has moved without one of its own, and for one that is no address', async () => {
    const moved = POST.replace('tags:', 'redirect_from: /old\ntags:')
    const { build } = await temporarySite({
      ...SITE,
      'blog/one.md': moved,
      'blog/two.md': withGuid(moved.replace('/old', '/older'), 'tag:example.com,2020:2'),
      'blog/three.md': withGuid(POST, 'post three'),
    })
    const { warnings } = await build()
    const found = warnings.filter(({ code }) => code === 'QN-FEED-ID').map(({ file }) => file)
    expect(found).toEqual(['blog/one.md', 'blog/three.md'])
  })
})

test('a file with the id that it had keeps its other values and its text, and has that id', () => {
  const anyText = fc.string({ unit: 'grapheme', maxLength: 30 })
  fc.assert(
    fc.property(
      fc.record({ title: fc.constant('One'), description: anyText, config: fc.dictionary(anyText, anyText) }),
      anyText.map((text) => `Text ${text}\n`),
      fc.constantFrom('\n', '\r\n'),
      (values, body, lineEnd) => {
        const written = writeFrontMatter({ type: 'article', ...values }, body)
        const text = lineEnd === '\n' ? written : written.replaceAll('\n', lineEnd)
        const guid = 'tag:walks.example.com,2024-03-10:/blog/%C3%A9'
        const pageOf = (file: string) =>
          readSiteTexts(new Map([...Object.entries(SITE), ['a.md', file]])).site.pages[0]
        const before = pageOf(text)
        fc.pre(before !== undefined)
        expect(pageOf(withGuid(text, guid))).toEqual({ ...before, ownFields: { feedGuid: guid } })
      },
    ),
  )
})

test('an article without a date, and one on a site without an address, have the same id everywhere', async () => {
  const { folder } = await temporarySite({
    'site.yaml': 'name: Walks\n',
    'blog/é è.md': '---\ntype: article\nslug: thé\n---\n',
  })
  const { site } = await readSite(folder)
  expect(site.pages.map((page) => unstatedFeedGuid(page, site))).toEqual([
    'tag:localhost,2000-01-01:/blog/th%C3%A9',
  ])
})
