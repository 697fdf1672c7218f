import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { type ImageFacts, MAX_IMAGE_PIXELS } from '../domain/image.ts'
import { SOCIAL_SIZE } from '../domain/social-picture.ts'
import { averageColour } from './average-colour.ts'
import type { Decoder } from './decoder.ts'
import { knownFormatOf, readerOf } from './formats/formats.ts'
import { type ImageHeader, shownSize } from './formats/image-header.ts'
import { badImage } from './image-error.ts'
import type { ImageProcessor } from './image-processor.ts'
import { loadThumbHash } from './load-sharp.ts'
import { sanitiseSvg } from './svg/sanitise-svg.ts'
import { temporaryFile } from './temporary-file.ts'

/** Largest file that is read as an image. It is in memory while it is read. */
const MAX_IMAGE_BYTES = 25_000_000
/** Browsers and encoders stop at 2 ** 15 or 2 ** 16 pixels. */
const MAX_SIDE = 32_767
/** Maximum number of frames of an animation. Longer ones are videos. */
const MAX_FRAMES = 1_000

const NOT_DERIVED = 'No smaller pictures are derived from this one.'

type RasterHeader = ImageHeader & { readonly format: Exclude<ImageFacts['format'], 'svg'> }

type Picture =
  | { readonly format: 'svg'; readonly source: string }
  | { readonly format: 'raster'; readonly bytes: Uint8Array; readonly header: RasterHeader }

/**
 * Reads images in this process. Nothing limits the time.
 *
 * @param decoder null to read sizes from headers.
 */
export function createInProcessImages(decoder: Decoder | null): ImageProcessor {
  return {
    decodes: async () => decoder !== null,

    async inspect(file) {
      const picture = await read(file)
      return picture.format === 'svg'
        ? svgFacts(sanitiseSvg(picture.source))
        : facts(picture.bytes, picture.header)
    },

    async clean(file, into) {
      const picture = await read(file)
      if (picture.format === 'svg') {
        const safe = sanitiseSvg(picture.source)
        await write(into, Buffer.from(safe.svg))
        return svgFacts(safe)
      }
      const { format } = picture.header
      const { bytes, orientation } = await upright(picture)
      const stripped = readerOf(format).stripped(bytes, orientation)
      // Looks at the very bytes that are written: not every format keeps an orientation.
      const found = await facts(stripped, headerOf(stripped, format))
      await write(into, stripped)
      return found
    },

    async derive(file, recipe, into) {
      const picture = await read(file)
      if (decoder === null || picture.format === 'svg') throw badImage(NOT_DERIVED)
      const { bytes, ...size } = await decoder.derived(picture.bytes, picture.header, recipe)
      await write(into, bytes)
      return { ...size, bytes: bytes.byteLength }
    },

    async drawCard(card, into) {
      if (decoder === null) throw badImage(NOT_DERIVED)
      const bytes = await decoder.card(card)
      await write(into, bytes)
      return { ...SOCIAL_SIZE, bytes: bytes.byteLength }
    },

    async deriveAll(file, variants, largest) {
      const picture = await read(file)
      if (decoder === null || picture.format === 'svg') throw badImage(NOT_DERIVED)
      const images = await decoder.derivedAll(picture.bytes, picture.header, variants, largest)
      for (const [at, { bytes }] of images.entries()) await write(variants[at]?.into ?? '', bytes)
      return images.map(({ bytes, ...size }) => ({ ...size, bytes: bytes.byteLength }))
    },

    close: async () => {},
  }

  /** The turned image, and the orientation left to browsers. */
  async function upright({
    bytes,
    header: { format, orientation },
  }: Extract<Picture, { format: 'raster' }>): Promise<{
    readonly bytes: Uint8Array
    readonly orientation: number
  }> {
    if (decoder === null || orientation === 1) return { bytes, orientation }
    return { bytes: await decoder.upright(bytes, format), orientation: 1 }
  }

  async function facts(bytes: Uint8Array, header: RasterHeader): Promise<ImageFacts> {
    const { format, frames, alpha } = header
    const known = { format, ...shownSize(header), animated: frames > 1, alpha }
    if (decoder === null) return { ...known, colour: null, thumbhash: null }
    const pixels = await decoder.preview(bytes)
    const hash = (await loadThumbHash())?.rgbaToThumbHash(pixels.width, pixels.height, pixels.rgba)
    return {
      ...known,
      colour: averageColour(pixels.rgba),
      thumbhash: hash === undefined ? null : Buffer.from(hash).toString('base64'),
    }
  }
}

/** @throws {ServiceError} `validation_error` for a file that is no image or exceeds a limit. */
async function read(file: string): Promise<Picture> {
  const { size } = await stat(file)
  if (size > MAX_IMAGE_BYTES)
    throw badImage(
      `The picture has ${size} bytes, more than ${MAX_IMAGE_BYTES}. Save it smaller or with less quality.`,
    )
  const bytes = await readFile(file)
  const format = knownFormatOf(bytes)
  if (format === 'svg') return { format, source: bytes.toString('utf8') }
  const header = headerOf(bytes, format)
  assertSize(header)
  return { format: 'raster', bytes, header }
}

function headerOf(bytes: Uint8Array, format: RasterHeader['format']): RasterHeader {
  return { ...readerOf(format).header(bytes), format }
}

function assertSize({ width, height, frames }: ImageHeader): void {
  if (width < 1 || height < 1) throw badImage('The picture has no pixels.')
  if (frames > MAX_FRAMES)
    throw badImage(
      `The picture has ${frames} frames, more than ${MAX_FRAMES}. Make it shorter, or use a video.`,
    )
  if (width > MAX_SIDE || height > MAX_SIDE)
    throw badImage(
      `The picture is ${width} × ${height} pixels, more than ${MAX_SIDE} on one side. Make it smaller.`,
    )
  if (width * height * frames <= MAX_IMAGE_PIXELS) return
  const ofAll = frames > 1 ? ` in each of ${frames} frames` : ''
  throw badImage(
    `The picture is ${width} × ${height} pixels${ofAll}, more than ${MAX_IMAGE_PIXELS / 1e6} megapixels in all. Make it smaller.`,
  )
}

function svgFacts({ size }: ReturnType<typeof sanitiseSvg>): ImageFacts {
  return { format: 'svg', ...size, animated: false, alpha: true, colour: null, thumbhash: null }
}

async function write(into: string, bytes: Uint8Array): Promise<void> {
  const temporary = temporaryFile(into)
  try {
    await writeFile(temporary, bytes)
    await rename(temporary, into)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
