import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const post = (number: number) =>
  `---\ntitle: Walk ${number}\ntype: article\nblog: ''\npublish_date: 2024-03-${String(number).padStart(2, '0')}\ntags: [Hills]\n---\nText.\n`

const SITE = {
  'site.yaml': 'name: Walks\nurl: https://walks.example.com\n',
  ...Object.fromEntries(
    Array.from({ length: 27 }, (_, index) => [`2024/03/w${index + 1}.md`, post(index + 1)]),
  ),
  'about.md': '---\ntitle: About\ntype: page\n---\nText.\n',
  'top.md': post(28).replaceAll('Walk', 'Top'),
}

test('articles that state the top of the site as their blog have their list there, with its pages and tags', async () => {
  const { build, folder, out } = await temporarySite(SITE)
  const { warnings } = await build()
  expect(warnings).toEqual([])
  const files = await readSiteFiles(out)
  expect(files.get('index.html')).toContain('Top 28')
  expect(files.get('index.html')).not.toContain('Walk 1<')
  expect(files.get('page/1/index.html')).toContain('Walk 1')
  expect(files.get('tags/hills/index.html')).toContain('Top 28')
  expect(files.has('tags/hills/feed.xml')).toBe(true)
  expect(files.get('tags/index.html')).toContain('Hills')
  expect([...files.keys()].filter((path) => /^2024\/03\/(index|tags)/.test(path))).toEqual([])
  expect(files.get('feed.xml')).toContain('Walk 9')

  await rm(join(folder, 'top.md'))
  await build()
  expect((await readSiteFiles(out)).get('index.html')).not.toContain('Top 28')
})

test('a front page of its own takes the place of the list at the top', async () => {
  const { build, out } = await temporarySite({
    ...SITE,
    'index.md': '---\ntitle: Home\ntype: page\n---\nWelcome.\n',
  })
  await build()
  expect((await readSiteFiles(out)).get('index.html')).toContain('Welcome.')
})
