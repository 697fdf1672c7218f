import { expect, test } from 'vitest'
import type { MediaImage } from '../../../src/domain/media.ts'
import { relativeLinks } from '../../../src/render/links/links.ts'
import { withPictures } from '../../../src/render/page/pictures.ts'
import { growthOf, LINEAR_GROWTH } from '../../support/growth.ts'

const PHOTO: MediaImage = {
  digest: 'd',
  key: 'docs/photo.jpg',
  width: 1_600,
  height: 900,
  colour: '#408020',
  variants: [320, 640].map((width) => ({
    key: `_media/photo.abc-${width}.webp`,
    width,
    height: (width * 9) / 16,
    format: 'webp' as const,
  })),
}
const media = { 'docs/photo.jpg': PHOTO, 'a b,c.png': { ...PHOTO, key: 'a b,c.png', variants: [] } }
const links = relativeLinks('/docs/one')
const rendered = (html: string) => withPictures(html, media, links)

test('a picture gets its size, the colour to show until it loads, and smaller files', () => {
  expect(
    rendered('<p><img src="../../docs/photo.jpg" alt="A &lt; &quot;B&quot; > c" loading="lazy"></p>'),
  ).toBe(
    '<p><picture><source type="image/webp" srcset="../../_media/photo.abc-320.webp 320w, ' +
      '../../_media/photo.abc-640.webp 640w, ../../docs/photo.jpg 1600w" sizes="(min-width: 43rem) 43rem, 100vw">' +
      '<img src="../../docs/photo.jpg" alt="A &lt; &quot;B&quot; > c" fetchpriority="high" width="1600" height="900" ' +
      'data-colour="#408020"></picture></p>',
  )
})

test('the first picture loads at once, and the others when they come into view', () => {
  const html = rendered(
    '<img src="../../docs/photo.jpg" loading="lazy"> <img src="../../docs/photo.jpg" loading="lazy">',
  )
  expect(html.match(/fetchpriority="high"/g)).toHaveLength(1)
  expect(html.match(/loading="lazy"/g)).toHaveLength(1)
  expect(html.indexOf('fetchpriority')).toBeLessThan(html.indexOf('loading'))
  expect(html).toContain('sizes="auto, (min-width: 43rem) 43rem, 100vw"')
})

test('small pictures are not the first, and a template that has chosen is followed', () => {
  const small = '<img src="../../docs/photo.jpg" width="40" height="40" loading="lazy">'
  expect(rendered(small)).not.toContain('fetchpriority')
  const chosen = '<img src="../../docs/photo.jpg" loading="lazy"><img src="x.jpg" fetchpriority="high">'
  expect(rendered(chosen)).toContain('loading="lazy"')
})

test.each([
  ['width="320"', 'width="320" height="180"'],
  ['height="90"', 'height="90" width="160"'],
  ['width="10" height="90"', 'width="10" height="90"'],
  ['width="50%"', 'width="50%"'],
])('a size that the author wrote stays: %s', (written, expected) => {
  const [, tag = ''] = /(<img[^>]*>)/.exec(rendered(`<img src="../../docs/photo.jpg" ${written}>`)) ?? []
  const sides = [...tag.matchAll(/ ((?:width|height)="[^"]*")/g)].map(([, side]) => side)
  expect(sides).toEqual(expected.split(' '))
})

test('sources that an author wrote stay alone', () => {
  const own = '<picture><source srcset="dark.jpg"><img src="../../docs/photo.jpg"></picture>'
  expect(rendered(own).match(/<source/g)).toHaveLength(1)
  expect(rendered(own)).toContain('width="1600" height="900"')
})

test('names with blanks and commas are candidates all the same', () => {
  expect(rendered('<img src="../../a%20b,c.png">')).toContain('width="1600"')
  const named = {
    'x.jpg': {
      ...PHOTO,
      key: 'x.jpg',
      variants: [{ key: '_media/a b,c.webp', width: 320, height: 1, format: 'webp' as const }],
    },
  }
  expect(withPictures('<img src="x.jpg">', named, relativeLinks('/'))).toContain('_media/a%20b%2Cc.webp 320w')
})

test('other pictures, text and a page without pictures stay as they are', () => {
  const others = '<img src="https://a.example/photo.jpg"><code>&lt;img src="../../docs/photo.jpg"></code>'
  expect(rendered(others)).toBe(others)
  expect(withPictures('<img src="../../docs/photo.jpg">', undefined, links)).toBe(
    '<img src="../../docs/photo.jpg">',
  )
})

test('the time for a page grows with its pictures, not with their square', () => {
  const paragraph = '<p>Some text before the picture.</p>'.repeat(8)
  const pageOf = (images: number) =>
    `${paragraph}<img src="../../docs/photo.jpg" alt="">`.repeat(images / 12.5)
  expect(growthOf(pageOf, rendered)).toBeLessThan(LINEAR_GROWTH)
})

test('an address with a reference to no character is left alone', () => {
  const html = '<img src="&#xffffffff;"><img src="&#x110000;">'
  expect(rendered(html)).toBe(html)
})
