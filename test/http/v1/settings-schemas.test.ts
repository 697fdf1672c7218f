import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ServiceError } from '../../../src/domain/errors.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../../src/domain/settings.ts'
import { createSettingsReader } from '../../../src/http/v1/settings-schemas.ts'
import { anySettings, THEMES } from '../../support/stored-values.ts'

const reader = createSettingsReader(THEMES)
const read = (body: JsonObject, stored: Partial<Settings> = {}) =>
  reader.read(body, { ...DEFAULT_SETTINGS, ...stored }, 'standard')

function messageOf(body: JsonObject, stored: Partial<Settings> = {}): string {
  try {
    read(body, stored)
  } catch (error) {
    return (error as ServiceError).message
  }
  return ''
}

test('an empty body writes nothing, whatever is stored', () => {
  fc.assert(
    fc.property(anySettings, (stored) => {
      expect(Object.values(reader.read({}, stored, 'standard')).every((value) => value === undefined)).toBe(
        true,
      )
    }),
  )
})

test('unknown keys are ignored at the top, in the header and in the footer', () => {
  const given = { other: 1, shared_header: { colour: 'red' }, shared_footer: { columns: 3 } }
  expect(read(given).logoUrl).toBeUndefined()
  expect(read(given, { sharedFooter: { links: [], copyright: 'Ada' } }).sharedFooter).toEqual({
    links: [],
    copyright: 'Ada',
  })
})

test('a list of links is replaced, and what stands next to it in the same object stays', () => {
  const links = [{ label: 'A', href: '/a' }]
  const stored = { sharedFooter: { links: [], copyright: 'Ada' }, logoUrl: '/logo.png' }
  expect(read({ shared_footer: { links } }, stored).sharedFooter).toEqual({ links, copyright: 'Ada' })
  expect(read({ shared_header: { links } }, stored)).toMatchObject({ navLinks: links, logoUrl: undefined })
})

describe('branding', () => {
  test('is merged with the stored one key by key, and null removes a key', () => {
    const stored = { branding: { font: 'Inter', lang: 'en', mood: 1 } }
    expect(read({ branding: { lang: null, mood: 2 } }, stored).branding).toEqual({ font: 'Inter', mood: 2 })
  })

  test('has the theme, which is stored as a setting and is an installed one', () => {
    expect(read({ branding: { theme: 'dark' } })).toMatchObject({ theme: 'dark', branding: {} })
    for (const theme of ['none', null, 3, ['dark']])
      expect(messageOf({ branding: { theme } })).toContain(
        'branding.theme: must be one of default, dark, minimal.',
      )
  })

  test('is limited together with the stored keys', () => {
    const half = 'x'.repeat(9 * 1024)
    expect(messageOf({ branding: { b: half } })).toBe('')
    expect(messageOf({ branding: { b: half } }, { branding: { a: half } })).toContain(
      'branding: must be at most',
    )
    expect(messageOf({ branding: { b: half, a: null } }, { branding: { a: half } })).toBe('')
  })
})

describe('site routes', () => {
  test('are merged with the stored ones, and null removes one', () => {
    const stored = { siteRoutes: { docs: '/help', blog: '/news' } }
    expect(read({ site_routes: { 'Docs/': null, notes: 'Wiki/' } }, stored).siteRoutes).toEqual({
      blog: '/news',
      notes: '/wiki',
    })
  })

  test('are refused by the name of each wrong one', () => {
    const message = messageOf({ site_routes: { 'a b': '/a', docs: 3, notes: '/x y', blog: '/ok' } })
    for (const name of ['a b', 'docs', 'notes']) expect(message).toContain(`site_routes.${name}: `)
    expect(message).not.toContain('blog')
  })

  test('are at most 500 with the stored ones', () => {
    const routes = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`r${from + n}`, '/a']))
    const stored = { siteRoutes: routes(0, 400) }
    expect(messageOf({ site_routes: routes(400, 100) }, stored)).toBe('')
    expect(messageOf({ site_routes: routes(400, 101) }, stored)).toContain(
      'site_routes: must have at most 500',
    )
  })
})

test('any JSON is read or refused with a reason', () => {
  const names = ['docs_nav', 'shared_header', 'shared_footer', 'branding', 'site_routes']
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), anySettings, (body, stored) => {
      try {
        reader.read(body as JsonObject, stored, 'standard')
      } catch (error) {
        expect((error as ServiceError).name).toBe('validation_error')
        expect((error as ServiceError).message).not.toBe('')
      }
    }),
    { numRuns: 300 },
  )
})

test('the answer of a write names the known keys that were sent', () => {
  expect(reader.supplied({ site_routes: {}, other: 1, branding: {} })).toEqual(['branding', 'site_routes'])
})
