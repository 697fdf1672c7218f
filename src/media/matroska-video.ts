import { type VideoSize, videoSize } from '../domain/video.ts'
import { partsIn, type VideoBytes, type VideoPart } from './video-bytes.ts'

/** Ids of the elements on the way to the size (matroska.org/technical/elements.html). */
const SEGMENT = '18538067'
const CLUSTER = '1f43b675'
const TRACKS = '1654ae6b'
const TRACK_ENTRY = 'ae'
const VIDEO = 'e0'
const NUMBERS = {
  b0: 'pixelWidth',
  ba: 'pixelHeight',
  '54aa': 'bottom',
  '54bb': 'top',
  '54cc': 'left',
  '54dd': 'right',
  '54b0': 'displayWidth',
  '54ba': 'displayHeight',
  '54b2': 'displayUnit',
} as const
type NumberName = (typeof NUMBERS)[keyof typeof NUMBERS]

/** `DisplayUnit`: what `DisplayWidth` and `DisplayHeight` are. */
const IN_PIXELS = 0
const AS_RATIO = 3

/** The size of the first video in a WebM or Matroska file; null for none. */
export async function matroskaVideoSize(bytes: VideoBytes): Promise<VideoSize | null> {
  const path = [SEGMENT, TRACKS, TRACK_ENTRY, VIDEO]
  return sizeAt(path, { body: 0, to: bytes.size })

  /** Goes down the path of ids, into each element with such an id, until one has a size. */
  async function sizeAt(
    [id, ...deeper]: readonly string[],
    around: Pick<VideoPart, 'body' | 'to'>,
  ): Promise<VideoSize | null> {
    if (id === undefined) return trackSize(bytes, around)
    for await (const element of elementsIn(bytes, around)) {
      // The frames of the video begin: its description comes before.
      if (element.type === CLUSTER) return null
      const size = element.type === id ? await sizeAt(deeper, element) : null
      if (size !== null) return size
    }
    return null
  }
}

async function trackSize(
  bytes: VideoBytes,
  video: Pick<VideoPart, 'body' | 'to'>,
): Promise<VideoSize | null> {
  const numbers = new Map<NumberName, number>()
  for await (const { type, body, to } of elementsIn(bytes, video)) {
    const name = Object.hasOwn(NUMBERS, type) ? NUMBERS[type as keyof typeof NUMBERS] : undefined
    const length = to - body
    if (name === undefined || length < 1 || length > 6) continue
    const value = await bytes.read(body, length)
    if (value.length === length) numbers.set(name, value.readUIntBE(0, length))
  }
  const number = (name: NumberName) => numbers.get(name) ?? 0
  const width = number('pixelWidth') - number('left') - number('right')
  const height = number('pixelHeight') - number('top') - number('bottom')
  const shown = { width: number('displayWidth') || width, height: number('displayHeight') || height }
  if (number('displayUnit') === IN_PIXELS) return videoSize(shown.width, shown.height)
  if (number('displayUnit') === AS_RATIO) return videoSize((height * shown.width) / shown.height, height)
  return videoSize(width, height)
}

function elementsIn(bytes: VideoBytes, around: Pick<VideoPart, 'body' | 'to'>): AsyncGenerator<VideoPart> {
  return partsIn(around, async (at, end) => {
    const header = await bytes.read(at, 12)
    const idLength = lengthOf(header[0])
    const sizeLength = lengthOf(header[idLength])
    const body = at + idLength + sizeLength
    if (idLength > 4 || sizeLength > 8 || body > at + header.length) return null
    const size = sizeIn(header.subarray(idLength, idLength + sizeLength))
    return { type: header.toString('hex', 0, idLength), body, to: size === null ? end : body + size }
  })
}

/** Returns the bytes of a number of variable length, by its first bit that is set; 9 for none. */
function lengthOf(first: number | undefined): number {
  return first === undefined ? 9 : Math.clz32(first) - 23
}

/** Reads a size; null for an unknown one, with all bits set: the element ends with the one around it. */
function sizeIn(bytes: Buffer): number | null {
  const bits = 7 * bytes.length
  const value = BigInt(`0x${bytes.toString('hex')}`) & ((1n << BigInt(bits)) - 1n)
  return value === (1n << BigInt(bits)) - 1n ? null : Number(value)
}
