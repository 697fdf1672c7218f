import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { splitFrontMatter } from '../../src/page-text/front-matter.ts'
import { writeFrontMatter } from '../../src/page-text/write-front-matter.ts'
import { runs } from '../support/long-form.ts'
import { anyText } from '../support/markdown-text.ts'

const short = fc.oneof(
  anyText,
  fc
    .array(
      fc.constantFrom(
        '---',
        '...',
        '\n',
        '\r',
        '\u2028',
        '\u0085',
        ' ',
        '#',
        ': ',
        '- ',
        '|',
        '>',
        '%',
        '@',
        '"',
        "'",
        '\t',
        '\\',
        '{',
        ']',
      ),
      {
        maxLength: 8,
      },
    )
    .map((parts) => parts.join('')),
  fc.constantFrom(
    'null',
    '~',
    'true',
    'no',
    '1',
    '1e3',
    '0x1f',
    '0o7',
    '.inf',
    '2026-01-01',
    '<<',
    '',
    '=',
    '!!str',
    '&a',
    '*a',
  ),
)
const text = fc.oneof(
  short,
  fc.array(short, { maxLength: 8 }).map((parts) => parts.join('')),
)
const { values } = fc.letrec<{ values: JsonObject; value: JsonObject[string] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('values'),
  ),
  values: fc.dictionary(
    text.filter((key) => key !== '__proto__'),
    tie('value'),
    { maxKeys: 5 },
  ) as fc.Arbitrary<JsonObject>,
}))

test('written front matter reads back unchanged', () => {
  fc.assert(
    fc.property(values, text, fc.array(fc.constantFrom('a note', '---', 'x: y')), (given, body, comments) => {
      const read = splitFrontMatter(writeFrontMatter(given, body, comments))
      expect(read).toEqual({ frontMatter: given, body, error: null })
    }),
    { numRuns: runs(3000) },
  )
})

test('written front matter is readable', () => {
  const values = { title: 'Set in type', draft: false, config: { tags: ['a', '1'], note: 'One.\n\nTwo.\n' } }
  expect(writeFrontMatter(values, 'Hello.\n', ['A note.'])).toBe(`---
# A note.
title: Set in type
draft: false
config:
  tags:
    - a
    - "1"
  note: |
    One.

    Two.
---
Hello.
`)
})
