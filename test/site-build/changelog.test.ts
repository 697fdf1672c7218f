import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporarySite } from './temporary-site.ts'

const entry = (title: string, day: number, rest = '', text = 'Text.') =>
  `---\ntitle: ${title}\npublish_date: 2026-01-${String(day).padStart(2, '0')}\n${rest}---\n${text}\n`

const SITE = {
  'site.yaml': 'name: Trellis\nurl: https://trellis.example/site\ntypes:\n  changelog: changelog\n',
  'index.md': '---\ntitle: Home\n---\nHello.\n',
  'changelog/rules.md': entry(
    'Rules',
    2,
    'version: 1.10\ntags: [Added, Speed]\n',
    '## Fixed\n\n- [Notes](/), [Limits](limits.md), [up](#fixed)\n\n```js\nlet a = 1\n```\n\n![A](/a.svg)',
  ),
  'changelog/2025/rules.md': entry('Old rules', 1, '', '## Fixed\n\nEarlier.'),
  'static/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'changelog/limits.md': entry('Limits', 3, 'list: articles\ndescription: Less.\n', 'Only on its page.'),
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
const titlesIn = (html: string) =>
  [...html.matchAll(/<h2 class="entry-title"><a class="anchor" href="#[^"]*">([^<]*)<\/a>/g)].map(
    ([, title]) => title,
  )

test('a changelog shows its entries in full, newest first, each with its date, version, tags and an anchor', async () => {
  const { out, build } = await temporarySite(SITE)
  expect((await build()).warnings).toEqual([])
  const page = await readFile(join(out, 'changelog/index.html'), 'utf8')
  expect(titlesIn(page)).toEqual(['Limits', 'Rules', 'Old rules'])
  expect(page).toMatch(/<article class="entry" id="rules">[\s\S]*January 2, 2026[\s\S]*<bdi>1\.10<\/bdi>/)
  expect(page).toMatch(/<a class="badge badge-tip" href="\.\.\/changelog\/tags\/added\/">Added<\/a>/)
  expect(page).toMatch(/<a class="badge" href="\.\.\/changelog\/tags\/speed\/">Speed<\/a>/)
  expect(page).toContain('<h3 id="rules:fixed">')
  expect(page).toContain('<h3 id="2025/rules:fixed">')
  expect(page).toMatch(/<a href="\.\.\/">Notes<\/a>, <a href="\.\.\/changelog\/limits\/">Limits<\/a>/)
  expect(page).toContain('href="#rules:fixed">up')
  expect(page).toContain('src="../a.svg"')
  expect(page).toContain('class="code"')
  expect(page).toContain('Less.')
  expect(page).not.toContain('Only on its page.')
  expect(page).not.toContain('.invalid')
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a changelog has a feed with the texts of its entries, which its first page names', async () => {
  const { out, build } = await temporarySite(SITE)
  await build()
  const feed = await readFile(join(out, 'changelog/feed.xml'), 'utf8')
  expect([...feed.matchAll(/<title>([^<]*)</g)].map(([, title]) => title)).toEqual([
    'Changelog · Trellis',
    'Limits',
    'Rules',
    'Old rules',
  ])
  expect(feed).toContain('https://trellis.example/site/changelog/limits/&quot;&gt;Limits')
  expect(feed).not.toContain('.invalid')
  const page = await readFile(join(out, 'changelog/index.html'), 'utf8')
  expect(page).toMatch(/<link rel="alternate" type="application\/atom\+xml"[^>]*changelog\/feed\.xml"/)
  expect(page).toMatch(/<a href="\.\.\/changelog\/feed\.xml" type="application\/atom\+xml">Feed<\/a>/)
})

test('a build after an edit, a new entry and a removed one writes what a first build would', async () => {
  const { out, put, drop, build } = await temporarySite(SITE)
  await build()
  const page = () => readFile(join(out, 'changelog/index.html'), 'utf8')
  const feed = () => readFile(join(out, 'changelog/feed.xml'), 'utf8')
  await put('changelog/2025/rules.md', entry('Old rules', 1, '', 'Edited.'))
  expect((await build()).pages.rendered).toBeLessThan(4)
  expect(await page()).toContain('Edited.')
  expect(await feed()).toContain('Edited.')
  await put('changelog/new.md', entry('New', 9))
  await drop('changelog/limits.md')
  await build()
  expect(titlesIn(await page())).toEqual(['New', 'Rules', 'Old rules'])
  const [incremental, feeds] = [await page(), await feed()]
  const again = await temporarySite({
    ...SITE,
    'changelog/2025/rules.md': entry('Old rules', 1, '', 'Edited.'),
    'changelog/new.md': entry('New', 9),
  })
  await again.drop('changelog/limits.md')
  await again.build()
  expect(await readFile(join(again.out, 'changelog/index.html'), 'utf8')).toBe(incremental)
  expect(await readFile(join(again.out, 'changelog/feed.xml'), 'utf8')).toBe(feeds)
  await put('site.yaml', 'name: Trellis\nurl: https://trellis.example/site\ntypes:\n  changelog: article\n')
  await build()
  expect(await page()).not.toContain('class="entry"')
  expect(await exists(join(out, 'changelog/feed.xml'))).toBe(false)
})

test('a changelog of many entries has numbered pages, whose links lead to the same places', async () => {
  const many = Array.from({ length: 26 }, (_, at) => [
    `changelog/v${at}.md`,
    entry(`Version ${at}`, at + 1, '', `Entry ${at}. [Home](/)`),
  ])
  const { out, build } = await temporarySite({
    'site.yaml': SITE['site.yaml'],
    'index.md': SITE['index.md'],
    ...Object.fromEntries(many),
  })
  await build()
  const front = await readFile(join(out, 'changelog/index.html'), 'utf8')
  expect(titlesIn(front)).toHaveLength(14)
  const oldest = await readFile(join(out, 'changelog/page/1/index.html'), 'utf8')
  expect(titlesIn(oldest)).toHaveLength(12)
  expect(oldest).toContain('Entry 0. <a href="../../../">Home</a>')
  expect(await exists(join(out, 'changelog/page/1/feed.xml'))).toBe(false)
})

test('an entry that is too long shows its description, and its own page has the text', async () => {
  const { out, build } = await temporarySite({
    ...SITE,
    'changelog/long.md': entry('Long', 8, 'description: In short.\n', 'Word word word. '.repeat(5000)),
  })
  await build()
  const page = await readFile(join(out, 'changelog/index.html'), 'utf8')
  expect(page).toContain('In short.')
  expect(page).not.toContain('Word word')
  expect(page).toContain('href="../changelog/long/"')
})
