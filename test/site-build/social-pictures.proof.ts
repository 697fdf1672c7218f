import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createImagePool } from '../../src/images/child-pool.ts'
import { drawable } from '../../src/images/social-card.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { picture, sharpIfInstalled } from '../support/pictures.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { readSiteFiles } from './read-site-files.ts'
import { NOTES, temporarySite } from './temporary-site.ts'

const SITE = 'name: Notes\nurl: https://notes.example\n'
const FILES = { ...NOTES, 'site.yaml': `${SITE}social_cards: pages\n` }

const sharp = await sharpIfInstalled()
const pool = createImagePool({ entry: join(PACKAGE_ROOT, 'dist/image-child.js'), size: 2 })
const images = () => pool
afterAll(() => pool.close())

const pageWith = (fields: string) => `---\ntitle: A page\n${fields}---\nText.\n`

async function imageOf(out: string, page: string) {
  const html = await readFile(join(out, page, 'index.html'), 'utf8')
  const facts = Object.fromEntries(
    [...html.matchAll(/<meta property="og:(image[:\w]*)" content="([^"]*)">/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  const key = /^https:\/\/notes\.example\/(_media\/.*)$/.exec(facts['image'] ?? '')?.[1]
  return { facts, bytes: key === undefined ? null : await readFile(join(out, key)) }
}

describe.skipIf(sharp === null)('the pictures for link previews of a built site', () => {
  test('are cards of 1200 by 630 pixels, in the colour of the site, with its size and type in the page', async () => {
    const { out, build } = await temporarySite({
      ...FILES,
      'site.yaml': `${FILES['site.yaml']}branding: { primary_color: "#0b6e4f" }\n`,
    })
    await build({ images })
    const { facts, bytes } = await imageOf(out, 'docs/a')
    expect(facts).toMatchObject({
      'image:type': 'image/png',
      'image:width': '1200',
      'image:height': '630',
      'image:alt': 'A',
    })
    const decoded = await sharp?.(bytes ?? Buffer.of())
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(decoded?.info).toMatchObject({ width: 1200, height: 630, channels: 3 })
    expect([...(decoded?.data.subarray(0, 3) ?? [])]).toEqual([0x0b, 0x6e, 0x4f])
    // The line above the title.
    const at = 3 * (1200 * 85 + 100)
    expect([...(decoded?.data.subarray(at, at + 3) ?? [])]).toEqual([255, 255, 255])
  })

  test('are the same files in an incremental build and in a cold one, also after another title', async () => {
    const { out, build, put } = await temporarySite(FILES)
    await build({ images })
    const before = await imageOf(out, 'docs/b')
    await put('docs/b.md', '---\ntitle: Other\n---\nText.\n')
    await build({ images })
    const after = await imageOf(out, 'docs/b')
    expect(after.facts['image']).not.toBe(before.facts['image'])
    const media = async () => [...(await readSiteFiles(out))].filter(([key]) => key.startsWith('_media/'))
    const incremental = await media()
    await rm(out, { recursive: true })
    await build({ images })
    expect(incremental).toEqual(await media())
  })

  test('are a JPEG of the picture that a page or its site names, and never an SVG', async () => {
    const { out, folder, build } = await temporarySite({
      ...FILES,
      'docs/named.md': pageWith('og_image_url: /images/wide.webp\n'),
      'docs/vector.md': pageWith('og_image_url: /images/dot.svg\n'),
      'docs/elsewhere.md': pageWith('og_image_url: https://cdn.example/a.png\n'),
    })
    await writeFile(
      join(folder, 'static/images/wide.webp'),
      await picture({ width: 900, height: 900, format: 'webp', noise: true }),
    )
    await build({ images })
    const named = await imageOf(out, 'docs/named')
    expect(named.facts['image:type']).toBe('image/jpeg')
    expect(await sharp?.(named.bytes ?? Buffer.of()).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1200,
      height: 630,
    })
    expect((await imageOf(out, 'docs/vector')).facts['image:type']).toBe('image/png')
    expect((await imageOf(out, 'docs/elsewhere')).facts).toEqual({
      image: 'https://cdn.example/a.png',
      'image:alt': 'A page',
    })
  })

  test('are none with social_cards: none, and where pictures cannot be decoded', async () => {
    const { out, build, put } = await temporarySite(FILES)
    const { warnings } = await build()
    expect((await imageOf(out, 'docs/a')).facts).toEqual({})
    expect(warnings).toMatchObject([{ code: 'QN-NO-CARDS', file: 'site.yaml', field: 'social_cards' }])
    expect(warnings[0]?.message).toMatch(/^4 pages have no drawn picture /)
    expect((await build({ images })).warnings).toEqual([])
    expect((await imageOf(out, 'docs/a')).facts).toMatchObject({ 'image:type': 'image/png' })
    await put('site.yaml', `${SITE}social_cards: none\n`)
    await build({ images })
    expect((await imageOf(out, 'docs/a')).facts).toEqual({})
    expect(await readdir(join(out, '_media')).catch(() => [])).toEqual([])
  })
})

describe.skipIf(sharp === null)('a card', () => {
  const colours = { background: '#1f4fe0', foreground: '#ffffff' }

  test.each([
    ['a long title', 'word '.repeat(500)],
    ['one long word', 'x'.repeat(3_000)],
    ['markup', '</span><b>&amp;'],
    ['right to left', 'مرحبا بالعالم'],
    ['emoji', '🚀 Launch 👩‍👩‍👧'],
    ['a script without a font', '如何发布网站'],
    ['half a character', 'a\ud83d'],
    ['nothing', ''],
  ])('is drawn of %s, and is the same twice', async (_, title) => {
    const folder = await temporaryFolder()
    const card = { title, siteName: 'Notes', ...colours }
    const drawn = []
    for (const name of ['one', 'two']) {
      expect(await pool.drawCard(card, join(folder, name))).toMatchObject({ width: 1200, height: 630 })
      drawn.push(await readFile(join(folder, name)))
    }
    expect(drawn[0]).toEqual(drawn[1])
    expect(drawn[0]?.byteLength).toBeLessThan(120_000)
  })

  test('without fonts for its title is the card of its site alone: it has no boxes', async () => {
    const folder = await temporaryFolder()
    const into = (name: string) => join(folder, name)
    await pool.drawCard({ title: '如何发布网站', siteName: 'Notes', ...colours }, into('title'))
    await pool.drawCard({ title: '', siteName: 'Notes', ...colours }, into('name'))
    expect(await readFile(into('title'))).toEqual(await readFile(into('name')))
  })
})

test.each([
  ['Release 2.0 🎉 is here', 'Release 2.0 is here'],
  ['1️⃣ First © 2026', '1 First © 2026'],
  ['\u00adsoft\nand  wide ', 'soft and wide'],
  ['نمی\u200cخواهم', 'نمی\u200cخواهم'],
])('a card of %j shows %j', (text, shown) => {
  expect(drawable(text, () => true)).toBe(shown)
})
