import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporarySite } from './temporary-site.ts'

const FILES = {
  'site.yaml': 'name: Notes\nurl: https://notes.example\n',
  'index.md': '# Home\n',
  'docs/a.md': '---\ntitle: A\nredirect_from: /stated\n---\n## S\n\nText.\n',
  'blog/one.md': '---\ntitle: One\ntype: article\ntags: [Trains]\npublish_date: 2026-01-02\n---\nText.\n',
  'static/openapi.json': '{"openapi":"3.1.0"}',
  'redirects.yaml': `/gh: https://example.org/x?a=1&b=2
/part: /docs/a#s
/index.xml: /feed.xml
/blog/tags/trains/index.xml: /blog/tags/trains/feed.xml
/api.json: /openapi.json
/api: /openapi.json
/posts: /blog
/categories/trains/: /blog/tags/trains
/old: /stated
/older.php: /part
`,
}

const textIn = (out: string) => (name: string) => readFile(join(out, name), 'utf8')
const isThere = (out: string, name: string) =>
  stat(join(out, name)).then(
    () => true,
    () => false,
  )
const hrefIn = (html: string) => /url=([^"]*)">/.exec(html)?.[1]

describe('redirects.yaml in a build', () => {
  test('leads to other sites, headings, lists, lists of tags, feeds and files of the site', async () => {
    const { build, out } = await temporarySite(FILES)
    expect((await build()).warnings).toEqual([])
    const text = textIn(out)
    expect(hrefIn(await text('gh/index.html'))).toBe('https://example.org/x?a=1&amp;b=2')
    expect(hrefIn(await text('part/index.html'))).toBe('../docs/a/#s')
    expect(hrefIn(await text('api/index.html'))).toBe('../openapi.json')
    expect(hrefIn(await text('posts/index.html'))).toBe('../blog/')
    expect(hrefIn(await text('categories/trains/index.html'))).toBe('../../blog/tags/trains/')
    // Two former paths lead straight to the end.
    expect(hrefIn(await text('old/index.html'))).toBe('../docs/a/')
    expect(hrefIn(await text('older.php/index.html'))).toBe('../docs/a/#s')
    expect(await text('part/index.html')).toContain(
      '<link rel="canonical" href="https://notes.example/docs/a/">',
    )
  })

  test('copies the bytes of feeds and files for programs that read no HTML, and renews them', async () => {
    const { build, out, put } = await temporarySite(FILES)
    await build()
    const text = textIn(out)
    expect(await text('index.xml')).toBe(await text('feed.xml'))
    expect(await text('blog/tags/trains/index.xml')).toBe(await text('blog/tags/trains/feed.xml'))
    expect(await text('api.json')).toBe('{"openapi":"3.1.0"}')
    await put('blog/one.md', FILES['blog/one.md'].replace('title: One', 'title: Two'))
    await put('static/openapi.json', '{"openapi":"3.2.0"}')
    await build()
    expect(await text('index.xml')).toContain('Two')
    expect(await text('index.xml')).toBe(await text('feed.xml'))
    expect(await text('api.json')).toBe('{"openapi":"3.2.0"}')
  })

  test('removes redirects that the file no longer has, and writes nothing when nothing changed', async () => {
    const { build, out, put } = await temporarySite(FILES)
    await build()
    expect((await build()).files).toMatchObject({ written: 0, removed: 0 })
    await put('redirects.yaml', '/gh: https://example.org/y\n')
    await build()
    const text = textIn(out)
    expect(hrefIn(await text('gh/index.html'))).toBe('https://example.org/y')
    expect(await isThere(out, 'index.xml')).toBe(false)
    expect(await isThere(out, 'part/index.html')).toBe(false)
  })

  test('reports a target that the site does not have, and builds the rest', async () => {
    const { build, out, put } = await temporarySite(FILES)
    await put('redirects.yaml', '/a: /none\n/b: /none.pdf\n/index.xml: /feed.xml\n')
    const { warnings } = await build()
    expect(warnings.map(({ code, file, line, message }) => `${code} ${file}:${line} ${message}`)).toEqual([
      'QN-DEAD-REDIRECT redirects.yaml:1 /a leads to /none, which the site does not have.',
      'QN-DEAD-REDIRECT redirects.yaml:2 /b leads to /none.pdf, which the site does not have.',
    ])
    expect(await isThere(out, 'a/index.html')).toBe(false)
    expect(await isThere(out, 'index.xml')).toBe(true)
  })

  test('gives way to a page, a list or a file at its path', async () => {
    const { build, out, put, run } = await temporarySite(FILES)
    await put('redirects.yaml', '/blog: https://example.org/\n')
    await build()
    expect(hrefIn(await textIn(out)('blog/index.html'))).toBeUndefined()
    await put('redirects.yaml', '/openapi.json: https://example.org/\n/docs/a: /feed.xml\n')
    const result = await run()
    expect('errors' in result && result.errors.map(({ message }) => message)).toEqual([
      '/openapi.json is already the path of static/openapi.json.',
      '/docs/a is already the path of docs/a.md.',
    ])
  })

  test('has no place in Data Mode', async () => {
    const { build, out } = await temporarySite(FILES)
    await build({}, false, new Uint8Array(32).fill(7))
    expect(await isThere(out, 'index.xml')).toBe(false)
    expect(await isThere(out, 'gh/index.html')).toBe(false)
  })
})
