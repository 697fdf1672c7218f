import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporarySite } from './temporary-site.ts'

const page = (title: string, order: number, text: string) =>
  `---\ntitle: ${title}\nnav_order: ${order}\n---\n${text}\n`

const SITE = {
  'site.yaml': 'name: Notes\nurl: https://notes.example\nmeta_description: About type.\n',
  'index.md': '---\ntitle: Front\n---\nHello.\n',
  'docs/first.md': page('Zebra', 1, 'The first page.'),
  'docs/second.md': page('Apple', 2, 'The second page.'),
}

test('llms-full.txt has the Markdown of all pages in the order of the navigation', async () => {
  const { out, build } = await temporarySite(SITE)
  await build()
  const text = await readFile(join(out, 'llms-full.txt'), 'utf8')
  expect(text).toMatch(/^# Notes\n\n> About type\.\n\n---\ntitle: Front\n/)
  expect([...text.matchAll(/^(Hello|The \w+ page)\.$/gm)].map(([line]) => line)).toEqual([
    'Hello.',
    'The first page.',
    'The second page.',
  ])
})

test('llms-full.txt follows edits, moves and removals, and is otherwise not written again', async () => {
  const { folder, out, build } = await temporarySite(SITE)
  const text = () => readFile(join(out, 'llms-full.txt'), 'utf8')
  await build()
  await writeFile(join(folder, 'docs/second.md'), page('Apple', 2, 'Edited.'))
  await build()
  expect(await text()).toMatch(/The first page\.[\s\S]*Edited\./)
  await writeFile(join(folder, 'docs/second.md'), page('Apple', 0, 'Edited.'))
  await build()
  expect(await text()).toMatch(/Edited\.[\s\S]*The first page\./)
  await rm(join(folder, 'docs/first.md'))
  await build()
  expect(await text()).not.toContain('The first page.')
  expect(await build()).toMatchObject({ files: { written: 0, removed: 0 } })
})

test('a file of that name in static/ stays as it is', async () => {
  const { out, build } = await temporarySite({ ...SITE, 'static/llms-full.txt': 'Mine.\n' })
  await build()
  await build()
  expect(await readFile(join(out, 'llms-full.txt'), 'utf8')).toBe('Mine.\n')
})

test('a site with more than 300 pages has no file of its whole text', async () => {
  const more = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`docs/p${at}.md`, page(`P${at}`, at, 'Text.')]),
  )
  const { out, build } = await temporarySite({ ...SITE, ...more })
  await build()
  await expect(readFile(join(out, 'llms-full.txt'))).rejects.toThrow(/ENOENT/)
})
