import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createImagePool } from '../../src/images/child-pool.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { picture, sharpIfInstalled } from '../support/pictures.ts'
import { readSiteFiles } from './read-site-files.ts'
import { NOTES, temporarySite } from './temporary-site.ts'

const sharp = await sharpIfInstalled()
const pool = createImagePool({ entry: join(PACKAGE_ROOT, 'dist/image-child.js'), size: 2 })
const images = () => pool
afterAll(() => pool.close())

const FILES = { ...NOTES, 'site.yaml': 'name: Notes\nurl: https://notes.example\nfavicon_url: /icon.png\n' }

/** A built site whose favicon is a picture with these sides. */
async function built(side: number) {
  const site = await temporarySite(FILES)
  const icon = async (width: number, height = width) =>
    writeFile(
      join(site.folder, 'static/icon.png'),
      await picture({ width, height, format: 'png', noise: true }),
    )
  await icon(side)
  await site.build({ images })
  return { ...site, icon }
}

/** The icons that a document names: relation, sizes, and key. */
async function iconsOf(out: string, file: string) {
  const html = await readFile(join(out, file), 'utf8')
  return [...html.matchAll(/<link rel="(icon|apple-touch-icon)"[^>]*>/g)].map(([link, rel]) => [
    rel,
    /sizes="([^"]*)"/.exec(link)?.[1] ?? null,
    /href="(?:https:\/\/notes\.example\/|[./]*)([^"]*)"/.exec(link)?.[1] ?? '',
  ])
}

async function manifestIn(out: string) {
  return JSON.parse(await readFile(join(out, 'site.webmanifest'), 'utf8'))
}

describe.skipIf(sharp === null)('the icons of a site that names a picture as its favicon', () => {
  test('are squares of the picture for tabs, home screens and the manifest, on pages and on 404.html', async () => {
    const { out } = await built(600)
    for (const file of ['docs/a/index.html', '404.html']) {
      const icons = await iconsOf(out, file)
      expect(icons.map(([rel, sizes]) => [rel, sizes])).toEqual([
        ['icon', '32x32'],
        ['icon', '192x192'],
        ['apple-touch-icon', null],
      ])
      for (const [index, side] of [32, 192, 180].entries()) {
        const bytes = await readFile(join(out, icons[index]?.[2] ?? ''))
        expect(await sharp?.(bytes).metadata()).toMatchObject({ format: 'png', width: side, height: side })
      }
    }
    const { icons } = await manifestIn(out)
    expect(icons.map(({ sizes }: { sizes: string }) => sizes)).toEqual(['192x192', '512x512'])
    for (const { src } of icons) expect((await readFile(join(out, src))).byteLength).toBeGreaterThan(1_000)
  })

  test('are never larger than the picture: where it is too small, they are drawn', async () => {
    const { out } = await built(64)
    expect(await iconsOf(out, 'docs/a/index.html')).toEqual([
      ['icon', '32x32', expect.stringMatching(/^_media\/icon\.[0-9a-f]{16}-32\.png$/)],
      ['apple-touch-icon', null, 'apple-touch-icon.png'],
    ])
    expect((await manifestIn(out)).icons[0].src).toBe('_icons/icon.svg')
  })

  test('are an SVG as it is for tabs and the manifest', async () => {
    const { out, put, build } = await built(64)
    await put('site.yaml', FILES['site.yaml'].replace('/icon.png', '/images/dot.svg'))
    await build({ images })
    const [tab] = await iconsOf(out, 'docs/a/index.html')
    expect(tab?.[2]).toBe('images/dot.svg')
    expect([...(await readSiteFiles(out))].filter(([key]) => key.startsWith('_media/icon'))).toEqual([])
  })

  test('follow another picture in an incremental build, which leaves the files of a cold one', async () => {
    const { out, icon, build } = await built(300)
    const before = await iconsOf(out, 'docs/a/index.html')
    await icon(301, 300)
    await build({ images })
    const after = await iconsOf(out, 'docs/a/index.html')
    expect(after[0]?.[2]).not.toBe(before[0]?.[2])
    const files = async () => [...(await readSiteFiles(out))].filter(([key]) => key !== '_index.json')
    const incremental = await files()
    expect(incremental.map(([key]) => key)).not.toContain(before[0]?.[2])
    await rm(out, { recursive: true })
    await build({ images })
    expect(incremental).toEqual(await files())
  })
})
