import { describe, expect, test } from 'vitest'
import { feedLocale, type Locale, localeOf } from '../../src/domain/locale.ts'

const locale = (code: string, subroute: string): Locale => ({ code, label: code, dir: 'ltr', subroute })
const [en, fr] = [locale('en', ''), locale('fr', 'fr')] as const

describe('the feed of an article', () => {
  test('is that of its language', () => {
    expect(feedLocale({ locale: 'fr' }, [en, fr])).toBe(fr)
    expect(feedLocale({ locale: 'en' }, [fr, en])).toBe(en)
  })

  test('is that of the default language where the site does not have its own', () => {
    expect(feedLocale({}, [fr, en])).toBe(en)
    expect(feedLocale({ locale: 'de' }, [fr, en])).toBe(en)
  })

  test('is the only one of a site in one language', () => {
    expect(feedLocale({ locale: 'fr' }, [])).toBeNull()
  })
})

describe('the language of a page', () => {
  const settings = { locales: [en, fr, locale('zh-Hans', 'zh')] }
  const codeOf = (path: string, stated: string | null) =>
    localeOf({ path, fields: { locale: stated }, settings })?.code

  test('is the one that it states, in any case', () => {
    expect(codeOf('/a', 'fr')).toBe('fr')
    expect(codeOf('/a', 'FR')).toBe('fr')
    expect(codeOf('/fr/a', 'zh-hans')).toBe('zh-Hans')
  })

  test('is that of its path where it states none that the site has', () => {
    expect(codeOf('/fr/a', null)).toBe('fr')
    expect(codeOf('/fr/a', 'de')).toBe('fr')
    expect(codeOf('/french', null)).toBe('en')
  })
})
