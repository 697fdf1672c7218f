import { crc32, deflateSync } from 'node:zlib'

// Pictures made for tests. Those of other formats than PNG and GIF need sharp, which is optional.

// biome-ignore lint/suspicious/noExplicitAny: its types exist only where it is installed.
type SharpModule = { readonly default: any }

/** Text in metadata that must not be published. */
export const SECRET = 'SECRET-OF-THE-CAMERA'

export async function sharpIfInstalled(): Promise<SharpModule['default'] | null> {
  try {
    const name = 'sharp'
    return (await import(name)).default
  } catch {
    return null
  }
}

export interface PictureOptions {
  readonly width: number
  readonly height: number
  readonly format: 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'
  readonly orientation?: number
  readonly hasMetadata?: boolean
  readonly progressive?: boolean
  /** Every pixel is another one, so that decoding takes long. */
  readonly noise?: boolean
}

/** A picture whose left half is red and whose right half is blue, with some noise. */
export async function picture({
  width,
  height,
  format,
  orientation,
  hasMetadata,
  progressive,
  noise,
}: PictureOptions): Promise<Buffer> {
  const sharp = await sharpIfInstalled()
  if (sharp === null) throw new Error('sharp is not installed.')
  const half = {
    create: { width: Math.ceil(width / 2), height, channels: 3 as const, background: '#1040e0' },
  }
  const background = { width, height, channels: 3, background: '#e02010' }
  const gaussian = noise ? { noise: { type: 'gaussian', mean: 128, sigma: 40 } } : {}
  const image = sharp({ create: { ...background, ...gaussian } }).composite([
    { input: half, left: Math.floor(width / 2), top: 0 },
  ])
  const withExif = hasMetadata
    ? image.withExif({
        IFD0: { Copyright: SECRET, ImageDescription: SECRET },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
    : image
  const turned = orientation === undefined ? withExif : withExif.withMetadata({ orientation })
  return turned.toFormat(format, progressive ? { progressive } : {}).toBuffer()
}

export function pngChunk(type: string, body: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, checksum])
}

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** A PNG of one colour and one bit a pixel, however large it says it is. */
export function flatPng(width: number, height: number, extra: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  // Rows are equal, so that a file of some kilobytes unpacks to a gigabyte.
  const rows = deflateSync(Buffer.alloc(Math.min((Math.ceil(width / 8) + 1) * height, 120_000_000)), {
    level: 9,
  })
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A GIF of one pixel a frame. */
export function gif(frames: number, { size = 1, comment = '' } = {}): Buffer {
  const screen = Buffer.from([
    0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0, 0, 0, 0, 0x80, 0, 0, 255, 255, 255, 0, 0, 0,
  ])
  screen.writeUInt16LE(size, 6)
  screen.writeUInt16LE(size, 8)
  const remark =
    comment === '' ? [] : [Buffer.from([0x21, 0xfe, comment.length]), Buffer.from(comment), Buffer.from([0])]
  const frame = Buffer.from([
    0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0,
  ])
  return Buffer.concat([
    screen,
    ...remark,
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
  ])
}

export function svg(inside: string, attributes = 'viewBox="0 0 40 20"'): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`)
}
