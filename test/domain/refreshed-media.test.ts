import { expect, test } from 'vitest'
import type { MediaImage, MediaSource } from '../../src/domain/media.ts'
import { refreshedMedia } from '../../src/domain/refreshed-media.ts'

const PHOTO: MediaImage = {
  key: '_media/a.0000.jpg',
  digest: '0000',
  bytes: 9,
  width: 400,
  height: 200,
  colour: '#102030',
  variants: [],
}
const WEBP = { width: 320, height: 160, format: 'webp', key: '_media/a.1111-320.webp' } as const

test('a picture of the same bytes gets its variants, and keeps the focus and the name that it was published with', () => {
  const live: MediaSource = { 'media/a.jpg': PHOTO, 'media/b.pdf': { digest: '2', key: '_media/b.2.pdf' } }
  const now: MediaSource = {
    'media/a.jpg': { ...PHOTO, focus: { x: 0, y: 1 }, colour: null, variants: [WEBP] },
  }
  expect(refreshedMedia(live, now)).toEqual({ ...live, 'media/a.jpg': { ...PHOTO, variants: [WEBP] } })
})

test('what was replaced, deleted or uploaded since is left to people', () => {
  const live: MediaSource = { 'media/a.jpg': PHOTO }
  const replaced = { ...PHOTO, digest: '3333', variants: [WEBP] }
  expect(refreshedMedia(live, { 'media/a.jpg': replaced })).toBe(live)
  expect(refreshedMedia(live, {})).toBe(live)
  expect(refreshedMedia(live, { 'media/a.jpg': PHOTO, 'media/new.jpg': replaced })).toBe(live)
})
