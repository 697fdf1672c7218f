import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Document, type Scalar, visit, Document as YamlDocument } from 'yaml'
import type { JsonObject } from '../../src/domain/json.ts'
import { writeYaml } from '../../src/page-text/write-yaml.ts'
import { runs } from '../support/long-form.ts'
import { anyText } from '../support/markdown-text.ts'

/** Writes everything with the library, without the fast path. */
function byLibrary(values: JsonObject): string {
  const document: Document = new YamlDocument(values, {
    version: '1.2',
    schema: 'core',
    aliasDuplicateObjects: false,
  })
  visit(document, {
    Scalar: (_, scalar: Scalar) => {
      const hard = typeof scalar.value === 'string' && /^[ \t]|\n[ \t]+$|\n[ \t]+\n|\r/.test(scalar.value)
      if (hard) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER })
}

const pieces = [
  ...[
    'a',
    'Word',
    'word',
    ' ',
    '  ',
    ':',
    ': ',
    ' :',
    '#',
    ' #',
    '\t',
    '\n',
    '-',
    '---',
    '...',
    '?',
    '"',
    "'",
    '{',
    '}',
    '[',
  ],
  ...[
    ']',
    ',',
    '&',
    '*',
    '!',
    '|',
    '>',
    '%',
    '@',
    '`',
    '~',
    '=',
    '<<',
    '\\',
    '\0',
    '\u0085',
    '\u00a0',
    '\u2028',
    '\ufeff',
  ],
  ...[
    'é',
    '字',
    '😀',
    '\ud800',
    'null',
    'Null',
    'NULL',
    'true',
    'True',
    'FALSE',
    'yes',
    'no',
    'on',
    'Off',
    'y',
    'N',
    '1',
    '1e3',
  ],
  ...['inf', '.inf', 'nan', 'NaN', '0x1f', '2026-01-01', 'https://a.example/b?c#d', 'o', '_', '\r'],
]
const text = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join('')),
  fc.constantFrom(...pieces),
  fc
    .array(fc.constantFrom('Word', 'and', 'https://a.example', 'it’s', 'a:b', 'C#'), { minLength: 1 })
    .map((words) => words.join(' ')),
  fc
    .tuple(fc.constantFrom('*', '**', '`'), fc.string({ unit: 'grapheme-ascii' }))
    .map((parts) => parts.join('')),
  anyText,
)
const value = fc.oneof(
  text,
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 2 }),
)
const values = fc.dictionary(
  text.filter((key) => key !== '__proto__'),
  fc.oneof(value, fc.dictionary(fc.constantFrom('a', 'b c'), value)),
  { maxKeys: 4 },
)

test('plain texts are written as the library writes them', () => {
  fc.assert(
    fc.property(values, (given) => {
      expect(writeYaml(given)).toBe(byLibrary(given))
    }),
    { numRuns: runs(4000) },
  )
})

test('long names and texts are written as the library writes them', () => {
  const given = {
    ['a'.repeat(2_000)]: 'b',
    title: `Word ${'c'.repeat(5_000)} and ${'d '.repeat(5_000)}e`,
    about: `*${'f '.repeat(5_000)}*`,
  }
  expect(writeYaml(given)).toBe(byLibrary(given))
})
