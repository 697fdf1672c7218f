import { expect, test } from 'vitest'
import type { MediaSource } from '../../../src/domain/media.ts'
import { relativeLinks } from '../../../src/render/links/links.ts'
import { withVideos } from '../../../src/render/page/videos.ts'
import { growthOf, LINEAR_GROWTH } from '../../support/growth.ts'

const variants = [640, 1_280, 1_920].map((width) => ({
  key: `_media/poster.abc-${width}.webp`,
  width,
  height: width / 2,
  format: 'webp' as const,
}))
const media: MediaSource = {
  'a.mp4': { digest: 'a', key: 'a.mp4', width: 640, height: 360 },
  'talk.mp3': { digest: 'b', key: 'talk.mp3' },
  'poster.jpg': { digest: 'c', key: 'poster.jpg', width: 2_000, height: 1_000, colour: null, variants },
  'small.jpg': { digest: 'd', key: 'small.jpg', width: 400, height: 300, colour: null, variants: [] },
}
const rendered = (html: string) => withVideos(html, media, relativeLinks('/docs/one'))

test('a video gets its size, and what its author wrote stays', () => {
  expect(rendered('<video src="../../a.mp4" aria-label="A &amp; B" controls>x</video>')).toBe(
    '<video src="../../a.mp4" aria-label="A &amp; B" controls width="640" height="360">x</video>',
  )
  const sized = '<video src="../../a.mp4" width="320" controls></video>'
  expect(rendered(sized)).toBe(sized)
})

test('a video that names its files inside gets the size of the first', () => {
  const inside = '<source src="../../a.mp4" type="video/mp4"><source src="../../b.webm">'
  expect(rendered(`<video controls>${inside}</video>`)).toBe(
    `<video controls width="640" height="360">${inside}</video>`,
  )
  const other = `<video controls></video><video controls>${inside}</video>`
  expect(rendered(other).startsWith('<video controls></video>')).toBe(true)
})

test('a video of which no size is known gets that of its poster, which is as small as it is shown', () => {
  expect(rendered('<video src="https://a.example/b" poster="../../poster.jpg" controls></video>')).toBe(
    '<video src="https://a.example/b" poster="../../_media/poster.abc-1280.webp" controls width="2000" height="1000"></video>',
  )
  expect(rendered('<video src="../../a.mp4" poster="../../small.jpg"></video>')).toBe(
    '<video src="../../a.mp4" poster="../../small.jpg" width="640" height="360"></video>',
  )
})

test('what is not of the site stays as it is', () => {
  const html =
    '<video src="https://a.example/a.mp4"></video><audio src="../../talk.mp3"></audio><videos src="../../a.mp4">'
  expect(rendered(html)).toBe(html)
  expect(withVideos('<video src="a.mp4">', undefined, relativeLinks('/'))).toBe('<video src="a.mp4">')
})

test.each(['<video ', '<video controls>', '<video controls><source ', '<video a="'])(
  'the work grows with the length of %s',
  (part) => {
    expect(growthOf((size) => part.repeat(size / part.length), rendered)).toBeLessThan(LINEAR_GROWTH)
  },
)
