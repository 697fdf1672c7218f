import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decoded, safeUrl, schemeOf } from '../../src/domain/author-url.ts'

const KINDS = ['link', 'image'] as const

describe('a URL that an author wrote', () => {
  test.each([
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['//example.com/a', 'https://example.com/a'],
    ['/docs/install', '/docs/install'],
    ['../sibling/', '../sibling/'],
    ['?page=2', '?page=2'],
    ['  /padded  ', '/padded'],
    ['/with space', '/with%20space'],
    ['/a"b<c>d`e', '/a%22b%3Cc%3Ed%60e'],
    ['https://müller.example/é', 'https://müller.example/é'],
  ])('%j is written as %j, as a link and as a picture', (written, url) => {
    for (const kind of KINDS) expect(safeUrl(written, kind)).toBe(url)
  })

  test.each(['mailto:ada@example.com', 'tel:+441234', '#part'])('%j is a link and no picture', (url) => {
    expect(safeUrl(url, 'link')).toBe(url)
    expect(safeUrl(url, 'image')).toBeNull()
  })

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java&#115;cript:alert(1)',
    'java&Tab;script:alert(1)',
    'vbscript:x',
    'data:text/html,<script>',
    'file:///etc/passwd',
    'https:\\\\example.com',
    'https://',
    'http:///path',
    'https:example.com',
    '//',
    '',
    '   ',
    '/a\u0000b',
    '/a\u2028b',
  ])('is refused when it is %j', (url) => {
    for (const kind of KINDS) expect(safeUrl(url, kind)).toBeNull()
  })

  test('a colon after the path has begun does not make a scheme', () => {
    expect(schemeOf('/time/12:30')).toBeNull()
    expect(schemeOf('a?b:c')).toBeNull()
    expect(schemeOf('HTTPS://example.com')).toBe('https')
    expect(safeUrl('/time/12:30', 'link')).toBe('/time/12:30')
  })

  test('whatever was written, the result cannot run a script or end an attribute', () => {
    const pieces = fc.constantFrom(
      'java',
      'script',
      ':',
      '//',
      '/',
      '&#58;',
      '&colon;',
      '\t',
      ' ',
      '"',
      '>',
      'data',
      'é',
      '#',
      'http',
      'a',
    )
    const written = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((parts) => parts.join('')),
      fc.webUrl(),
    )
    fc.assert(
      fc.property(written, fc.constantFrom(...KINDS), (raw, kind) => {
        const url = safeUrl(raw, kind)
        if (url === null) return
        expect(url).not.toMatch(/[\s"<>`\\]/)
        const { protocol } = new URL(url, 'https://site.example/page/')
        expect(kind === 'image' ? ['http:', 'https:'] : ['http:', 'https:', 'mailto:', 'tel:']).toContain(
          protocol,
        )
      }),
    )
  })

  test('a safe URL stays as it is when it is read again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.webPath()), fc.constantFrom(...KINDS), (raw, kind) => {
        const url = safeUrl(raw, kind)
        if (url !== null) expect(safeUrl(url, kind)).toBe(url)
      }),
    )
  })
})

test('escapes are decoded, and a broken escape is left as it is written', () => {
  expect(decoded('caf%C3%A9')).toBe('café')
  expect(decoded('100%')).toBe('100%')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(decoded(encodeURIComponent(text))).toBe(text)
    }),
  )
})
