import { describe, expect, test } from 'vitest'
import type { Locale } from '../../src/domain/locale.ts'
import { navScope, translatedOf, type Version } from '../../src/domain/version.ts'

const locale = (code: string, subroute: string): Locale => ({ code, label: code, dir: 'ltr', subroute })
const LOCALES = [locale('en', ''), locale('fr', 'fr')]
const version = (name: string, subroute: string, latest = false): Version => ({
  name,
  label: name,
  subroute,
  latest,
})
const NESTED = [version('2.0', 'docs', true), version('1.0', 'docs/1.0')]

const keyOf = (path: string, translationKey: string | null, versions: readonly Version[]) =>
  translatedOf({ path, fields: { locale: null, translationKey }, settings: { locales: LOCALES, versions } })
    ?.key

describe('the key that translations share', () => {
  test('is what the page states in the latest version, else its path without its language', () => {
    expect(keyOf('/fr/docs/installer', 'docs/install', NESTED)).toBe('docs/install')
    expect(keyOf('/fr/docs/install', null, NESTED)).toBe('docs/install')
    expect(keyOf('/fr/about', 'about-us', NESTED)).toBe('about-us')
    expect(keyOf('/fr/v1/install', 'install', [])).toBe('install')
  })

  test('begins with the name of another version, so that pages of two versions are no translations of each other', () => {
    expect(keyOf('/docs/1.0/install', 'install', NESTED)).toBe('1.0/install')
    expect(keyOf('/docs/install', 'install', NESTED)).toBe('install')
  })

  test('is no longer than a path, and the same in each language, where the latest version has a long subroute', () => {
    const long = Array.from({ length: 8 }, () => '語'.repeat(80)).join('/')
    const versions = [version('2.0', long, true), version('1.0', 'v1')]
    const key = keyOf('/v1/install', null, versions) ?? ''
    expect(key).toMatch(/^1\.0\//)
    expect(Buffer.byteLength(key)).toBeLessThanOrEqual(909)
    expect(keyOf('/fr/v1/install', null, versions)).toBe(key)
    expect(keyOf('/fr/v1/installer', 'v1/install', versions)).toBe(key)
    expect(keyOf('/v1/other', null, versions)).not.toBe(key)
    const longest = `v1/${'语'.repeat(300)}/install`
    expect(keyOf(`/${longest}`, null, versions)).toBe(longest)
    expect(keyOf(`/fr/${longest}`, null, versions)).toBe(longest)
  })

  test.each([
    ['nested in the latest one', NESTED, 'docs/1.0', 'docs'],
    ['next to the latest one', [version('2.0', 'v2', true), version('1.0', 'v1')], 'v1', 'v2'],
    ['around the latest one', [version('2.0', 'next', true), version('1.0', '')], '', 'next'],
  ])(
    'connects a copy %s whether it states the key of the latest version, its own path or none',
    (_, versions, own, latest) => {
      const english = `${own}/install`.replace(/^\//, '')
      const key = keyOf(`/${english}`, null, versions)
      expect(key).toBe(`1.0/${latest}/install`)
      expect(keyOf(`/fr/${english}er`, english, versions)).toBe(key)
      expect(keyOf(`/fr/${english}er`, `${latest}/install`, versions)).toBe(key)
    },
  )

  test('is that of the page alone on a site in one language', () => {
    const settings = { locales: [], versions: NESTED }
    expect(
      translatedOf({ path: '/docs/a', fields: { locale: null, translationKey: 'a' }, settings }),
    ).toBeNull()
  })
})

describe('the navigation of a docs page', () => {
  const scopeOf = (subroute: string, siteRoutes: Record<string, string> = {}) =>
    navScope(subroute, { locales: LOCALES, versions: NESTED, siteRoutes })

  test('is that of the language and the version of its path', () => {
    expect(scopeOf('fr/docs/1.0')).toEqual({ name: 'fr@1.0', root: 'fr/docs' })
    expect(scopeOf('docs')).toEqual({ name: 'en@2.0', root: '', isMain: true })
    expect(scopeOf('fr/docs')?.isMain).toBeUndefined()
    expect(scopeOf('docs/1.0')?.isMain).toBeUndefined()
  })

  test('follows the public path where site_routes give a subroute another one', () => {
    const routes = { handbuch: 'fr/docs', old: 'docs/1.0' }
    expect(scopeOf('handbuch', routes)?.name).toBe('fr@2.0')
    expect(scopeOf('old', routes)?.name).toBe('en@1.0')
  })
})
