import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { SITE_ICON_KEYS, SITE_ICONS } from '../../../../src/domain/site-icons.ts'
import { iconLetter } from '../../../../src/render/site-files/icons/draw-icon.ts'
import { siteIcons } from '../../../../src/render/site-files/icons/site-icons.ts'
import type { ThemeColours } from '../../../../src/theme/theme.ts'
import { livePage } from '../../../support/live-page.ts'

const LIGHT: ThemeColours = {
  scheme: 'light dark',
  brand: { light: '#1f4fe0', dark: '#3a67f2' },
  background: { light: '#ffffff', dark: '#0e1014' },
}
const DARK: ThemeColours = { ...LIGHT, scheme: 'dark' }

function icons(name: string, branding = {}, theme = LIGHT) {
  const files = siteIcons(livePage({ site: { name }, settings: { branding } }), theme)
  return new Map(files.map(({ key, body }) => [key, Buffer.from(body)]))
}

async function pixels(png: Uint8Array) {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [
    ...data.subarray(4 * (y * info.width + x), 4 * (y * info.width + x) + 4),
  ]
  return { width: info.width, height: info.height, at }
}

/** The PNGs in an ICO file with the sides that it states. */
function picturesIn(ico: Buffer): readonly { readonly side: number; readonly png: Buffer }[] {
  expect(ico.readUInt32LE(0)).toBe(0x00010000)
  return Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const entry = 6 + 16 * index
    const [bytes, offset] = [ico.readUInt32LE(entry + 8), ico.readUInt32LE(entry + 12)]
    return { side: ico[entry] ?? 0, png: ico.subarray(offset, offset + bytes) }
  })
}

describe('the icons of a site', () => {
  test('are every file that documents and systems ask for, and pages come after them', () => {
    expect([...icons('Quoin').keys()].toSorted()).toEqual([...SITE_ICON_KEYS].toSorted())
    for (const { stage, owner } of siteIcons(livePage({}), LIGHT))
      expect({ stage, owner: owner.kind }).toEqual({ stage: 'asset', owner: 'site' })
  })

  test('show the first letter in a colour that contrasts with the brand', async () => {
    const files = icons('Eins', { primary_color: '#0b6e4f' })
    for (const [key, side] of [
      [SITE_ICONS.touch, 180],
      [SITE_ICONS.small, 192],
      [SITE_ICONS.large, 512],
    ] as const) {
      const { width, height, at } = await pixels(files.get(key) ?? Buffer.of())
      expect([width, height]).toEqual([side, side])
      expect(at(side / 2, Math.round(side * 0.15))).toEqual([0x0b, 0x6e, 0x4f, 255])
      // The stem of the letter.
      expect(at(Math.round(side * 0.42), side / 2)).toEqual([255, 255, 255, 255])
    }
  })

  test('are full squares where systems cut shapes from them, and have round corners elsewhere', async () => {
    const files = icons('Quoin')
    const corner = async (key: string) => (await pixels(files.get(key) ?? Buffer.of())).at(0, 0)[3]
    expect(await corner(SITE_ICONS.touch)).toBe(255)
    expect(await corner(SITE_ICONS.large)).toBe(255)
    expect(await corner(SITE_ICONS.small)).toBe(0)
  })

  test('keep the letter within the circle that systems may cut', async () => {
    const { at } = await pixels(icons('W', { primary_color: 'black' }).get(SITE_ICONS.large) ?? Buffer.of())
    for (let angle = 0; angle < 360; angle += 3) {
      const [x, y] = [Math.cos, Math.sin].map((of) =>
        Math.round(256 + 0.4 * 512 * of((angle * Math.PI) / 180)),
      )
      expect(at(x ?? 0, y ?? 0)).toEqual([0, 0, 0, 255])
    }
  })

  test('are three sizes in favicon.ico, each a PNG of the side that it states', async () => {
    const found = picturesIn(icons('Quoin').get(SITE_ICONS.favicon) ?? Buffer.of())
    expect(found.map(({ side }) => side)).toEqual([16, 32, 48])
    for (const { side, png } of found)
      expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: side, height: side })
  })

  test('look the same as a vector and as pixels', async () => {
    // Tests of the decoder, which blocks vectors, may have run in the same process.
    sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] })
    for (const name of ['Quoin', 'Жук', 'Ωmega', 'שלום', '中文']) {
      const files = icons(name)
      const size = { width: 192, height: 192 }
      const drawn = await sharp(files.get(SITE_ICONS.vector))
        .resize(size)
        .flatten({ background: 'white' })
        .raw()
        .toBuffer()
      const png = await sharp(files.get(SITE_ICONS.small)).flatten({ background: 'white' }).raw().toBuffer()
      let different = 0
      drawn.forEach((value, index) => {
        if (Math.abs(value - (png[index] ?? 0)) > 64) different += 1
      })
      expect(different / png.byteLength, name).toBeLessThan(0.01)
    }
  })

  test('are the same bytes for the same site, and less than 20 KB in all', () => {
    const [one, other] = [icons('Twice'), icons('Twice')]
    expect(one).toEqual(other)
    expect([...one.values()].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(20_000)
  })

  test('have the colour of the mode that the theme shows', async () => {
    const { at } = await pixels(icons('Quoin', {}, DARK).get(SITE_ICONS.touch) ?? Buffer.of())
    expect(at(0, 0)).toEqual([0x3a, 0x67, 0xf2, 255])
  })

  test('have a neutral colour where the brand is written in a way that only browsers read', async () => {
    const theme = { ...LIGHT, brand: { light: 'oklch(0.6 0.1 40)', dark: 'oklch(0.6 0.1 40)' } }
    const { at } = await pixels(icons('Quoin', {}, theme).get(SITE_ICONS.touch) ?? Buffer.of())
    expect(at(0, 0)[3]).toBe(255)
  })
})

describe('the manifest', () => {
  test('names icons that exist, in addresses that hold under any path', () => {
    const files = icons('Quoin')
    const manifest = JSON.parse(String(files.get(SITE_ICONS.manifest)))
    expect(manifest).toMatchObject({
      name: 'Quoin',
      lang: 'en',
      dir: 'ltr',
      start_url: './',
      display: 'browser',
      theme_color: '#1f4fe0',
      background_color: '#ffffff',
    })
    for (const { src, sizes } of manifest.icons) {
      const file = new URL(src, 'https://acme.example/help/site.webmanifest').pathname.slice('/help/'.length)
      expect([...files.keys()]).toContain(file)
      expect(sizes).toMatch(/^(?:any|192x192|512x512)$/)
    }
    expect(manifest.icons.filter(({ purpose }: { purpose?: string }) => purpose === 'maskable')).toHaveLength(
      1,
    )
  })

  test('has the language and the direction of the site', () => {
    const manifest = JSON.parse(String(icons('مرحبا', { lang: 'ar' }).get(SITE_ICONS.manifest)))
    expect(manifest).toMatchObject({ name: 'مرحبا', lang: 'ar', dir: 'rtl' })
  })
})

test.each([
  ['Quoin', 'Q'],
  ['éclair', 'E'],
  ['"quoted"', 'Q'],
  ['  8bit', '8'],
  ['жук', 'Ж'],
  ['ñandú', 'N'],
  ['مرحبا', 'م'],
  ['中文', null],
  ['😀', null],
  ['', null],
  ['ﬁn', 'F'],
])('the letter of %j is %j', (name, letter) => {
  expect(iconLetter(name)).toBe(letter)
})
