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

test('an entry of the authors that cannot be used is an error at its line', async () => {
  const errorsOf = async (files: Readonly<Record<string, string>>) => {
    const { 'data/authors.yaml': _, ...rest } = SITE
    const { run } = await temporarySite({ ...rest, ...files })
    return ((await run()) as { readonly errors?: readonly unknown[] }).errors
  }
  const bad = `ines:
  name: Ines Marlow
  url: notes
  links: https://social.example/@ines
ada: Ada Guest
Ada:
  name: Ada
max:
  name: [Max]
  links:
    - { label: Mastodon }
    - { label: Bad, href: "javascript:alert(1)" }
"--": { name: Nameless }
fine: { name: '', role: [Editor], links: [] }
`
  const at = (line: number, field: string) =>
    expect.objectContaining({ code: 'QN-BAD-DATA', file: 'data/authors.yaml', line, field })
  expect(await errorsOf({ 'data/authors.yaml': bad })).toEqual([
    at(3, 'authors.ines.url'),
    at(4, 'authors.ines.links'),
    at(5, 'authors.ada'),
    at(6, 'authors.Ada'),
    at(9, 'authors.max.name'),
    at(11, 'authors.max.links[0].href'),
    at(12, 'authors.max.links[1].href'),
    at(13, 'authors.--'),
  ])
  expect(await errorsOf({ 'data/authors/ines.json': '{\n "bio": 1 }' })).toEqual([
    expect.objectContaining({ file: 'data/authors/ines.json', line: 2, field: 'authors.ines.bio' }),
  ])
  const inSiteFile = `${SITE['site.yaml']}data:\n  authors:\n    ines: Ines\n`
  expect(await errorsOf({ 'site.yaml': inSiteFile })).toEqual([
    expect.objectContaining({ file: 'site.yaml', line: 5, field: 'data.authors.ines' }),
  ])
})

test('a list of authors is a value of templates like any other', async () => {
  const { build } = await temporarySite({ ...SITE, 'data/authors.yaml': '- Ines Marlow\n' })
  expect((await build()).warnings).toEqual([])
})

test('an article whose author has a list at too long a path is an error that names the field', async () => {
  const folder = Array.from({ length: 7 }, () => 'a'.repeat(100)).join('/')
  const { run } = await temporarySite({
    'site.yaml': SITE['site.yaml'],
    'index.md': SITE['index.md'],
    'data/authors.yaml': `${'i'.repeat(250)}:\n  name: Ines\n`,
    'blog/one.md': `---\ntitle: One\ntype: article\nsubroute: ${folder}\nauthor: Ines\n---\nText.\n`,
  })
  expect(await run()).toMatchObject({
    errors: [{ code: 'QN-BAD-ADDRESS', file: 'blog/one.md', field: 'author' }],
  })
})

test('a blog in the folder of the list of an author is part of the blog above, so that the list stays that of the author', async () => {
  const { out, build } = await temporarySite({
    ...SITE,
    'site.yaml': `${SITE['site.yaml']}types:\n  stories: article\n  stories/authors/ines: article\n`,
    'stories/two.md': article('By Ines', '02', 'ines'),
    'stories/authors/ines/guest.md': article('By a guest', '03', 'Ada Guest'),
  })
  expect((await build()).warnings).toEqual([])
  const titlesAt = async (folder: string) => titlesIn(await readFile(join(out, folder, 'index.html'), 'utf8'))
  expect(await titlesAt('stories/authors/ines')).toEqual(['By Ines'])
  expect(await titlesAt('stories')).toEqual(['By a guest', 'By Ines'])
  expect(await exists(join(out, 'stories/authors/ines/guest/index.html'))).toBe(true)
})
