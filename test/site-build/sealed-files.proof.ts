import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decryptAsset, type SealedAsset } from '../../src/client/decrypt-asset.ts'
import { decryptPage, type OpenedPage } from '../../src/client/decrypt-page.ts'
import { loadDecoder } from '../../src/images/decoder.ts'
import type { ImageProcessor } from '../../src/images/image-processor.ts'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { picture, SECRET, sharpIfInstalled } from '../support/pictures.ts'
import { NOTES, temporarySite } from './temporary-site.ts'

const KEY = Buffer.alloc(32, 7)
const OTHER_KEY = Buffer.alloc(32, 8)

const FILES = {
  ...NOTES,
  'blog/trip.md':
    '---\ntitle: Trip\ntype: article\ndate: 2026-02-02\n---\n![The tram](tram.jpg)\n\n[Timetable](/files/timetable%20night.pdf) and [terms](/files/TERMS)\n',
  'docs/a.md': '---\ntitle: A\n---\n![A photo](/images/photo.png)\n',
  'static/files/timetable night.pdf': '%PDF-1.4 the night line',
  'static/files/TERMS': 'terms of the night line',
  'static/files/unnamed.txt': 'no page names this file',
  'static/robots.txt': 'User-agent: *\nDisallow: /\n',
  'static/.well-known/security.txt': 'Contact: mailto:a@example.com\n',
}

describe.skipIf((await sharpIfInstalled()) === null)(
  'pictures and files of a site built in Data Mode',
  () => {
    test('are published encrypted, and the payload of a page says where', async () => {
      const { out, sealed } = await siteWithPictures()
      await sealed()
      const { assets = {}, html } = await page(out, 'trip')
      expect(html).toContain('src="/blog/tram.jpg"')
      expect(Object.keys(assets)).toEqual(['/blog/tram.jpg', '/files/TERMS', '/files/timetable%20night.pdf'])
      const tram = assets['/blog/tram.jpg'] as SealedAsset
      expect(tram).toMatchObject({ content_type: 'image/jpeg', width: 900, height: 600 })
      expect(tram.variants.map(({ content_type: type, width }) => `${type} ${width}`)).toEqual([
        'image/webp 320',
        'image/webp 640',
        'image/webp 900',
      ])
      for (const file of [tram, ...tram.variants, assets['/files/TERMS'] as SealedAsset]) {
        expect(file.file).toMatch(/^_media\/[0-9a-f]{32}\.bin$/)
        const bytes = await decryptAsset(KEY.toString('base64'), await sealedBytes(out, file.file), file)
        expect([sha256(bytes), bytes.byteLength]).toEqual([file.digest, file.bytes])
        expect(Buffer.from(bytes).includes(SECRET)).toBe(false)
      }
    })

    test('leave no bytes, digest or name in the output folder, not even in its cache', async () => {
      const { folder, out, build, sealed } = await siteWithPictures()
      await build()
      const plain = new Map<string, Buffer>()
      for (const [name, bytes] of await allFiles(out))
        if (/tram|photo|timetable|TERMS|\.quoin\/media/.test(name)) plain.set(name, bytes)
      for (const name of ['blog/tram.jpg', 'static/images/photo.png'])
        plain.set(name, await readFile(join(folder, name)))
      expect([...plain.keys()].filter((name) => name.endsWith('.webp')).length).toBeGreaterThan(5)
      await rm(out, { recursive: true })

      for (const attempt of ['cold', 'warm']) {
        await sealed()
        const written = await allFiles(out)
        expect([...written.keys()].filter((name) => /tram|photo|timetable|TERMS/.test(name))).toEqual([])
        const all = Buffer.concat([...written.values()])
        for (const [name, bytes] of plain) {
          if (name.endsWith('.json')) continue
          const middle = Math.floor(bytes.byteLength / 2)
          expect(all.includes(bytes.subarray(middle, middle + 16)), `${attempt}: ${name}`).toBe(false)
          expect(all.includes(sha256(bytes).slice(0, 16)), `${attempt}: digest of ${name}`).toBe(false)
        }
        for (const name of ['tram.jpg', 'photo.png', 'timetable', 'night line'])
          expect(all.includes(name), `${attempt}: ${name}`).toBe(false)
      }
    })

    test('stay plain in static/ where hosts ask for them, and others that no page names are not published', async () => {
      const { out, sealed } = await siteWithPictures()
      const { unused } = await sealed()
      expect(unused).toEqual(['static/files/unnamed.txt', 'static/images/dot.svg'])
      expect(await readFile(join(out, 'robots.txt'), 'utf8')).toBe(FILES['static/robots.txt'])
      expect(existsSync(join(out, '.well-known/security.txt'))).toBe(true)
      const plain = [...(await allFiles(out)).keys()].filter((name) => !/\.bin$|\.json$|^\.quoin/.test(name))
      expect(plain.sort()).toEqual(['.nojekyll', '.well-known/security.txt', 'robots.txt'])
    })

    test('are reported by name when style sheets and SVGs name them, and neither they nor images of listed pages are plain', async () => {
      const { folder, out, put, sealed } = await siteWithPictures()
      await save(folder, 'files/font.woff2', Buffer.from('wOF2 a font'))
      await save(
        folder,
        'files/inside.png',
        await picture({ width: 50, height: 40, format: 'png', noise: true }),
      )
      await put('files/print.css', '@font-face { src: url(font.woff2) }\n')
      const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><image href="inside.png"/></svg>'
      await put('files/drawing.svg', drawing)
      await put('docs/b.md', '---\ntitle: B\n---\n![](../files/drawing.svg) [Print](../files/print.css)\n')
      await put('blog/trip.md', '---\ntitle: Trip\ntype: article\nimage: tram.jpg\n---\nText.\n')
      await put('index.yaml', 'title: Home\nsections:\n  - type: posts\n    heading: News\n')
      const { warnings, unused } = await sealed()
      const reported = warnings.filter(({ code }) => code === 'QN-SEALED-FILE')
      expect(
        reported.map(({ file, line, message }) => [file, line, /find (\S+),/.exec(message)?.[1]]),
      ).toEqual([
        ['files/drawing.svg', 1, 'inside.png'],
        ['files/print.css', 1, 'font.woff2'],
      ])
      expect(unused).toEqual(expect.arrayContaining(['files/font.woff2', 'files/inside.png']))
      const { assets = {}, html } = await page(out, 'index')
      expect(html).toContain('src="/blog/tram.jpg"')
      const tram = assets['/blog/tram.jpg'] as SealedAsset
      const bytes = await decryptAsset(KEY.toString('base64'), await sealedBytes(out, tram.file), tram)
      expect(sha256(bytes)).toBe(tram.digest)
      const plain = [...(await allFiles(out)).keys()].filter((name) => !/\.bin$|\.json$|^\.quoin/.test(name))
      expect(plain.sort()).toEqual(['.nojekyll', '.well-known/security.txt', 'robots.txt'])
    })

    test('leave the output when a page no longer names them, and do not become plain', async () => {
      const { out, put, drop, sealed } = await siteWithPictures()
      await sealed()
      const before = await sealedNames(out)
      await put('docs/a.md', '---\ntitle: A\n---\nText.\n')
      expect((await sealed()).unused).toContain('static/images/photo.png')
      const after = await sealedNames(out)
      expect(after.length).toBeLessThan(before.length)
      await drop('blog/trip.md')
      await sealed()
      expect(await sealedNames(out)).toEqual([])
      expect(existsSync(join(out, 'images/photo.png'))).toBe(false)
    })

    test('are derived once and written once, also when a page is edited', async () => {
      const { put, out, sealed } = await siteWithPictures()
      const first = counting()
      await sealed({ images: first.images })
      expect(first.calls()).toBe(4)
      const before = await allFiles(out)
      const second = counting()
      expect(await sealed({ images: second.images })).toMatchObject({ files: { written: 0, removed: 0 } })
      await put('docs/a.md', '---\ntitle: A\n---\nEdited. ![A photo](/images/photo.png)\n')
      expect((await sealed({ images: second.images })).pages.rendered).toBe(1)
      expect(second.calls()).toBe(0)
      const after = await allFiles(out)
      for (const [name, bytes] of before)
        if (name.endsWith('.bin')) expect(after.get(name), name).toEqual(bytes)
    })

    test('are replaced with another picture, and have other names under another key', async () => {
      const { folder, out, sealed } = await siteWithPictures()
      await sealed()
      const before = await sealedNames(out)
      const photo = await picture({ width: 700, height: 500, format: 'png', noise: true })
      await writeFile(join(folder, 'static/images/photo.png'), photo)
      expect((await sealed()).pages.rendered).toBe(1)
      const { assets = {} } = await page(out, 'a')
      expect(assets['/images/photo.png']).toMatchObject({ width: 700, digest: sha256(photo) })
      const after = await sealedNames(out)
      expect(after.filter((name) => before.includes(name)).length).toBe(6)

      await sealed({}, OTHER_KEY)
      const others = await sealedNames(out)
      expect(others.filter((name) => after.includes(name))).toEqual([])
      expect(others.length).toBe(after.length)
    })

    test('leave nothing in plain of an earlier build without a key, and nothing encrypted when there is none any more', async () => {
      const { out, build, sealed } = await siteWithPictures()
      await build()
      await sealed()
      expect(
        [...(await allFiles(out)).keys()].filter((name) => /\.(webp|jpg|png|pdf|clean)$/.test(name)),
      ).toEqual([])
      await build()
      expect([...(await allFiles(out)).keys()].filter((name) => name.endsWith('.bin'))).toEqual([])
      expect(existsSync(join(out, 'images/photo.png'))).toBe(true)
    })

    test('are encrypted where they cannot be decoded too', async () => {
      const { folder, out, sealed } = await siteWithPictures()
      const { undecoded } = await sealed({ images: () => createInProcessImages(null) })
      expect(undecoded).toBe(2)
      const { assets = {} } = await page(out, 'trip')
      expect(assets['/blog/tram.jpg']).toMatchObject({ width: 900, height: 600, variants: [] })
      const all = Buffer.concat([...(await allFiles(out)).values()])
      expect(all.includes((await readFile(join(folder, 'blog/tram.jpg'))).subarray(-200, -100))).toBe(false)
    })

    test('are in the output again after a build that was cut off', async () => {
      const { out, sealed } = await siteWithPictures()
      await sealed()
      const names = await sealedNames(out)
      for (const name of names.slice(0, 3)) await rm(join(out, '_media', name))
      await sealed()
      expect(await sealedNames(out)).toEqual(names)
    })
  },
)

async function siteWithPictures() {
  const { drop, put, folder, out, build, run } = await temporarySite(FILES)
  const tram = { width: 900, height: 600, format: 'jpeg', hasMetadata: true, noise: true } as const
  await save(folder, 'blog/tram.jpg', await picture(tram))
  await save(folder, 'static/images/photo.png', await picture({ ...tram, format: 'png', hasMetadata: false }))
  const sealed = async (ports: Parameters<typeof run>[0] = {}, key = KEY) => {
    const result = await run({ images: counting().images, ...ports }, false, key)
    if ('errors' in result) throw new Error(JSON.stringify(result.errors))
    return result.report
  }
  return { folder, out, put, drop, sealed, build: () => build({ images: counting().images }) }
}

async function page(out: string, slug: string): Promise<OpenedPage> {
  return decryptPage(KEY.toString('base64'), JSON.parse(await readFile(join(out, `${slug}.json`), 'utf8')))
}

async function sealedBytes(out: string, file: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(join(out, file)))
}

async function sealedNames(out: string): Promise<readonly string[]> {
  return existsSync(join(out, '_media')) ? (await readdir(join(out, '_media'))).sort() : []
}

async function allFiles(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(
      files.map(async (file) => [file.slice(folder.length + 1), await readFile(file)] as const),
    ),
  )
}

async function save(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), bytes)
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Decodes in this process, and counts what is read and derived. */
function counting() {
  let calls = 0
  const decoder = loadDecoder().then((loaded) =>
    createInProcessImages('decoder' in loaded ? loaded.decoder : null),
  )
  const counted = async () => {
    calls += 1
    return decoder
  }
  const images: ImageProcessor = {
    decodes: async () => (await decoder).decodes(),
    inspect: async (file) => (await counted()).inspect(file),
    clean: async (file, into) => (await counted()).clean(file, into),
    derive: async (file, recipe, into) => (await counted()).derive(file, recipe, into),
    drawCard: async (...args) => (await counted()).drawCard(...args),
    deriveAll: async (...args) => (await counted()).deriveAll(...args),
    close: async () => {},
  }
  return { images: () => images, calls: () => calls }
}
