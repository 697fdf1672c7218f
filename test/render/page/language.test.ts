import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateText, readingMinutes } from '../../../src/render/page/article-facts.ts'
import { languageOf } from '../../../src/render/page/language.ts'
import { anyText } from '../../support/live-page.ts'

test.each([
  ['ar', 'rtl'],
  ['he-IL', 'rtl'],
  ['fa', 'rtl'],
  ['ur-PK', 'rtl'],
  ['ckb', 'rtl'],
  ['az-Arab-IR', 'rtl'],
  ['ku-Latn', 'ltr'],
  ['ar-Latn', 'ltr'],
  ['en-GB', 'ltr'],
  ['zh-Hans-CN', 'ltr'],
  ['es-419', 'ltr'],
])('%s is normalised to %s', (lang, dir) => {
  expect(languageOf([lang])).toEqual({ lang, dir })
})

test('the first language there is counts, else it is English', () => {
  expect(languageOf([undefined, '', 5, 'not a language', '"><script>', 'pt_BR', 'de']).lang).toBe('pt-BR')
  expect(languageOf([null, 'x'])).toEqual({ lang: 'en', dir: 'ltr' })
})

test('dates are formatted in every accepted language', () => {
  const tag = fc.stringMatching(/^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Z]{2}|[0-9]{3}))?$/)
  fc.assert(
    fc.property(fc.oneof(tag, anyText()), (text) => {
      expect(dateText('2026-03-03T00:00:00.000Z', languageOf([text]).lang)).not.toBe('')
    }),
  )
})

test('a date shows its UTC day', () => {
  expect(dateText('2026-03-03T23:59:59.999Z', 'en')).toBe('March 3, 2026')
  expect(dateText('2026-03-03T00:00:00.000Z', 'en')).toBe('March 3, 2026')
})

test('reading time is at least a minute', () => {
  expect([0, 1, 329, 331, 2200].map(readingMinutes)).toEqual([1, 1, 1, 2, 10])
})
