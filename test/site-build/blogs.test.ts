import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
