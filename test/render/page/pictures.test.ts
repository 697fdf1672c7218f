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
      '../../_media/photo.abc-640.webp 640w, ../../docs/photo.jpg 1600w" sizes="min(43rem, 100vw - 2.5rem)">' +
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
  expect(html).toContain('sizes="auto, min(43rem, 100vw - 2.5rem)"')
})

test('the first picture is requested before style sheets, in its best format', () => {
  const head = '<head><link rel="stylesheet" href="a.css"><script src="a.js"></script></head>'
  const [photo] = [PHOTO.variants[0]]
  const both = { ...PHOTO, variants: [...PHOTO.variants, { ...photo, key: 'p.avif', format: 'avif' }] }
  const html = withPictures(
    `${head}<img src="../../docs/photo.jpg" sizes="44rem"><img src="../../docs/photo.jpg">`,
    { ...media, 'docs/photo.jpg': both as MediaImage },
    links,
  )
  expect(html.match(/<link rel="preload".*/g)).toEqual([
    '<link rel="preload" as="image" type="image/avif" imagesrcset="../../p.avif 320w, ../../docs/photo.jpg 1600w" imagesizes="44rem" fetchpriority="high">',
  ])
  expect(html.indexOf('rel="preload"')).toBeLessThan(html.indexOf('rel="stylesheet"'))
  expect(rendered(`${head}<img src="../../a%20b,c.png">`)).toContain(
    '<link rel="preload" as="image" href="../../a%20b,c.png" fetchpriority="high">\n<link rel="stylesheet"',
  )
  const dark =
    '<picture><source data-dark media="(x)" srcset="../../docs/photo.jpg"><img src="../../docs/photo.jpg"></picture>'
  const small = '<img src="../../docs/photo.jpg" width="40">'
  for (const none of [dark, small, '<img src="https://x.example/y.jpg" fetchpriority="high">'])
    expect(rendered(head + none)).not.toContain('preload')
})

test('small pictures are not the first', () => {
  const small = '<img src="../../docs/photo.jpg" width="40" height="40" loading="lazy">'
  const avatar = '<img src="../../docs/photo.jpg" sizes="calc(2.75rem * cover(1))">'
  const logo = '<img src="../../docs/photo.jpg" sizes="within(12rem, 2rem)">'
  for (const html of [small, avatar, logo]) expect(rendered(html)).not.toContain('fetchpriority')
})

test('the first picture is the first of the document, also where a template expected another one', () => {
  const html = rendered(
    '<img src="../../docs/photo.jpg" loading="lazy" alt="A"><img src="../../docs/photo.jpg" fetchpriority="high" alt="B">',
  )
  expect(html).toContain('alt="A" fetchpriority="high"')
  expect(html).toContain('alt="B" width="1600"')
  const twice = '<img src="x.jpg" fetchpriority="high"><img src="y.jpg" fetchpriority="high">'
  expect(withPictures(twice, undefined, links)).toBe(
    '<img src="x.jpg" fetchpriority="high"><img src="y.jpg">',
  )
})

test('a template says how wide a picture is shown', () => {
  const sizesOf = (tag: string) =>
    / sizes="([^"]*)"/.exec(rendered(`<img src="x.jpg" fetchpriority="high">${tag}`))?.[1]
  const src = 'src="../../docs/photo.jpg"'
  expect(sizesOf(`<img ${src} sizes="(min-width: 60rem) 30rem, 100vw">`)).toBe(
    '(min-width: 60rem) 30rem, 100vw',
  )
  // The picture is 16 by 9: in a square it is 1.78 times as wide as the square.
  expect(sizesOf(`<img ${src} sizes="calc(20rem * cover(1))" loading="lazy">`)).toBe('calc(20rem * 1.778)')
  expect(sizesOf(`<img ${src} sizes="calc(50vw * cover(2))" loading="lazy">`)).toBe('auto, calc(50vw)')
  expect(sizesOf(`<img ${src} sizes="within(12rem, 2rem)">`)).toBe('3.556rem')
  expect(sizesOf(`<img ${src} width="300">`)).toBe('min(300px, 100vw)')
})

test('without smaller files nothing says how wide a picture is shown', () => {
  expect(rendered('<img src="https://a.example/x.jpg" sizes="50vw">')).toBe(
    '<img src="https://a.example/x.jpg">',
  )
  expect(withPictures('<img src="x.jpg" sizes="50vw">', undefined, links)).toBe('<img src="x.jpg">')
  const own = '<img src="x.jpg" srcset="x.jpg 1w" sizes="50vw">'
  expect(rendered(own)).toBe(own)
})

test('a picture for dark mode has smaller files of its own, and no colour of the other one', () => {
  const html = rendered(
    '<picture><source data-dark media="(prefers-color-scheme: dark)" srcset="../../docs/photo.jpg" sizes="50vw">' +
      '<img src="../../docs/photo.jpg" sizes="50vw"></picture>',
  )
  expect(
    html.match(/<source data-dark media="[^"]*" type="image\/webp" srcset="[^"]*320w[^"]*" sizes="50vw">/g),
  ).toHaveLength(1)
  expect(html.match(/<source /g)).toHaveLength(3)
  expect(html.indexOf('data-dark')).toBeLessThan(html.lastIndexOf('type="image/webp"'))
  expect(html).not.toContain('data-colour')
  expect(html.match(/<picture>/g)).toHaveLength(1)
})

test('a picture that is much larger than shown links to the whole one where a template says so', () => {
  const zoomed = (more: string) =>
    rendered(`<img src="../../docs/photo.jpg"${more} data-zoom="View" data-close="Close">`)
  expect(zoomed(' alt="A"')).toMatch(
    /^<a class="zoom" href="..\/..\/docs\/photo.jpg" data-close="Close"><picture>.*<\/picture><\/a>$/,
  )
  expect(zoomed(' alt=""')).toContain('data-close="Close" aria-label="View">')
  expect(zoomed(' alt="A"')).not.toContain('data-zoom')
  expect(zoomed(' width="400"')).toContain('class="zoom"')
  expect(zoomed(' width="100"')).not.toContain('class="zoom"')
  const little = { 'x.jpg': { ...PHOTO, key: 'x.jpg', width: 1_000 } }
  expect(
    withPictures('<img src="x.jpg" data-zoom="View" data-close="Close">', little, relativeLinks('/')),
  ).not.toContain('<a')
  expect(withPictures('<img src="y.jpg" data-zoom="View" data-close="Close">', undefined, links)).toBe(
    '<img src="y.jpg">',
  )
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

test('the focus of a picture is said in tenths, but for the middle', () => {
  const focused = (focus: MediaImage['focus']) =>
    withPictures(
      '<img src="x.jpg">',
      { 'x.jpg': { ...PHOTO, key: 'x.jpg', ...(focus && { focus }) } },
      relativeLinks('/'),
    )
  expect(focused({ x: 0.3, y: 1 })).toContain('data-x="3" data-y="10"')
  expect(focused({ x: 0, y: 0.52 })).toMatch(/data-x="0"(?!.*data-y)/)
  expect(focused(undefined)).not.toMatch(/data-[xy]/)
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
