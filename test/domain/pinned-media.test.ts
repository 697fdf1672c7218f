import { expect, test } from 'vitest'
import { extensionOf, objectHeaders } from '../../src/domain/artifact.ts'
import { detectType } from '../../src/domain/media-type.ts'
import { pinnedMedia } from '../../src/domain/pinned-media.ts'

const stored = { digest: 'ab'.repeat(32), bytes: 12 }

test.each([
  ['\xff\xd8\xff\xe0', 'a.html', 'jpg'],
  ['\x89PNG\r\n\x1a\n', 'a', 'png'],
  ['%PDF-1.7', 'a.svg', 'pdf'],
  ['\0\0\0\x18ftypisom', 'a.mov', 'mp4'],
  ['\0\0\0\x18ftypM4A ', 'a.mp3', 'm4a'],
  ['ID3\x04', 'a', 'mp3'],
  ['wOF2', 'a', 'woff2'],
  ['name;age\n', 'a.csv', 'csv'],
  ['Just text.', 'a.txt', 'txt'],
  ['<!doctype html>', 'a.html', 'bin'],
  ['\x01\x02\x03\xfe', 'a.png', 'bin'],
])('the published file has the type that its bytes have: %j named %s', (bytes, name, extension) => {
  const { contentType } = detectType(Buffer.from(bytes, 'latin1'), name)
  const file = { name, contentType, image: null, video: null, focus: null }
  const { key } = pinnedMedia(file, stored, [])
  expect(key).toBe(`_media/a.${stored.digest.slice(0, 16)}.${extension}`)
  expect(objectHeaders(key)).toEqual({
    contentType,
    cacheControl: 'public, max-age=31536000, immutable',
  })
})

test('a variant has a key of its own bytes, next to that of its original', () => {
  const image = { width: 900, height: 300, format: 'jpeg', alpha: false, animated: false } as const
  const asset = {
    name: 'team/Ada.jpg',
    contentType: 'image/jpeg',
    focus: { x: 0.2, y: 0.5 },
    image: { ...image, colour: '#102030', thumbhash: null },
    video: null,
  }
  const small = {
    width: 320,
    height: 107,
    format: 'webp',
    digest: 'cd'.repeat(32),
    bytes: 5,
    recipe: 1,
  } as const
  expect(pinnedMedia(asset, stored, [small])).toEqual({
    ...stored,
    key: '_media/ada.abababababababab.jpg',
    width: 900,
    height: 300,
    colour: '#102030',
    focus: { x: 0.2, y: 0.5 },
    variants: [
      {
        width: 320,
        height: 107,
        format: 'webp',
        key: '_media/ada.cdcdcdcdcdcdcdcd-320.webp',
        stored: { digest: small.digest, bytes: 5 },
      },
    ],
  })
})

test('a video has its size, where it could be read', () => {
  const size = { width: 640, height: 360 }
  const video = { name: 'a.mp4', contentType: 'video/mp4', image: null, video: size, focus: null }
  expect(pinnedMedia(video, stored, [])).toEqual({
    ...stored,
    key: '_media/a.abababababababab.mp4',
    width: 640,
    height: 360,
  })
})

test('a type that no extension has is downloaded', () => {
  expect(extensionOf('text/html')).toBe('bin')
  expect(objectHeaders('_media/a.bin').contentType).toBe('application/octet-stream')
})
