import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporarySite } from './temporary-site.ts'

const article = (title: string, day: string, author: string) =>
  `---\ntitle: ${title}\ntype: article\npublish_date: 2026-01-${day}\nauthor: ${author}\n---\nText.\n`

const SITE = {
  'site.yaml': 'name: Notes\nurl: https://notes.example\n',
  'index.md': '---\ntitle: Home\n---\nHello.\n',
  'data/authors.yaml': `ines:
  name: Ines Marlow
  bio: Takes the slow train.
  links:
    - { label: Mastodon, href: https://social.example/@ines }
    - { label: Bad, href: "javascript:alert(1)" }
`,
  'blog/one.md': article('One', '01', 'ines'),
  'blog/two.md': article('Two', '02', 'Ines Marlow'),
  'blog/guest.md': article('Guest', '03', 'Ada Guest'),
  'news/three.md': article('Three', '04', '{ name: ines, bio: Writes news. }'),
}

const titlesIn = (html: string) =>
  [...html.matchAll(/<a class="card-link" href="[^"]*">([^<]*)<\/a>/g)].map(([, title]) => title)
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

test('an author whom the site describes has a page with their articles and a feed in each of their blogs', async () => {
  const { out, build } = await temporarySite(SITE)
  expect((await build()).warnings).toEqual([])
  const read = (file: string) => readFile(join(out, file), 'utf8')
  const page = await read('blog/authors/ines/index.html')
  expect(page).toMatch(/<h1>Ines Marlow<\/h1>\n<p class="lead">Takes the slow train\.<\/p>/)
  expect(titlesIn(page)).toEqual(['Two', 'One'])
  expect(page).toContain('<a rel="me" href="https://social.example/@ines">Mastodon</a>')
  expect(page).not.toContain('Bad')
  const feed = await read('blog/authors/ines/feed.xml')
  expect([...feed.matchAll(/<title>([^<]*)</g)].map(([, title]) => title)).toEqual([
    'Ines Marlow · Blog · Notes',
    'Two',
    'One',
  ])
  expect(titlesIn(await read('news/authors/ines/index.html'))).toEqual(['Three'])
  expect(await exists(join(out, 'blog/authors/ada-guest'))).toBe(false)
})

test('an article names its author by the short name, shows the rest, and leads to the page of the author', async () => {
  const { out, build } = await temporarySite(SITE)
  await build()
  const box = async (file: string) =>
    /<section class="author-box"[\s\S]*?<\/section>/.exec(await readFile(join(out, file), 'utf8'))?.[0] ??
    null
  expect(await box('blog/one/index.html')).toMatch(
    /href="\.\.\/\.\.\/blog\/authors\/ines\/">Ines Marlow<[\s\S]*Takes the slow train\./,
  )
  expect(await box('news/three/index.html')).toContain('Writes news.')
  expect(await box('blog/guest/index.html')).toBeNull()
})

test('a build after an edit, a new article and a new author writes what a first build would', async () => {
  const { out, put, drop, build } = await temporarySite(SITE)
  await build()
  await put('blog/one.md', article('First', '01', 'ines'))
  expect((await build()).pages.rendered).toBeLessThan(4)
  const page = () => readFile(join(out, 'blog/authors/ines/index.html'), 'utf8')
  expect(titlesIn(await page())).toEqual(['Two', 'First'])
  await put('blog/four.md', article('Four', '05', 'ines'))
  await drop('blog/two.md')
  await build()
  expect(titlesIn(await page())).toEqual(['Four', 'First'])
  await put('data/authors.yaml', 'ada:\n  name: Ada Guest\n')
  await build()
  expect(await exists(join(out, 'blog/authors/ines'))).toBe(false)
  expect(titlesIn(await readFile(join(out, 'blog/authors/ada/index.html'), 'utf8'))).toEqual(['Guest'])
})

test('a page at the address of the list of an author takes its place, with a warning', async () => {
  const { out, build } = await temporarySite({
    ...SITE,
    'blog/authors/ines.md': '---\ntitle: Me\ntype: page\n---\nHello.\n',
  })
  const { warnings } = await build()
  expect(warnings).toEqual([
    expect.objectContaining({
      code: 'QN-REPLACED-LIST',
      message: expect.stringContaining('by "Ines Marlow"'),
    }),
  ])
  expect(await readFile(join(out, 'blog/authors/ines/index.html'), 'utf8')).toContain('<h1>Me</h1>')
})
