import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mediaAlias, readMediaName } from '../../src/domain/media-name.ts'
import { mediaNames, nameIn, withMediaAddresses } from '../../src/domain/media-names.ts'

const segment = fc
  .stringMatching(/^[\p{L}\p{N}\-_.@+ ]{1,20}$/u)
  .map((text) => text.normalize('NFC'))
  .filter((text) => readMediaName(text) !== null)
const name = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('/'))
  .filter((text) => readMediaName(text) === text)

describe('a name is found', () => {
  test.each([
    ['![Ada](/media/team/ada.jpg "Ada")', 'team/ada.jpg'],
    // More names than a page shows do no harm; fewer would.
    ['![](</media/a b.png>)', 'a', 'a b.png'],
    ['<img src="/media/a b.png" alt>', 'a', 'a b.png'],
    ["<a href='/media/report.pdf'>", 'report.pdf'],
    ['<img srcset="/media/a.png 1x, /media/b.png 2x">', 'a.png', 'b.png'],
    ['<img srcset="/media/a.png 2x">', 'a.png', 'a.png 2x'],
    ['[ref]: /media/logo.svg', 'logo.svg'],
    ['body { background: url(/media/bg.webp) }', 'bg.webp'],
    ['cover: /media/cover.jpg\nother: x', 'cover.jpg'],
    ['![](/media/a%20b.png?v=2#top)', 'a b.png'],
    ['![](/media/写真/猫.jpg)', '写真/猫.jpg'],
    ['See /media/report.pdf.', 'report.pdf', 'report.pdf.'],
    ['![](/media/Zu\u0308rich.png)', 'Z\u00fcrich.png'],
  ])('in the text %j', (text, ...names) => {
    expect(mediaNames([text])).toEqual(names)
  })

  test('in any value of an object, once', () => {
    const config = {
      sections: [{ props: { image: '/media/a b.png', text: 'No' } }],
      author: { avatar: '/media/c.png' },
    }
    expect(mediaNames([config, '/media/c.png', null, undefined, 3])).toEqual(['a b.png', 'c.png'])
  })

  test('however the value of a field, Markdown and HTML write it', () => {
    fc.assert(
      fc.property(name, (one) => {
        const alias = mediaAlias(one)
        expect(mediaNames([alias])).toContain(one)
        expect(mediaNames([{ image: `/media/${one}` }])).toContain(one)
        expect(mediaNames([`![](${alias})`])).toContain(one)
        expect(mediaNames([`<img src="/media/${one}">`])).toContain(one)
      }),
    )
  })
})

test.each([
  'https://example.com/media/a.png',
  '/docs/media/a.png',
  '/media/',
  '/media/../secret',
  '/media/.hidden',
  '/medias/a.png',
  '//media/a.png',
])('no name is found in %j', (text) => {
  expect(mediaNames([text])).toEqual([])
})

test('only the first 1,000 of many names count', () => {
  const text = Array.from({ length: 5_000 }, (_, index) => `![](/media/${index}.png)`).join('\n')
  const names = mediaNames([text, '/media/other.png'])
  expect(names).toHaveLength(1_000)
  expect(names).toContain('0.png')
})

test('the time to find names grows with the text, not faster', () => {
  const parts = ['"/media/', '/media/', "'/media/%", '</media/ ', '/media/(', '(/media/%ff', ' /media/a.']
  for (const part of parts) {
    const [shorter, longer] = [timeOf(part.repeat(20_000)), timeOf(part.repeat(160_000))]
    // Eight times the text; quadratic time would be 64 times as long.
    expect(longer).toBeLessThan(30 * (shorter + 10))
  }
})

/** The best of three, because other work may interrupt one. */
function timeOf(text: string): number {
  const times = [1, 2, 3].map(() => {
    const started = performance.now()
    mediaNames([text])
    return performance.now() - started
  })
  return Math.min(...times)
}

describe('a text gets the addresses of published files', () => {
  const published = (text: string) =>
    withMediaAddresses(text, (name) =>
      name.startsWith('gone') ? null : `/_media/${name.replaceAll(' ', '-')}`,
    )

  test.each([
    ['![Ada](/media/team/ada.jpg "Ada")', '![Ada](/_media/team/ada.jpg "Ada")'],
    ['a { background: url("/media/a b.png") }', 'a { background: url("/_media/a-b.png") }'],
    ['a { background: url(/media/a.png?v=2#top) }', 'a { background: url(/_media/a.png?v=2#top) }'],
    ['See /media/report.pdf.', 'See /_media/report.pdf.'],
    ['![](/media/a%20b.png)', '![](/_media/a-b.png)'],
    ['/media/gone.png, https://example.com/media/a.png', '/media/gone.png, https://example.com/media/a.png'],
    [
      '::video{src="/media/a.png" captions="/media/team/ada.jpg, /media/a%20b.png"}',
      '::video{src="/_media/a.png" captions="/_media/team/ada.jpg, /_media/a-b.png"}',
    ],
    [
      '<img srcset="/media/a.png 1x, /media/a%20b.png 2x">',
      '<img srcset="/_media/a.png 1x, /_media/a-b.png 2x">',
    ],
    ['/media/../x and /media/', '/media/../x and /media/'],
  ])('for example in %j', (text, expected) => {
    // A name may end with a full stop; here no asset has such a name.
    const existing = (name: string) => (name.endsWith('.') ? null : published(`/media/${name}`))
    expect(text.endsWith('.') ? withMediaAddresses(text, existing) : published(text)).toBe(expected)
  })

  test('wherever a name is found, and nowhere else', () => {
    fc.assert(
      fc.property(name, fc.constantFrom('![](%)', 'url("%")', 'a <%> b', "src='%'"), (one, frame) => {
        const text = frame.replace('%', () => mediaAlias(one))
        const seen: string[] = []
        withMediaAddresses(text, (found) => {
          seen.push(found)
          return null
        })
        expect(seen).toContain(one)
        for (const found of seen) expect(mediaNames([text])).toContain(found)
        expect(nameIn(mediaAlias(one))).toBe(one)
      }),
    )
  })
})
