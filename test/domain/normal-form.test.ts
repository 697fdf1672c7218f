import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalForm } from '../../src/domain/normal-form.ts'
import { parseUrl } from '../../src/domain/parse-url.ts'
import { countWords } from '../../src/page-text/count-words.ts'
import { growthOf, LINEAR_GROWTH } from '../support/growth.ts'

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const
const source = fileURLToPath(new URL('../../src/', import.meta.url))
/** Each character of a password counts. */
const OWN_FORMS = ['secrets/passphrase.ts', 'secrets/password-hash.ts']

test('a text has its normal form, whatever marks its letters have', () => {
  const letter = fc.tuple(
    fc.constantFrom('e', 'é', 'ﬁ', '각', 'ก'),
    fc.array(fc.constantFrom('\u0301', '\u0323', '\u0e31'), { maxLength: 20 }),
  )
  const written = fc
    .array(letter)
    .map((letters) => letters.map(([base, marks]) => base + marks.join('')).join(''))
  fc.assert(
    fc.property(written, fc.constantFrom(...FORMS), (text, form) => {
      expect(normalForm(text, form)).toBe(text.normalize(form))
    }),
  )
})

test('a text that has its form keeps it', () => {
  const text = fc.array(fc.constantFrom('e', 'é', '\u0301', '\u0323', '\u0345', '한'), { maxLength: 120 })
  fc.assert(
    fc.property(text, fc.constantFrom(...FORMS), (parts, form) => {
      const once = normalForm(parts.join(''), form)
      expect(normalForm(once, form)).toBe(once)
    }),
  )
})

const marks = (length: number) => `e${'\u0301\u0323'.repeat(length / 2)}`

test.each<[string, (text: string) => unknown]>([
  ['a normal form', (text) => normalForm(text)],
  ['the host of a URL', (text) => parseUrl(`https://${text}.example/`)],
  ['the number of words', countWords],
])('%s of a letter with very many marks takes no longer than its length explains', (_, work) => {
  expect(growthOf(marks, work)).toBeLessThan(LINEAR_GROWTH)
})

test('no other code of the product asks for a normal form', () => {
  const files = readdirSync(source, { recursive: true }).map(String)
  const asking = files.filter(
    (file) => file.endsWith('.ts') && /\.normalize\((?:'NF|\))/.test(readFileSync(source + file, 'utf8')),
  )
  expect(asking.sort()).toEqual(OWN_FORMS.toSorted())
})
