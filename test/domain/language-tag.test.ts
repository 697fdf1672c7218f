import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLanguageTag, readLanguageTag } from '../../src/domain/language-tag.ts'

describe('language tags', () => {
  test.each([
    ['en', 'en', ''],
    ['zh-Hans', 'zh', 'Hans'],
    ['zh_Hans', 'zh', 'Hans'],
    ['pt-BR', 'pt', ''],
    ['es-419', 'es', ''],
    ['sr-Cyrl-RS', 'sr', 'Cyrl'],
    ['de-1996', 'de', ''],
    ['sl-rozaj-biske', 'sl', ''],
  ])('%s names the language %s and the script %j', (written, language, script) => {
    expect(readLanguageTag(written)).toMatchObject({ language, script })
    expect(isLanguageTag(written)).toBe(true)
  })

  test.each(['', 'e', 'english', 'en-', '-en', 'en us', 'en-USA-x', '"><script>', 'zh--Hans'])(
    '%j is no language tag',
    (written) => {
      expect(readLanguageTag(written)).toBeNull()
    },
  )

  test('every tag is known to Intl', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/), (tag) => {
        expect(isLanguageTag(tag)).toBe(true)
        expect(() => Intl.getCanonicalLocales(tag)).not.toThrow()
      }),
    )
  })
})
