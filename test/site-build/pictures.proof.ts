import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadDecoder } from '../../src/images/decoder.ts'
import type { ImageProcessor } from '../../src/images/image-processor.ts'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { flatPng, picture, pngChunk, SECRET, sharpIfInstalled } from '../support/pictures.ts'
import { NOTES, temporarySite } from './temporary-site.ts'

const FILES = {
  ...NOTES,
  'blog/trip.md': '---\ntitle: Trip\ntype: article\ndate: 2026-02-02\n---\n![The tram](tram.jpg)\n',
  'docs/a.md': '---\ntitle: A\n---\n![A photo](/images/photo.png)\n',
}

describe.skipIf((await sharpIfInstalled()) === null)('the pictures of a built site', () => {
  test('have smaller files, sizes in the page, and no metadata', async () => {
    const { out, build } = await siteWithPictures()
    const { warnings } = await build({ images: counting().images })
    expect(warnings).toEqual([])
    const html = await readFile(join(out, 'blog/trip/index.html'), 'utf8')
    const [, set = ''] = /<source type="image\/webp" srcset="([^"]*)"/.exec(html) ?? []
    const files = set.split(', ').map((candidate) => candidate.replace(/ \d+w$/, ''))
    expect(set).toMatch(/-320\.webp 320w, \S+-640\.webp 640w, \S+-900\.webp 900w$/)
    for (const file of files) expect(existsSync(join(out, 'blog/trip', file)), file).toBe(true)
    expect(html).toContain('width="900" height="600" data-colour="#')
    expect((await readFile(join(out, 'blog/tram.jpg'))).includes(SECRET)).toBe(false)
  })

  test('are derived once, also when pages are edited', async () => {
    const { build, put } = await siteWithPictures()
    const first = counting()
    await build({ images: first.images })
    expect(first.calls()).toBe(4)
    await put('docs/a.md', '---\ntitle: A\n---\nEdited. ![A photo](/images/photo.png)\n')
    const second = counting()
    expect((await build({ images: second.images })).pages.rendered).toBe(1)
    expect(second.calls()).toBe(0)
  })

  test('are not read by a later build, also where it compares all pages', async () => {
    const { out, build, put } = await siteWithPictures()
    // Times of files that exist now are certain then.
    const now = () => new Date(Date.now() + 10_000).toISOString()
    await build({ images: counting().images, now })
    const file = join(out, '.quoin/digests.json')
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/"digest":"\w+/g, '"digest":"0000'))
    await put('docs/a.md', '---\ntitle: Another\n---\n![A photo](/images/photo.png)\n')
    // Pictures of other digests are copied, which reads them.
    await expect(build({ images: counting().images, now })).rejects.toThrow('changed while it was read')
  })

  test('leave no digests in an output folder that is sealed', async () => {
    const { out, build } = await siteWithPictures()
    await build({ images: counting().images })
    expect(existsSync(join(out, '.quoin/digests.json'))).toBe(true)
    await build({ images: counting().images }, false, randomBytes(32))
    expect(existsSync(join(out, '.quoin/digests.json'))).toBe(false)
  })

  test('are offered as AVIF before WebP where the site says so, each derived once', async () => {
    const { out, put, build } = await siteWithPictures()
    const yaml = FILES['site.yaml']
    await build({ images: counting().images })
    const html = () => readFile(join(out, 'blog/trip/index.html'), 'utf8')
    const formats = async () => [...(await html()).matchAll(/<source type="image\/(\w+)"/g)].map(([, f]) => f)
    expect(await formats()).toEqual(['webp'])

    await put('site.yaml', `${yaml}avif: true\n`)
    const added = counting()
    await build({ images: added.images })
    expect(await formats()).toEqual(['avif', 'webp'])
    // No picture is cleaned or derived as WebP again.
    expect(added.calls()).toBe(2)
    const { avif = 0, webp = 0 } = await bytesOf(out, await html())
    expect(avif).toBeGreaterThan(0)
    expect(avif).toBeLessThan(webp)

    await put('site.yaml', yaml)
    await build({ images: counting().images })
    expect([...(await filesOf(out)).keys()].filter((key) => key.endsWith('.avif'))).toEqual([])
    await put('site.yaml', `${yaml}avif: true\n`)
    const again = counting()
    await build({ images: again.images })
    expect(again.calls()).toBe(0)
    expect(await formats()).toEqual(['avif', 'webp'])
  })

  test('are the same files in an incremental build and in a cold one', async () => {
    const { out, folder, build } = await siteWithPictures()
    const { images } = counting()
    await build({ images })
    await save(
      folder,
      'blog/tram.jpg',
      await picture({ width: 800, height: 600, format: 'jpeg', noise: true }),
    )
    expect((await build({ images })).pages.rendered).toBe(1)
    const incremental = await filesOf(out)
    await rm(out, { recursive: true })
    await build({ images })
    expect(incremental).toEqual(await filesOf(out))
    expect([...incremental.keys()].filter((key) => key.startsWith('_media/'))).toHaveLength(6)
  })

  test('leave the site and the cache when nothing names them any more', async () => {
    const { out, build, drop } = await siteWithPictures()
    const { images } = counting()
    await build({ images })
    await drop('blog/trip.md')
    await build({ images })
    expect([...(await filesOf(out)).keys()].filter((key) => key.startsWith('_media/tram'))).toEqual([])
    expect(await readdir(join(out, '.quoin/media'))).toHaveLength(5)
  })

  test('with the same bytes are derived once', async () => {
    const { folder, build } = await siteWithPictures()
    await save(folder, 'static/images/tram.jpg', await readFile(join(folder, 'blog/tram.jpg')))
    const { images, calls } = counting()
    expect((await build({ images })).warnings).toEqual([])
    expect(calls()).toBe(4)
  })

  test('are derived by one build of an output folder at a time', async () => {
    const { build } = await siteWithPictures()
    const { images } = counting()
    let other: Promise<unknown> | null = null
    const during: ImageProcessor = {
      ...images(),
      async clean(file, into) {
        other ??= build({ images }).catch(String)
        await other
        return images().clean(file, into)
      },
    }
    expect((await build({ images: () => during })).warnings).toEqual([])
    expect(await other).toContain('Another build is writing into')
  })

  test('are derived again where the cache is not complete', async () => {
    const { out, build } = await siteWithPictures()
    const { images } = counting()
    await build({ images })
    const cold = await filesOf(out)
    for (const name of await readdir(out))
      if (name !== '.quoin') await rm(join(out, name), { recursive: true })
    const cache = join(out, '.quoin/media')
    for (const name of await readdir(cache)) if (name.endsWith('.webp')) await rm(join(cache, name))
    await build({ images })
    expect(await filesOf(out)).toEqual(cold)
  })

  test('have smaller files whatever characters their names have', async () => {
    const { out, folder, put, build } = await siteWithPictures()
    const photo = await readFile(join(folder, 'blog/tram.jpg'))
    await save(folder, 'static/Tram (1).jpg', photo)
    await save(folder, "static/Ada's tram, seen [twice] & 50º.jpg", photo)
    await put(
      'docs/a.md',
      "---\ntitle: A\n---\n![One](</Tram (1).jpg>) ![Two](<../static/Ada's tram, seen [twice] & 50º.jpg>)\n![Three](/Tram%20(1).jpg)\n",
    )
    expect((await build({ images: counting().images })).warnings).toEqual([])
    const html = await readFile(join(out, 'docs/a/index.html'), 'utf8')
    expect(html.match(/<picture>/g)).toHaveLength(3)
  })

  test('leave the cache with the last of them', async () => {
    const { out, folder, put, drop, build } = await siteWithPictures()
    const { images } = counting()
    await build({ images })
    await rm(join(folder, 'static/images/photo.png'))
    await put('docs/a.md', '---\ntitle: A\n---\nText.\n')
    await drop('blog/trip.md')
    await build({ images })
    expect(await readdir(join(out, '.quoin/media'))).toEqual([])
  })

  test('are served as they are when damaged, with a warning', async () => {
    const { out, folder, build } = await siteWithPictures()
    const whole = await picture({ width: 900, height: 600, format: 'jpeg', noise: true })
    await save(folder, 'blog/tram.jpg', whole.subarray(0, whole.length / 2))
    const { warnings } = await build({ images: counting().images })
    expect(warnings).toMatchObject([{ code: 'QN-BAD-PICTURE', file: 'blog/tram.jpg' }])
    expect(await readFile(join(out, 'blog/trip/index.html'), 'utf8')).toContain(
      '<img src="../../blog/tram.jpg"',
    )
  })

  test('have their sizes where they cannot be decoded, and smaller files as soon as they can', async () => {
    const { out, build } = await siteWithPictures()
    expect((await build({ images: () => createInProcessImages(null) })).undecoded).toBe(2)
    const html = () => readFile(join(out, 'blog/trip/index.html'), 'utf8')
    expect(await html()).toMatch(/<img src="[^"]*tram\.jpg"[^>]* width="900" height="600">/)
    expect(await html()).not.toContain('<picture>')
    expect((await build({ images: counting().images })).undecoded).toBe(0)
    expect(await html()).toContain('<picture>')
  })
})

test('a site without pictures, or with tiny ones, and without cards, loads nothing to read them', async () => {
  const { folder, build } = await temporarySite({
    ...NOTES,
    'site.yaml': FILES['site.yaml'],
  })
  await save(folder, 'static/dot.png', flatPng(4, 4))
  const images = () => {
    throw new Error('Pictures were read.')
  }
  expect((await build({ images })).warnings).toEqual([])
})

test('tiny pictures lose their metadata', async () => {
  const { folder, out, build } = await temporarySite({
    ...NOTES,
    'docs/a.md': '---\ntitle: A\n---\n![Flat](/flat.png)\n',
  })
  const comment = pngChunk('tEXt', Buffer.from(`Comment\0${SECRET}`))
  await save(folder, 'static/flat.png', flatPng(60, 40, [comment]))
  await build()
  expect(await readFile(join(out, 'flat.png'))).toEqual(flatPng(60, 40))
  await save(folder, 'docs/a.md', Buffer.from('---\ntitle: B\n---\n![Flat](/flat.png)\n'))
  await build()
  expect(await readFile(join(out, 'flat.png'))).toEqual(flatPng(60, 40))
})

test('tiny pictures have their size in the page, and stay as they are, also those that cannot be read', async () => {
  const { folder, out, build } = await temporarySite({
    ...NOTES,
    'docs/a.md': '---\ntitle: A\n---\n![Flat](/flat.png) ![Torn](/torn.png)\n',
    'static/torn.png': 'no picture',
  })
  const flat = flatPng(600, 400)
  expect(flat.byteLength).toBeLessThan(8_192)
  await save(folder, 'static/flat.png', flat)
  expect((await build()).warnings.map(({ code, file }) => `${code} ${file}`)).toEqual([
    'QN-BAD-PICTURE static/torn.png',
  ])
  const page = await readFile(join(out, 'docs/a/index.html'), 'utf8')
  expect(page).toMatch(/<img src="[./]*flat.png" alt="Flat"[^>]* width="600" height="400">/)
  expect(page).toMatch(/<img src="[./]*torn.png" alt="Torn"[^>]*>/)
  expect(await readFile(join(out, 'flat.png'))).toEqual(flat)
})

test('SVG pictures have their size in the page, also from the viewBox alone', async () => {
  const { out, put, build } = await temporarySite({
    ...NOTES,
    'docs/a.md':
      '---\ntitle: A\n---\n![Plan](/plan.svg) ![Box|320](/box.svg) ![Torn](/torn.svg) ![Other](/other.svg)\n',
    'static/plan.svg': '<?xml version="1.0"?>\n<!-- drawn -->\n<svg width="12cm" height="6cm"><g/></svg>',
    'static/box.svg': '<svg viewBox="0 0 640 480"><path d="M0 0"/></svg>',
    'static/torn.svg': '<svg viewBox="0 0 640',
    'static/other.svg': '<html><svg width="9" height="9"/></html>',
  })
  expect((await build()).warnings).toEqual([])
  const page = () => readFile(join(out, 'docs/a/index.html'), 'utf8')
  expect(await page()).toMatch(/plan\.svg" alt="Plan"[^>]* width="454" height="227">/)
  expect(await page()).toMatch(/box\.svg" alt="Box"[^>]* width="320"[^>]* height="240"/)
  expect(await page()).toMatch(/torn\.svg" alt="Torn"(?![^>]*width)[^>]*>/)
  expect(await page()).toMatch(/other\.svg" alt="Other"(?![^>]*width)[^>]*>/)
  await put('static/box.svg', '<svg viewBox="0 0 640 320"><path d="M0 0"/></svg>')
  expect((await build()).pages.rendered).toBe(1)
  expect(await page()).toMatch(/box\.svg" alt="Box"[^>]* width="320"[^>]* height="160"/)
})

async function siteWithPictures() {
  const site = await temporarySite(FILES)
  const tram = { width: 900, height: 600, format: 'jpeg', hasMetadata: true, noise: true } as const
  await save(site.folder, 'blog/tram.jpg', await picture(tram))
  await save(site.folder, 'static/images/photo.png', await picture({ ...tram, format: 'png' }))
  return site
}

async function save(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), bytes)
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

/** The bytes of the smallest file of each format that the page of the trip offers. */
async function bytesOf(out: string, html: string): Promise<Readonly<Record<string, number>>> {
  const sources = [...html.matchAll(/<source type="image\/(\w+)" srcset="(\S+)/g)]
  const sizes = sources.map(async ([, format = '', file = '']) => {
    const bytes = await readFile(join(out, 'blog/trip', file))
    return [format, bytes.byteLength] as const
  })
  return Object.fromEntries(await Promise.all(sizes))
}

async function filesOf(out: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(out, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.quoin'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const texts = await Promise.all(
    files.map(
      async (file) => [file.slice(out.length + 1), (await readFile(file)).toString('latin1')] as const,
    ),
  )
  // The revision counts builds.
  return new Map(
    texts.map(([key, text]) => [key, key === '_index.json' ? text.replace(/"revision":\d+/, '') : text]),
  )
}
