import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readVideoSize } from '../../src/media/video-size.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { box, element, longVideo, u32, video } from '../support/videos.ts'

async function sizeOf(bytes: Uint8Array) {
  const file = join(await mkdtemp(join(await temporaryFolder(), 'video-')), 'video')
  await writeFile(file, bytes)
  return readVideoSize(file)
}

const FTYP = box('ftyp', Buffer.from('isom\0\0\0\0isom'))
const UPRIGHT = [1, 0, 0, 0, 1, 0, 0, 0, 1]
const ON_SIDE = [0, 1, 0, -1, 0, 0, 0, 0, 1]

function track(
  handler: string,
  [width, height]: readonly [number, number],
  { turn = UPRIGHT, version = 0 } = {},
) {
  const matrix = Buffer.concat(turn.map((one) => u32((one * 65_536) >>> 0)))
  const size = Buffer.concat([u32(width * 65_536), u32(height * 65_536)])
  const times = Buffer.alloc(version === 0 ? 36 : 48)
  return box(
    'trak',
    box('tkhd', Buffer.from([version, 0, 0, 1]), times, matrix, size),
    box(
      'mdia',
      box('mdhd', Buffer.alloc(24)),
      box('hdlr', Buffer.alloc(8), Buffer.from(handler), Buffer.alloc(13)),
    ),
  )
}

describe('the size of a video', () => {
  test('is that of its pictures, wherever its header is', async () => {
    expect(await sizeOf(video('tram.mp4'))).toEqual({ width: 192, height: 108 })
    expect(await sizeOf(video('tram.webm'))).toEqual({ width: 192, height: 108 })
    expect(await sizeOf(longVideo(1_000_000))).toEqual({ width: 192, height: 108 })
    const atEnd = [FTYP, box('mdat', Buffer.alloc(100_000)), box('moov', track('vide', [640, 360]))]
    expect(await sizeOf(Buffer.concat(atEnd))).toEqual({ width: 640, height: 360 })
  })

  test('is that of the upright video, also with long times and after other tracks', async () => {
    const turned = track('vide', [1920, 1080], { turn: ON_SIDE, version: 1 })
    const tracks = [track('soun', [0, 0]), track('sbtl', [640, 60]), turned]
    expect(await sizeOf(Buffer.concat([FTYP, box('moov', ...tracks)]))).toEqual({ width: 1080, height: 1920 })
  })

  test.each([
    ['in pixels', [], { width: 720, height: 576 }],
    [
      'with pixels that are not square',
      [
        ['54b0', 1024],
        ['54ba', 576],
      ],
      { width: 1024, height: 576 },
    ],
    [
      'as proportions',
      [
        ['54b0', 16],
        ['54ba', 9],
        ['54b2', 3],
      ],
      { width: 1024, height: 576 },
    ],
    [
      'in centimetres',
      [
        ['54b0', 30],
        ['54ba', 20],
        ['54b2', 1],
      ],
      { width: 720, height: 576 },
    ],
    [
      'without its edges',
      [
        ['54aa', 16],
        ['54cc', 20],
      ],
      { width: 700, height: 560 },
    ],
  ] as const)('may be stated in a WebM file %s', async (_, numbers, size) => {
    const all = [['b0', 720], ['ba', 576], ...numbers] as const
    const video = element('e0', ...all.map(([id, value]) => element(id, u32(value))))
    const tracks = element('1654ae6b', element('ae', element('83', Buffer.from([1])), video))
    expect(await sizeOf(Buffer.concat([element('1a45dfa3'), element('18538067', tracks)]))).toEqual(size)
  })

  test('is found in a recording whose length was unknown', async () => {
    const video = element('e0', element('b0', u32(320)), element('ba', u32(180)))
    const segment = Buffer.concat([
      Buffer.from('1853806701ffffffffffffff', 'hex'),
      element('1654ae6b', element('ae', video)),
    ])
    expect(await sizeOf(Buffer.concat([element('1a45dfa3'), segment]))).toEqual({ width: 320, height: 180 })
  })

  test('is unknown for sounds, texts, empty files, and for sizes that no video has', async () => {
    const soundOnly = Buffer.concat([FTYP, box('moov', track('soun', [0, 0]))])
    const huge = Buffer.concat([FTYP, box('moov', track('vide', [65_535, 2]))])
    for (const bytes of [video('talk.mp3'), Buffer.from('text'), Buffer.alloc(0), soundOnly, huge])
      expect(await sizeOf(bytes)).toBeNull()
  })
})

describe('a hostile file', () => {
  test.each([
    [
      'a box that claims to be longer than the file',
      Buffer.concat([FTYP, u32(0xffffffff), Buffer.from('moov')]),
    ],
    ['a box that is shorter than its header', Buffer.concat([FTYP, u32(7), Buffer.from('moov')])],
    ['a box of 2^64 bytes', Buffer.concat([FTYP, u32(1), Buffer.from('free'), Buffer.alloc(8, 0xff)])],
    ['a track header that is cut off', Buffer.concat([FTYP, box('moov', box('trak', box('tkhd', u32(0))))])],
    ['an element id of zeros', Buffer.concat([element('1a45dfa3'), Buffer.alloc(64)])],
  ])('with %s has no size', async (_, bytes) => {
    expect(await sizeOf(bytes)).toBeNull()
  })

  test('is not read to its end when it has a million parts', async () => {
    const boxes = Buffer.concat([FTYP, ...Array.from({ length: 100_000 }, () => box('free'))])
    const behind = Buffer.concat([boxes, box('moov', track('vide', [640, 360]))])
    expect(await sizeOf(behind)).toBeNull()
    const nested = Array.from({ length: 3_000 }).reduce<Buffer>((inner) => box('trak', inner), box('tkhd'))
    expect(await sizeOf(Buffer.concat([FTYP, box('moov', nested)]))).toBeNull()
  })

  test('is read without an error, whatever bytes follow a true beginning', async () => {
    const starts = fc.constantFrom(video('tram.mp4'), video('tram.webm'))
    await fc.assert(
      fc.asyncProperty(starts, fc.nat(2_000), fc.uint8Array({ maxLength: 64 }), async (start, at, noise) => {
        const bytes = Buffer.from(start)
        bytes.set(noise, at)
        for (const file of [bytes, bytes.subarray(0, at), Buffer.concat([bytes.subarray(0, at), noise])]) {
          const size = await sizeOf(file)
          if (size !== null) expect(Math.min(size.width, size.height)).toBeGreaterThan(0)
        }
      }),
    )
  })

  test('is not followed when it is a symbolic link', async () => {
    const folder = await mkdtemp(join(await temporaryFolder(), 'video-'))
    await writeFile(join(folder, 'intro.mp4'), video('tram.mp4'))
    await symlink('intro.mp4', join(folder, 'link.mp4'))
    await expect(readVideoSize(join(folder, 'link.mp4'))).rejects.toMatchObject({ code: 'ELOOP' })
  })
})
