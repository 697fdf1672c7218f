import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const article = (title: string, ...fields: readonly string[]) =>
  `---\ntitle: ${title}\n${fields.map((field) => `${field}\n`).join('')}---\nText of ${title}.\n`

const titlesIn = (html: string, titles: readonly string[]) =>
  titles
    .filter((title) => html.includes(`>${title}<`))
    .toSorted((a, b) => html.indexOf(`>${a}<`) - html.indexOf(`>${b}<`))

test('articles in folders of their own, of dates and of topics are in the list of their blog, newest first', async () => {
  const { out, build } = await temporarySite({
    'site.yaml': 'name: Trips\nurl: https://trips.example\ntypes:\n  diary: article\n',
    'index.yaml':
      'title: Home\nsections:\n  - type: posts\n    subroute: diary\n    limit: 10\n  - type: hero\n    title: Hi\n',
    'diary/flat.md': article('Flat', 'date: 2024-01-01'),
    'diary/own/index.md': article('Own', 'date: 2024-01-02'),
    'diary/2024/03/dated.md': article('Dated', 'date: 2024-03-01'),
    'diary/walks/topic.md': article('Topic', 'date: 2024-04-01'),
    'diary/2023/12/24/index.md': article('Eve', 'date: 2023-12-24'),
  })
  expect(await build()).toMatchObject({ pages: { total: 6 }, warnings: [] })
  const read = (key: string) => readFile(join(out, key), 'utf8')
  const all = ['Flat', 'Own', 'Dated', 'Topic', 'Eve']
  const newestFirst = ['Topic', 'Dated', 'Own', 'Flat', 'Eve']
  expect(titlesIn(await read('diary/index.html'), all)).toEqual(newestFirst)
  expect(titlesIn(await read('index.html'), all)).toEqual(newestFirst)
  const feed = JSON.parse(await read('_feed.json'))
  expect(feed.items.map(({ title }: { title: string }) => title)).toEqual(newestFirst)
  expect(feed.items[0].date_published).toBe('2024-04-01T00:00:00.000Z')
  for (const key of ['diary/own', 'diary/2024/03/dated', 'diary/walks/topic', 'diary/2023/12/24']) {
    const html = await read(`${key}/index.html`)
    const up = '../'.repeat(key.split('/').length)
    expect(html, key).toContain(`<a href="${up}diary/">Diary</a>`)
    expect(html).toContain('"item":"https://trips.example/diary/"')
  }
  await expect(read('diary/2024/03/index.html')).rejects.toThrow('ENOENT')
  await expect(read('diary/walks/index.html')).rejects.toThrow('ENOENT')
})

test('a folder of its own in types is a blog of its own, and an article may state another one', async () => {
  const { out, build } = await temporarySite({
    'site.yaml': 'name: Trips\ntypes:\n  diary: article\n  diary/letters: article\n',
    'diary/a.md': article('Entry'),
    'diary/letters/b.md': article('Letter'),
    'diary/letters/c.md': article('Moved', 'blog: diary'),
  })
  await build()
  const read = (key: string) => readFile(join(out, key), 'utf8')
  const all = ['Entry', 'Letter', 'Moved']
  expect(titlesIn(await read('diary/index.html'), all).toSorted()).toEqual(['Entry', 'Moved'])
  expect(titlesIn(await read('diary/letters/index.html'), all)).toEqual(['Letter'])
})

test('date is the publication date of an article, and publish_date comes before it', async () => {
  const { out, build } = await temporarySite({
    'site.yaml': 'name: Trips\ntypes:\n  blog: article\n',
    'static/index.html': '<!doctype html>',
    'blog/a.md': article('A', 'date: 2024-03-10 21:30:00 -0800'),
    'blog/b.md': article('B', 'date: 2024-03-10', 'publish_date: 2024-03-12'),
    'blog/c.md': article('C', 'date: 2024-03-10T21:30:00+09:00'),
  })
  expect(await build()).toMatchObject({ warnings: [] })
  const timeOf = async (slug: string) =>
    /<time datetime="([^"]*)">([^<]*)</.exec(
      await readFile(join(out, `blog/${slug}/index.html`), 'utf8'),
    )?.[2]
  expect(await timeOf('a')).toBe('March 10, 2024')
  expect(await timeOf('b')).toBe('March 12, 2024')
  expect(await timeOf('c')).toBe('March 10, 2024')
})

describe('tags', () => {
  const SITE = 'name: Trips\nurl: https://trips.example\ntypes:\n  blog: article\n'
  const HOME = 'title: Home\nsections:\n  - type: hero\n    title: Hi\n'
  const files = {
    'site.yaml': SITE,
    'static/index.html': '<!doctype html>',
    'blog/a.md': article('A', 'date: 2024-01-01', 'tags: [Node JS, Trains]'),
    'blog/b.md': article('B', 'date: 2024-01-02', 'tags: [node-js]'),
    'blog/2024/c.md': article('C', 'date: 2024-01-03', 'tags: Node JS'),
    'blog/d.md': article('D', 'date: 2024-01-04'),
  }
  const reader = (out: string) => (key: string) => readFile(join(out, key), 'utf8')
  const tagKeys = async (out: string) =>
    [...(await readSiteFiles(out)).keys()].filter((key) => key.includes('tags/'))

  test('are written as a list, or in one line with commas between them', async () => {
    const { out, build } = await temporarySite({
      ...files,
      'blog/a.md': article('A', 'date: 2024-01-01', 'tags: Node JS, Trains,'),
    })
    expect(await build()).toMatchObject({ warnings: [] })
    expect((await tagKeys(out)).filter((key) => key.endsWith('.xml'))).toEqual([
      'blog/tags/node-js/feed.xml',
      'blog/tags/trains/feed.xml',
    ])
  })

  test('have a list and a feed of their articles, and an index per blog and site', async () => {
    const { out, build } = await temporarySite(files)
    expect(await build()).toMatchObject({ warnings: [] })
    const read = reader(out)
    expect(await tagKeys(out)).toEqual([
      'blog/tags/index.html',
      'blog/tags/node-js/feed.xml',
      'blog/tags/node-js/index.html',
      'blog/tags/trains/feed.xml',
      'blog/tags/trains/index.html',
      'tags/index.html',
    ])
    const list = await read('blog/tags/node-js/index.html')
    expect(titlesIn(list, ['A', 'B', 'C', 'D'])).toEqual(['C', 'B', 'A'])
    expect(list).toContain('<h1>Node JS</h1>')
    expect(list).toContain('<a href="../../../blog/tags/node-js/feed.xml" type="application/atom+xml">')
    const feed = await read('blog/tags/node-js/feed.xml')
    expect(feed.match(/<entry>\n<title>(\w)/g)).toHaveLength(3)
    expect(feed).toContain('href="https://trips.example/blog/tags/node-js/feed.xml"')
    expect(await read('blog/2024/c/index.html')).toContain(
      '<a class="tag" href="../../../blog/tags/node-js/">Node JS</a>',
    )
    expect(await read('blog/index.html')).toContain('<a class="tag" href="../blog/tags/trains/">Trains</a>')
    expect(await read('tags/index.html')).toMatch(/Node JS <span class="tag-count">3<\/span>/)
  })

  test("an author's page at the address of a tag stays", async () => {
    const { out, build } = await temporarySite({
      ...files,
      'blog/tags/trains.yaml': 'title: My trains\ntype: page\nsections:\n  - type: hero\n    title: Mine\n',
      'blog/tags/index.yaml': 'title: My tags\ntype: page\nsections:\n  - type: hero\n    title: Mine\n',
    })
    await build()
    expect(await reader(out)('blog/tags/trains/index.html')).toContain('Mine')
    expect(await reader(out)('blog/tags/index.html')).toContain('Mine')
    expect(await tagKeys(out)).not.toContain('blog/tags/trains/feed.xml')
  })

  test('the last article of a tag takes its list with it', async () => {
    const { out, build, put, drop } = await temporarySite(files)
    await build()
    await drop('blog/a.md')
    await build()
    expect(await tagKeys(out)).toEqual([
      ...['blog/tags/index.html', 'blog/tags/node-js/feed.xml', 'blog/tags/node-js/index.html'],
      'tags/index.html',
    ])
    expect(await reader(out)('blog/tags/node-js/index.html')).toMatch(/<h1>(Node JS|node-js)<\/h1>/)
    await put('blog/b.md', article('B', 'date: 2024-01-02'))
    await put('blog/2024/c.md', article('C', 'date: 2024-01-03'))
    await build()
    expect(await tagKeys(out)).toEqual([])
  })

  test('an incremental build after any edits writes what a cold build does', async () => {
    const state = fc.record({
      day: fc.integer({ min: 1, max: 28 }),
      title: fc.constantFrom('One', 'Two'),
      tags: fc.uniqueArray(fc.constantFrom('x', 'X', 'y z', 'Y-Z', '東京'), { maxLength: 3 }),
    })
    const edit = fc.record({ file: fc.integer({ min: 0, max: 4 }), to: fc.option(state, { freq: 5 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 5 }), async (edits) => {
        const { out, build, put, drop, folder } = await temporarySite({
          'site.yaml': SITE,
          'index.yaml': HOME,
        })
        const present = new Set<number>()
        await build()
        for (const { file, to } of edits) {
          const name = file === 4 ? `blog/2023/${file}.md` : `blog/${file}.md`
          if (to === null && !present.delete(file)) continue
          if (to === null) await drop(name)
          else {
            present.add(file)
            const day = String(to.day).padStart(2, '0')
            await put(name, article(to.title, `date: 2024-02-${day}`, `tags: ${JSON.stringify(to.tags)}`))
          }
          await build()
        }
        const fresh = await temporarySite({})
        await cp(folder, fresh.folder, { recursive: true })
        await fresh.build()
        const files = await readSiteFiles(out)
        const expected = await readSiteFiles(fresh.out)
        expect([...files.keys()]).toEqual([...expected.keys()])
        for (const [key, text] of expected) expect(timeless(files.get(key) ?? ''), key).toBe(timeless(text))
      }),
      { numRuns: 25 },
    )
  })

  const timeless = (text: string) =>
    text.replace(
      /"(published_at|updated_at|etag)":"[^"]*"|"revision":\d+|<lastmod>[^<]*|<updated>[^<]*|"date_modified":"[^"]*"/g,
      '',
    )
})

test('an article ends with its author, the older and newer article, and related ones', async () => {
  const author = 'author: { name: Ada, avatar: /ada.png, bio: Rides trains., url: https://ada.example }'
  const { out, build, put } = await temporarySite({
    'site.yaml': 'name: Trips\ntypes:\n  blog: article\n',
    'static/index.html': '<!doctype html>',
    'static/ada.png': 'png',
    'blog/a.md': article('A', 'date: 2024-01-01', 'tags: [Trains]'),
    'blog/b.md': article('B', 'date: 2024-01-02', author),
    'blog/c.md': article('C', 'date: 2024-01-03', 'tags: [Trains]'),
  })
  await build()
  const read = (slug: string) => readFile(join(out, `blog/${slug}/index.html`), 'utf8')
  const b = await read('b')
  expect(b).toMatch(/rel="prev" href="..\/..\/blog\/a\/"><span class="pager-word">Older article<\/span> A</)
  expect(b).toMatch(/rel="next" href="..\/..\/blog\/c\/"><span class="pager-word">Newer article<\/span> C</)
  expect(b).toContain('<a rel="author" href="https://ada.example">Ada</a>')
  expect(b).toContain('<p>Rides trains.</p>')
  expect(b).toContain('"author":{"@type":"Person","name":"Ada","url":"https://ada.example/"}')
  expect(await read('a')).toMatch(/Related articles[\s\S]*href="..\/..\/blog\/c\/"/)
  await put('blog/c.md', article('Changed', 'date: 2024-01-03', 'tags: [Trains]'))
  await build()
  expect(await read('b')).toContain('Newer article</span> Changed<')
  expect(await read('a')).toContain('>Changed</a>')
})

test("a page at the address of a tag's list is reported for as long as an article has the tag", async () => {
  const { build, put } = await temporarySite({
    'site.yaml': 'name: Trips\ntypes:\n  blog: article\n',
    'static/index.html': '<!doctype html>',
    'blog/a.md': article('A', 'tags: [Trains, Maps]'),
    'blog/tags/trains.md': article('Own trains', 'type: docs'),
    'blog/tags/index.md': article('All tags', 'type: docs'),
  })
  const codes = async () =>
    (await build()).warnings.map(({ code, file }: { code: string; file: string }) => `${file} ${code}`)
  expect(await codes()).toEqual(['blog/tags/trains.md QN-REPLACED-LIST'])
  await put('blog/a.md', article('A', 'tags: [Maps]'))
  expect(await codes()).toEqual([])
  await put('blog/a.md', article('A', 'tags: [Trains]'))
  expect(await codes()).toEqual(['blog/tags/trains.md QN-REPLACED-LIST'])
  await put('blog/a.md', article('Edited', 'tags: [Trains]'))
  expect(await codes()).toEqual(['blog/tags/trains.md QN-REPLACED-LIST'])
})
