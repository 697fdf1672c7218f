import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { JsonValue } from '../../src/domain/json.ts'
import {
  converted,
  fileUrl,
  href,
  json,
  line,
  name,
  slug,
  subroute,
  text,
  textOfBytes,
  timestamp,
  trimmed,
  url,
} from '../../src/fields/values.ts'

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success
const messagesOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? []

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  line: line(1, 10),
  text: text(10),
  textOfBytes: textOfBytes(10),
  name: name(10),
  slug,
  subroute,
  timestamp,
  url,
  fileUrl: fileUrl('png'),
  href,
}

describe.each(Object.entries(SCHEMAS))('a value of kind %s', (_, schema) => {
  test('is a string: any other JSON is refused and nothing throws', () => {
    const other = fc.jsonValue().filter((value) => typeof value !== 'string')
    fc.assert(
      fc.property(other, (value) => {
        expect(accepts(schema, value)).toBe(false)
      }),
    )
  })

  test('is accepted back in its stored form, which does not change any more', () => {
    const likely = fc.constantFrom(
      'a',
      'A-b',
      '/a/B/',
      '2026-03-01',
      '/a.png',
      'https://example.com/a.PNG',
      '#a',
    )
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), likely), (given) => {
        const stored = schema.safeParse(given)
        if (stored.success) expect(schema.parse(stored.data)).toBe(stored.data)
      }),
    )
  })

  test('gets messages that end a sentence about the field when it is refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (given) => {
        for (const message of messagesOf(schema, given)) expect(message).toMatch(/^(must |Too big).*[^ ]$/)
      }),
    )
  })
})

describe('the length of a text', () => {
  test('counts code points: an emoji is one character, whatever it takes in memory', () => {
    fc.assert(
      fc.property(fc.nat({ max: 24 }), fc.constantFrom('a', 'é', '漢', '😀', '𝒜'), (length, letter) => {
        const given = letter.repeat(length)
        expect(accepts(text(12), given)).toBe(length <= 12)
        expect(accepts(line(1, 12), given)).toBe(length >= 1 && length <= 12)
      }),
    )
  })

  test('is refused with one message, which names the limits', () => {
    expect(messagesOf(text(5), 'a'.repeat(6))).toEqual(['must have at most 5 characters.'])
    expect(messagesOf(line(1, 5), '')).toEqual(['must have 1 to 5 characters.'])
    expect(messagesOf(name(5), '')).toEqual(['must have 1 to 5 characters.'])
  })

  test('counts bytes of UTF-8 where the limit is one of bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (given) => {
        expect(accepts(textOfBytes(20), given)).toBe(new TextEncoder().encode(given).length <= 20)
      }),
    )
    expect(messagesOf(textOfBytes(51_200), 'a'.repeat(51_201))).toEqual(['must be at most 51,200 bytes.'])
  })
})

describe('one line', () => {
  test.each(['\n', '\r', '\t', '\0', '\u001b', '\u007f', '\u0085'])('has no %j in it', (control) => {
    for (const schema of [line(0, 10), name(10)]) expect(accepts(schema, `a${control}b`)).toBe(false)
  })

  test('may hold any other character', () => {
    for (const given of ['שלום', 'a\u200db', '👩‍👩‍👧', '<b>', '"\''])
      expect(accepts(line(0, 10), given)).toBe(true)
  })

  test('is more than white space when it is a name', () => {
    for (const blank of [' ', '   ', '\u00a0', '\u3000', '\ufeff'])
      expect(accepts(name(10), blank)).toBe(false)
    expect(name(10).parse(' a ')).toBe(' a ')
  })
})

describe('a URL', () => {
  test.each([
    '/',
    '/a',
    '/a?b=c#d',
    'https://example.com',
    'HTTP://example.com/a',
    'https://müller.example/é',
  ])('is accepted when it is %j', (given) => {
    expect(url.parse(given)).toBe(given)
    expect(href.parse(given)).toBe(given)
  })

  test.each([
    '',
    'a',
    'a/b',
    '//example.com',
    '/a b',
    '/a\nb',
    '/\\example.com',
    'https://',
    'https:///a',
    'https://exa mple.com',
    'https:\\\\example.com',
    'javascript:alert(1)',
    ' https://example.com',
    'data:text/html,a',
    'ftp://example.com',
    'https://[::1',
    '/\u0000',
  ])('%j is refused, also as the target of a link', (given) => {
    expect(accepts(url, given)).toBe(false)
    expect(accepts(href, given)).toBe(false)
  })

  test.each(['#', '#part', 'mailto:ada@example.com', 'MAILTO:a@b.c', 'tel:+441234'])(
    '%j is the target of a link only',
    (given) => {
      expect(accepts(url, given)).toBe(false)
      expect(accepts(href, given)).toBe(true)
    },
  )

  test('has, when accepted, no scheme but those of the web, mail and telephones', () => {
    const piece = fc.constantFrom(
      'java',
      'script:',
      'https:',
      'mailto:',
      '/',
      '//',
      '\\',
      '\t',
      '@',
      'a',
      '#',
      ':',
    )
    const given = fc.oneof(
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
      fc.webUrl(),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(given, (written) => {
        if (!accepts(href, written)) return
        const { protocol, origin } = new URL(written, 'https://site.example')
        expect(['http:', 'https:', 'mailto:', 'tel:']).toContain(protocol)
        if (written.startsWith('/')) expect(origin).toBe('https://site.example')
      }),
      { numRuns: 500, examples: [['mailto://@']] },
    )
  })

  test('has at most 2048 characters', () => {
    expect(accepts(url, `/${'a'.repeat(2047)}`)).toBe(true)
    for (const schema of [url, href]) expect(accepts(schema, `/${'a'.repeat(2048)}`)).toBe(false)
  })
})

describe('the URL of a file', () => {
  const icon = fileUrl('ico', 'png')

  test.each(['/a.png', '/A.PNG', '/a.ico?v=2', 'https://example.com/a.png#b'])(
    'is accepted when it is %j',
    (given) => {
      expect(icon.parse(given)).toBe(given)
    },
  )

  test.each(['/a', '/a.png/', '/apng', '/a.svg', '/a?b=.png', '/a#.png', 'https://example.png'])(
    '%j is refused, because its path ends otherwise',
    (given) => {
      expect(messagesOf(icon, given)).toEqual(['must be the URL of a .ico, .png file.'])
    },
  )

  test('is refused for that reason only when it is no URL at all', () => {
    expect(messagesOf(icon, 'a.png')).toEqual(['must be an http or https URL, or start with "/".'])
  })
})

describe('an address', () => {
  test('is stored in lower case, and a subroute without slashes around it', () => {
    expect(slug.parse('Opening-Hours')).toBe('opening-hours')
    expect(subroute.parse('//Docs/V2/')).toBe('docs/v2')
    expect(subroute.parse('')).toBe('')
  })

  test.each(['', '-', '---', 'ä', 'a b', 'a/b', 'a_b', '..', '%61', '\u212a', 'a'.repeat(101)])(
    '%j is no slug',
    (given) => expect(accepts(slug, given)).toBe(false),
  )

  test.each(['a//b', '../a', 'a/./b', 'a/b/c/d/e/f/g/h/i', 'a\\b', 'a/ä', `a/${'b'.repeat(101)}`])(
    '%j is no subroute',
    (given) => expect(accepts(subroute, given)).toBe(false),
  )
})

describe('a timestamp', () => {
  test.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T10:00+02:00', '2026-03-01T08:00:00.000Z'],
    ['2026-03-01 10:00:01.5', '2026-03-01T10:00:01.500Z'],
  ])('%j is %s in UTC', (written, utc) => expect(timestamp.parse(written)).toBe(utc))

  test.each(['', 'today', '2026-02-30', '2026-13-01', '2026-3-1', '2026-03-01T25:00', '1772323200'])(
    'is refused when it is %j',
    (written) =>
      expect(messagesOf(timestamp, written)).toEqual([
        'must be an ISO 8601 date or timestamp, such as 2026-03-10.',
      ]),
  )
})

test('a converted value may be anything but null, which means that the text is not valid', () => {
  const size = converted((given) => (given === '' ? null : given.length), 'must not be empty.')
  expect(size.parse('abc')).toBe(3)
  expect(converted(() => 0, 'never').parse('a')).toBe(0)
  expect(messagesOf(size, '')).toEqual(['must not be empty.'])
})

test('any JSON is accepted as it is, and an absent value is not JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(json.parse(value)).toBe(value)
    }),
  )
  expect(accepts(json, undefined)).toBe(false)
})

test('trimming changes the texts within a value and nothing else, and not twice', () => {
  expect(trimmed([' a\n', { ' b ': ' c ' }, 1, null, true])).toEqual(['a', { ' b ': 'c' }, 1, null, true])
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const once = trimmed(value as JsonValue)
      expect(trimmed(once)).toEqual(once)
      expect(JSON.stringify(once).replace(/\s/g, '').length).toBeLessThanOrEqual(
        JSON.stringify(value).replace(/\s/g, '').length,
      )
    }),
  )
})
