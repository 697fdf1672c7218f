import { type VideoSize, videoSize } from '../domain/video.ts'
import { partsIn, type VideoBytes, type VideoPart } from './video-bytes.ts'

/** The size of the first video in an MP4 or QuickTime file (ISO/IEC 14496-12); null for none. */
export async function isoVideoSize(bytes: VideoBytes): Promise<VideoSize | null> {
  for await (const box of boxesIn(bytes, { body: 0, to: bytes.size })) {
    if (box.type !== 'moov') continue
    for await (const track of boxesIn(bytes, box)) {
      const size = track.type === 'trak' ? await trackSize(bytes, track) : null
      if (size !== null) return size
    }
    return null
  }
  return null
}

/** Reads the size of a video track; null for others, such as sound or subtitles. */
async function trackSize(bytes: VideoBytes, track: VideoPart): Promise<VideoSize | null> {
  let size: VideoSize | null = null
  for await (const box of boxesIn(bytes, track)) {
    if (box.type === 'tkhd') size = await headerSize(bytes, box)
    if (box.type !== 'mdia') continue
    for await (const inner of boxesIn(bytes, box))
      if (inner.type === 'hdlr') return (await handlerOf(bytes, inner)) === 'vide' ? size : null
  }
  return null
}

async function handlerOf(bytes: VideoBytes, { body }: VideoPart): Promise<string> {
  return (await bytes.read(body + 8, 4)).toString('latin1')
}

/** Offset of the matrix in a track header, by its version: times have 4 or 8 bytes. */
const MATRIX_AT: readonly number[] = [40, 52]
const MATRIX_BYTES = 36
/** Width and height are fixed-point numbers with 16 bits each before and after the point. */
const FIXED_ONE = 65_536

async function headerSize(bytes: VideoBytes, { body }: VideoPart): Promise<VideoSize | null> {
  const [version = -1] = await bytes.read(body, 1)
  const start = MATRIX_AT[version]
  if (start === undefined) return null
  const header = await bytes.read(body + start, MATRIX_BYTES + 8)
  if (header.length < MATRIX_BYTES + 8) return null
  const [width, height] = [header.readUInt32BE(MATRIX_BYTES), header.readUInt32BE(MATRIX_BYTES + 4)]
  // A quarter turn: x depends on y only, and y on x.
  const isOnSide = header.readInt32BE(0) === 0 && header.readInt32BE(16) === 0 && header.readInt32BE(4) !== 0
  const [shownWidth, shownHeight] = isOnSide ? [height, width] : [width, height]
  return videoSize(shownWidth / FIXED_ONE, shownHeight / FIXED_ONE)
}

function boxesIn(bytes: VideoBytes, around: Pick<VideoPart, 'body' | 'to'>): AsyncGenerator<VideoPart> {
  return partsIn(around, async (at, end) => {
    const header = await bytes.read(at, 16)
    if (header.length < 8) return null
    const short = header.readUInt32BE(0)
    const body = short === 1 ? at + 16 : at + 8
    if (short === 1 && header.length < 16) return null
    const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short
    const to = size === 0 ? end : at + size
    return to < body ? null : { type: header.toString('latin1', 4, 8), body, to }
  })
}
