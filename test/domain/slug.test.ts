import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProjectId } from '../../src/domain/ids.ts'
import { pathFault, pathOfUrl, publicPath, readSubroute, urlPath } from '../../src/domain/route.ts'
import { foldedAddress, readSlug } from '../../src/domain/slug.ts'
import { isSafeKey, storageKey } from '../../src/domain/storage-key.ts'
import { siteKeys } from '../../src/render/site-files/site-keys.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 12 })
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '/',
        '\\',
        '%2f',
        '%2e',
        '\u2024',
        '\u2044',
        '\u2215',
        '\uff0e',
        '\uff0f',
        '\uff3c',
      ),
      fc.constantFrom(
        '\u200b',
        '\u200d',
        '\u202e',
        '\u2066',
        '\ufeff',
        '\u00ad',
        '\u3164',
        '\u0338',
        '\u0000',
        ' ',
      ),
      fc.constantFrom('a', 'É', 'ß', '安', 'Σ', 'ı', 'İ', '_', '-', 'index.html', 'json'),
      anyText,
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

describe('wide slugs', () => {
  test.each([
    ['v1.2', 'v1.2'],
    ['my_function', 'my_function'],
    ['Überblick', 'überblick'],
    ['安装', '安装'],
    ['ไทยน้ำ', 'ไทยน้ำ'],
    ['नमस्ते', 'नमस्ते'],
    ['ΟΔΗΓΌΣ', 'οδηγός'],
    ['οδηγόσ', 'οδηγός'],
    ['İstanbul', 'i\u0307stanbul'],
    ['Straße', 'straße'],
    ['Install', 'install'],
    ['𠮷'.repeat(100), '𠮷'.repeat(100)],
    ['𠮷'.repeat(101), null],
    ['index', 'index'],
    ['_x', null],
    ['.x', null],
    ['x.', null],
    ['a..b', null],
    ['---', null],
    ['with space', null],
    ['c++', null],
    ['a/b', null],
    ['a%2fb', null],
    ['\u0301a', null],
    ['a\u0338b', null],
    ['a\u200cb', null],
    ['a\u202eb', null],
    ['a\uff0fb', null],
    ['a\uff0eb', null],
    ['a\u3164b', null],
    ['page.html', null],
  ])('the slug %j is stored as %j', (written, stored) => {
    expect(readSlug(written, 'wide')).toBe(stored)
  })

  test('no file that Quoin writes is a slug', () => {
    for (const key of siteKeys(100_000, [])) expect(readSlug(key, 'wide')).toBeNull()
    for (const name of ['index.html', 'index.md', 'INDEX.HTML', 'sitemap-12.xml'])
      expect(readSlug(name, 'wide')).toBeNull()
  })

  test('a slug that the standard alphabet holds is the same slug', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), hostile), (text) => {
        const standard = readSlug(text, 'standard')
        if (standard !== null) expect(readSlug(text, 'wide')).toBe(standard)
      }),
    )
  })

  test('spellings in another case or normalisation are one slug, and the stored form reads as itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), hostile), (text) => {
        const slug = readSlug(text, 'wide')
        for (const form of ['NFC', 'NFD'] as const)
          expect(foldedAddress(text.normalize(form))).toBe(foldedAddress(text))
        if (slug === null) return
        expect(readSlug(slug, 'wide')).toBe(slug)
        const upper = Array.from(slug, (letter) =>
          Array.from(letter.toUpperCase()).length === 1 && letter !== 'ı' ? letter.toUpperCase() : letter,
        )
        expect(readSlug(upper.join(''), 'wide')).toBe(slug)
      }),
    )
  })

  test('whatever is written, a page has a safe key of its own depth, and its URL leads to it', () => {
    fc.assert(
      fc.property(hostile, hostile, (folder, name) => {
        const [subroute, slug] = [readSubroute(folder, 'wide'), readSlug(name, 'wide')]
        if (subroute === null || slug === null) return
        const path = publicPath({ subroute, slug }, {})
        if (pathFault(path) !== null) return
        expect(path).not.toMatch(/\.\.|\\|%|\s|\/\.|\.\/|[\p{Cc}\p{Cf}\uff0f\uff0e]/u)
        expect(isSafeKey(`${path.slice(1)}/index.html`)).toBe(true)
        expect(() => storageKey('a'.repeat(16) as ProjectId, `${path.slice(1)}/index.html`)).not.toThrow()
        const { pathname } = new URL(urlPath(path), 'https://site.example')
        expect(pathname).toBe(urlPath(path))
        expect(pathOfUrl(pathname)).toBe(path)
      }),
      { numRuns: 2_000 },
    )
  })
})

test('a key is written in URLs so that exactly it is asked for', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), hostile), { minLength: 1 }),
      (parts) => {
        const key = parts.join('/')
        if (!isSafeKey(key)) return
        const { pathname, search, hash } = new URL(`/${urlPath(key)}`, 'https://site.example')
        expect([search, hash]).toEqual(['', ''])
        expect(pathname.slice(1).split('/').map(decodeURIComponent).join('/')).toBe(key)
      },
    ),
  )
})

test('an address that no store can hold is reported', () => {
  expect(pathFault(`/docs/${'安'.repeat(85)}`)).toBeNull()
  expect(pathFault(`/docs/${'安'.repeat(86)}`)).toMatch(/255 bytes/)
  const folders = '/a'.repeat(8).replaceAll('a', 'a'.repeat(100))
  expect(pathFault(`${folders}/${'a'.repeat(100)}`)).toBeNull()
  expect(pathFault(`${folders}/${'安'.repeat(40)}`)).toMatch(/909/)
})

test('an escape that hides a slash or a dot leads nowhere else', () => {
  expect(pathOfUrl('/docs%2Finstall')).toBeNull()
  expect(pathOfUrl('/a%')).toBeNull()
  expect(pathOfUrl('/%C3%9Cber')).toBe('/über')
  expect(pathOfUrl('/%25C3')).toBe('/%c3')
})
