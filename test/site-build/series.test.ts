import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporarySite } from './temporary-site.ts'

const part = (title: string, day: string, series: string) =>
  `---\ntitle: ${title}\ntype: article\npublish_date: 2026-01-${day}\nseries: ${series}\n---\nText.\n`

const SITE = {
  'site.yaml': 'name: Notes\nurl: https://notes.example\n',
  'index.md': '---\ntitle: Home\n---\nHello.\n',
  'blog/one.md': part('One', '01', 'By train'),
  'blog/two.md': part('Two', '02', 'by train'),
  'blog/prologue.md': part('Prologue', '03', '{ name: By train, order: 1 }'),
  'blog/alone.md': part('Alone', '04', '[Other]'),
  'news/same.md': part('Same name in another blog', '04', 'By train'),
}

/** The titles of the parts in the box of an article, that of the article itself in brackets; null without a box. */
async function boxOf(out: string, article: string) {
  const html = await readFile(join(out, article, 'index.html'), 'utf8')
  const box = /<nav class="series"[\s\S]*?<\/nav>/.exec(html)?.[0]
  if (box === undefined) return null
  const parts = [...box.matchAll(/<li><a href="([^"]*)"( aria-current="page")?>([^<]*)<\/a>/g)]
  const step = (name: string) => new RegExp(`pager-${name}" href="([^"]*)"`).exec(box)?.[1] ?? null
  return {
    parts: parts.map(([, , current, title]) => (current === undefined ? title : `[${title}]`)).join(' '),
    numbered: /pager-word">([^<]*)</.exec(box)?.[1],
    previous: step('previous'),
    next: step('next'),
  }
}

test('a part of a series lists all parts in their order and leads to the previous and the next one', async () => {
  const { out, build } = await temporarySite(SITE)
  expect((await build()).warnings).toEqual([])
  expect(await boxOf(out, 'blog/one')).toEqual({
    parts: 'Prologue [One] Two',
    numbered: 'Part 2 of 3',
    previous: '../../blog/prologue/',
    next: '../../blog/two/',
  })
  expect(await boxOf(out, 'blog/two')).toMatchObject({ previous: '../../blog/one/', next: null })
  expect(await boxOf(out, 'blog/alone')).toBeNull()
  expect(await boxOf(out, 'news/same')).toBeNull()
})

test('a part that comes, goes, moves or is renamed changes the boxes of the others, and of no other article', async () => {
  const { out, put, drop, build } = await temporarySite(SITE)
  await build()
  await put('blog/two.md', part('Second', '02', 'By train'))
  expect((await build()).pages.rendered).toBe(3)
  expect((await boxOf(out, 'blog/prologue'))?.parts).toBe('[Prologue] One Second')
  await put('blog/two.md', part('Second', '02', '{ name: By train, order: 0 }'))
  await build()
  expect((await boxOf(out, 'blog/one'))?.parts).toBe('Second Prologue [One]')
  await drop('blog/two.md')
  await put('blog/four.md', part('Four', '09', 'By train'))
  await build()
  expect((await boxOf(out, 'blog/one'))?.parts).toBe('Prologue [One] Four')
})

test('a series shows its first hundred parts, however many it has', async () => {
  const days = Array.from({ length: 102 }, (_, index) => `part-${String(index).padStart(3, '0')}`)
  const parts = days.map((name, index) => [
    `blog/${name}.md`,
    part(name, '01', `{ name: Long, order: ${index} }`),
  ])
  const { out, build } = await temporarySite({ ...SITE, ...Object.fromEntries(parts) })
  await build()
  expect((await boxOf(out, 'blog/part-099'))?.parts.split(' ')).toHaveLength(100)
  expect(await boxOf(out, 'blog/part-099')).toMatchObject({ numbered: 'Part 100 of 100', next: null })
  expect(await boxOf(out, 'blog/part-100')).toBeNull()
})

test.each([
  ['{ order: 2 }', 'series'],
  ['{ name: A, order: first }', 'series'],
  ['"!!"', 'series'],
])('a series written as %s is refused by its field', async (written, field) => {
  const { run } = await temporarySite({ ...SITE, 'blog/one.md': part('One', '01', written) })
  const result = await run()
  const errors = 'errors' in result ? result.errors : []
  expect(errors).toEqual([
    expect.objectContaining({ file: 'blog/one.md', field: expect.stringMatching(field) }),
  ])
})
