import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createDevPictures } from '../../src/dev/dev-pictures.ts'
import type { MediaImage, MediaSource } from '../../src/domain/media.ts'
import { loadDecoder } from '../../src/images/decoder.ts'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { picture, sharpIfInstalled } from '../support/pictures.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const photo = { path: 'images/photo.jpg', source: 'static/images/photo.jpg', namedBy: null }

const NO_ICON = { faviconUrl: null }

const imageIn = (media: MediaSource) => media['images/photo.jpg'] as MediaImage | undefined

describe.skipIf((await sharpIfInstalled()) === null)('pictures of quoin dev', () => {
  test('are known with their sizes at once, and derived when they are requested', async () => {
    const { pictures, derived } = await devPictures()
    const media = await pictures.media([photo], NO_ICON)
    const image = imageIn(media)
    expect(image).toMatchObject({ key: 'images/photo.jpg', width: 900, height: 600 })
    expect(image?.variants.map(({ width }) => width)).toEqual([320, 640, 900])
    expect(derived()).toBe(0)
    const key = image?.variants[0]?.key ?? ''
    const [first, second] = await Promise.all([pictures.file(key), pictures.file(key)])
    expect(first).toBe(second)
    expect((await readFile(first ?? '')).subarray(8, 12).toString()).toBe('WEBP')
    expect(derived()).toBe(1)
  })

  test('have other names when they changed, and unknown names lead to nothing', async () => {
    const { pictures, save } = await devPictures()
    const [before] = imageIn(await pictures.media([photo], NO_ICON))?.variants ?? []
    await save({ width: 800, height: 600 })
    const [after] = imageIn(await pictures.media([photo], NO_ICON))?.variants ?? []
    expect(after?.key).not.toBe(before?.key)
    expect(await pictures.file('_media/none.webp')).toBeNull()
  })

  test('are shown as they are when they cannot be read, and are read again only when they changed', async () => {
    const { pictures, folder, save, read } = await devPictures()
    await writeFile(join(folder, photo.source), 'no picture '.repeat(1_000))
    expect(await pictures.media([photo], NO_ICON)).toEqual({})
    expect(await pictures.media([photo], NO_ICON)).toEqual({})
    expect(read()).toBe(1)
    await save({ width: 800, height: 600 })
    expect(await pictures.media([photo], NO_ICON)).toMatchObject({ 'images/photo.jpg': { width: 800 } })
  })

  test('are the icons of a site that names one of them as its favicon, of its version', async () => {
    const { pictures, save } = await devPictures()
    const icon = { faviconUrl: '/images/photo.jpg' }
    const keyIn = (media: MediaSource) => media['_icon:180']?.key ?? ''
    const before = keyIn(await pictures.media([photo], icon))
    const bytes = await readFile((await pictures.file(before)) ?? '')
    expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16)]).toEqual(['PNG', 180])
    await save({ width: 800, height: 600 })
    expect(keyIn(await pictures.media([photo], icon))).not.toBe(before)
  })

  test('are shown as they are when they disappear while they are read', async () => {
    const { pictures, folder, beforeRead } = await devPictures()
    beforeRead(() => rm(join(folder, photo.source)))
    expect(await pictures.media([photo], NO_ICON)).toEqual({})
  })
})

async function devPictures() {
  const folder = await temporaryFolder()
  const save = async (size: { readonly width: number; readonly height: number }) => {
    await mkdir(join(folder, 'static/images'), { recursive: true })
    await writeFile(join(folder, photo.source), await picture({ ...size, format: 'jpeg', noise: true }))
  }
  await save({ width: 900, height: 600 })
  const loaded = await loadDecoder()
  const images = createInProcessImages('decoder' in loaded ? loaded.decoder : null)
  let calls = 0
  const counted = {
    ...images,
    derive: (...args: Parameters<typeof images.derive>) => {
      calls += 1
      return images.derive(...args)
    },
  }
  let reads = 0
  let prepare = async () => {}
  const headers = {
    async inspect(file: string) {
      reads += 1
      await prepare()
      return createInProcessImages(null).inspect(file)
    },
  }
  const cache = await temporaryFolder()
  const pictures = createDevPictures({ folder, cache, images: counted, headers })
  const beforeRead = (act: () => Promise<void>) => {
    prepare = act
  }
  return { folder, pictures, save, derived: () => calls, read: () => reads, beforeRead }
}
