import { describe, expect, test } from 'vitest'
import { feedLocale, type Locale } from '../../src/domain/locale.ts'

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
