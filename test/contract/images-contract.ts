import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImageProcessor } from '../../src/images/image-processor.ts'
import { flatPng, gif, picture, pngChunk, SECRET, svg } from '../support/pictures.ts'

/**
 * Every promise that `images/image-processor.ts` makes. Call it once per adapter.
 *
 * @param create returns a processor; called once.
 * @param decodes whether it decodes pictures.
 */
export function testImagesContract(create: () => Promise<ImageProcessor>, decodes: boolean): void {
  let images: ImageProcessor
  let folder: string
  let files = 0
  beforeAll(async () => {
    images = await create()
    folder = await mkdtemp(join(tmpdir(), 'quoin-test-'))
  })
  afterAll(async () => {
    await images.close()
    await rm(folder, { recursive: true, force: true })
  })

  const saved = async (bytes: Uint8Array) => {
    const file = join(folder, `picture-${++files}`)
    await writeFile(file, bytes)
    return file
  }
  const cleaned = async (bytes: Uint8Array) => {
    const into = join(folder, `clean-${++files}`)
    const facts = await images.clean(await saved(bytes), into)
    return { facts, bytes: await readFile(into), into }
  }

  test('says whether it decodes', async () => {
    expect(await images.decodes()).toBe(decodes)
  })

  test.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('reads the size of a %s', async (format) => {
    const facts = await images.inspect(await saved(await picture({ width: 60, height: 40, format })))
    expect(facts).toMatchObject({ format, width: 60, height: 40, animated: false })
    expect(facts.colour === null).toBe(!decodes)
    expect(facts.thumbhash === null).toBe(!decodes)
  })

  test('reads the size of an SVG from its attributes or its view box', async () => {
    expect(await images.inspect(await saved(svg('')))).toMatchObject({ format: 'svg', width: 40, height: 20 })
    const sized = svg('', 'width="2in" viewBox="0 0 10 5"')
    expect(await images.inspect(await saved(sized))).toMatchObject({ width: 192, height: 96 })
  })

  test('sees animations in GIF files', async () => {
    expect(await images.inspect(await saved(gif(3)))).toMatchObject({ format: 'gif', animated: true })
  })

  test.each([
    { orientation: 3, width: 60, height: 40 },
    { orientation: 6, width: 40, height: 60 },
    { orientation: 8, width: 40, height: 60 },
  ])('gives the size as shown for orientation $orientation', async ({ orientation, ...size }) => {
    const { facts, bytes } = await cleaned(
      await picture({ width: 60, height: 40, format: 'jpeg', orientation }),
    )
    expect(facts).toMatchObject(size)
    expect(await images.inspect(await saved(bytes))).toMatchObject(size)
  })

  test.each(['png', 'webp'] as const)(
    'a %s on its side is turned, or has the size as written',
    async (format) => {
      const { facts, bytes } = await cleaned(await picture({ width: 60, height: 40, format, orientation: 6 }))
      const size = decodes ? { width: 40, height: 60 } : { width: 60, height: 40 }
      expect(facts).toMatchObject(size)
      expect(await images.inspect(await saved(bytes))).toMatchObject(size)
    },
  )

  describe.each(['jpeg', 'png', 'webp', 'avif'] as const)('a cleaned %s', (format) => {
    test('has no metadata, and the same size', async () => {
      const source = await picture({ width: 60, height: 40, format, hasMetadata: true })
      expect(source.includes(SECRET)).toBe(true)
      const { facts, bytes } = await cleaned(source)
      expect(facts).toMatchObject({ format, width: 60, height: 40 })
      expect(bytes.includes(SECRET)).toBe(false)
    })

    test('does not change when it is cleaned once more', async () => {
      const { bytes } = await cleaned(await picture({ width: 60, height: 40, format, hasMetadata: true }))
      expect((await cleaned(bytes)).bytes.equals(bytes)).toBe(true)
    })

    test('has nothing behind its end', async () => {
      const behind = Buffer.concat([
        await picture({ width: 60, height: 40, format }),
        Buffer.alloc(64, '<script>'),
      ])
      const outcome = await cleaned(behind).catch((error: Error) => error)
      if (outcome instanceof Error) expect(outcome.name).toBe('validation_error')
      else expect(outcome.bytes.includes('<script>')).toBe(false)
    })

    test('is refused wherever it ends too early', async () => {
      const whole = await picture({ width: 24, height: 16, format })
      const step = decodes ? Math.ceil(whole.length / 20) : 1
      for (let length = 0; length < whole.length; length += step) {
        const file = await saved(whole.subarray(0, length))
        const outcome = await images.inspect(file).then(
          () => `read with ${length} bytes`,
          (error: Error) => error.name,
        )
        expect(outcome).toBe('validation_error')
      }
    })
  })

  test('text chunks, comments and unknown parts are left out', async () => {
    const text = pngChunk('tEXt', Buffer.from(`Comment\0${SECRET}`))
    expect((await cleaned(flatPng(30, 20, [text]))).bytes.includes(SECRET)).toBe(false)
    const { facts, bytes } = await cleaned(gif(2, { comment: SECRET }))
    expect(facts.animated).toBe(true)
    expect(bytes.includes(SECRET)).toBe(false)
  })

  test('an SVG is reduced to what draws', async () => {
    const { bytes } = await cleaned(
      svg('<script>alert(1)</script><rect onclick="alert(1)" width="4" height="4"/>'),
    )
    expect(String(bytes)).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="4" height="4"/></svg>\n',
    )
  })

  test.each([
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj')],
    ['a ZIP', Buffer.from('PK\x03\x04........')],
    ['nothing', Buffer.alloc(0)],
  ])('refuses %s, writes nothing, and reads the next picture', async (_, bytes) => {
    const into = join(folder, `refused-${++files}`)
    await expect(images.clean(await saved(bytes), into)).rejects.toMatchObject({ name: 'validation_error' })
    expect(existsSync(into)).toBe(false)
    expect(await images.inspect(await saved(flatPng(30, 20)))).toMatchObject({ width: 30, height: 20 })
  })

  test('refuses more pixels and longer sides than it decodes', async () => {
    await expect(images.inspect(await saved(flatPng(30_000, 30_000)))).rejects.toThrow('100 megapixels')
    await expect(images.inspect(await saved(flatPng(100_000, 10)))).rejects.toThrow('32767')
    await expect(images.inspect(await saved(gif(5_000)))).rejects.toThrow('5000 frames')
    await expect(images.inspect(await saved(gif(900, { size: 8_000 })))).rejects.toThrow('megapixels')
  })

  const recipe = { width: 32, height: null, format: 'webp', focus: null } as const
  if (!decodes) {
    test('derives nothing from any file', async () => {
      const file = await saved(await picture({ width: 60, height: 40, format: 'jpeg' }))
      await expect(images.derive(file, recipe, join(folder, 'none'))).rejects.toMatchObject({
        name: 'validation_error',
      })
    })
    return
  }

  test.each(['webp', 'avif'] as const)(
    'derives the same %s from the same file and recipe',
    async (format) => {
      const file = await saved(
        await picture({ width: 60, height: 40, format: 'jpeg', orientation: 6, hasMetadata: true }),
      )
      const [first, second] = [join(folder, 'first'), join(folder, 'second')]
      const derived = await images.derive(file, { ...recipe, format }, first)
      await images.derive(file, { ...recipe, format }, second)
      const bytes = await readFile(first)
      expect(derived).toEqual({ width: 32, height: 48, bytes: bytes.length })
      expect(bytes.equals(await readFile(second))).toBe(true)
      expect(bytes.includes(SECRET)).toBe(false)
      expect(await images.inspect(first)).toMatchObject({ format, width: 32, height: 48 })
    },
  )

  test('derives several at once, the same each time, up to a size', async () => {
    const file = await saved(
      await picture({ width: 900, height: 600, format: 'jpeg', orientation: 6, noise: true }),
    )
    const all = async (largest: number) => {
      const variants = [40, 80, 160].map((width) => {
        return { width, format: 'webp', into: join(folder, `${++files}.webp`) } as const
      })
      const derived = await images.deriveAll(file, variants, largest)
      return { derived, files: variants.map(({ into }) => into) }
    }
    const first = await all(1_000_000)
    expect(first.derived.map(({ width, height }) => [width, height])).toEqual([
      [40, 60],
      [80, 120],
      [160, 240],
    ])
    for (const [at, into] of first.files.entries())
      expect((await readFile(into)).length).toBe(first.derived[at]?.bytes)
    const second = await all((first.derived[1]?.bytes ?? 0) + 1)
    expect(second.derived).toEqual(first.derived.slice(0, 2))
    expect(second.files.map((into) => existsSync(into))).toEqual([true, true, false])
    for (const [at, into] of second.files.slice(0, 2).entries())
      expect((await readFile(into)).equals(await readFile(first.files[at] ?? ''))).toBe(true)
  })

  test.each([
    ['an animation', async () => gif(3, { size: 60 })],
    ['transparent pixels', async () => flatPng(90, 60)],
    ['a picture with one channel', async () => flatPng(60, 30)],
  ])('derives several at once of %s', async (_, bytes) => {
    const file = await saved(await bytes())
    const variants = [20, 40].map(
      (width) => ({ width, format: 'webp', into: join(folder, `${++files}`) }) as const,
    )
    const derived = await images.deriveAll(file, variants, 1_000_000)
    expect(derived.map(({ width }) => width)).toEqual([20, 40])
    for (const { into, width } of variants)
      expect(await images.inspect(into)).toMatchObject({ format: 'webp', width })
  })

  test('crops around the focus', async () => {
    const file = await saved(await picture({ width: 400, height: 100, format: 'png' }))
    const into = join(folder, 'cropped')
    const colourAt = async (x: number) => {
      await images.derive(file, { ...recipe, height: 32, focus: { x, y: 0.5 } }, into)
      return (await images.inspect(into)).colour
    }
    expect(await colourAt(0)).toMatch(/^#[d-f]/)
    expect(await colourAt(1)).toMatch(/^#[0-2]/)
  })

  test('derives no pictures from an SVG', async () => {
    await expect(images.derive(await saved(svg('')), recipe, join(folder, 'none'))).rejects.toMatchObject({
      name: 'validation_error',
    })
  })
}
