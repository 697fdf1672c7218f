import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPageFields } from '../../src/content-folder/page-fields.ts'
import { NO_YAML } from '../../src/content-folder/yaml-source.ts'
import type { TypeFields } from '../../src/domain/page.ts'
import { language, namedTypeFields, readTypeFields, TYPE_FIELDS } from '../../src/fields/page-fields.ts'
import { anyId, anyPage, anyTitle } from '../support/stored-values.ts'

const FIELDS: TypeFields = {
  redirectFrom: [],
  tags: [],
  locale: null,
  translationKey: null,
  publishDate: '2026-01-01T00:00:00.000Z',
  author: { name: 'Ada', avatar: null },
  blog: null,
  navOrder: 2,
  parentPage: null,
  badge: null,
}

test('a type shows its own fields, the tags, and no field of another type', () => {
  expect(namedTypeFields('article', FIELDS)).toEqual({
    tags: [],
    locale: null,
    translation_key: null,
    publish_date: '2026-01-01T00:00:00.000Z',
    author: { name: 'Ada', avatar: null },
  })
  expect(namedTypeFields('docs', FIELDS)).toEqual({
    tags: [],
    locale: null,
    translation_key: null,
    nav_order: 2,
    parent_page: null,
  })
  expect(namedTypeFields('page', FIELDS)).toEqual({ tags: [], locale: null, translation_key: null })
  expect(namedTypeFields('item', FIELDS)).toEqual({ tags: [], locale: null, translation_key: null })
})

test('null is read as a value, and an absent field stays absent', () => {
  expect(readTypeFields({ publish_date: null, nav_order: 0 })).toEqual({ publishDate: null, navOrder: 0 })
  expect(readTypeFields({})).toEqual({})
})

test.each([
  ['title', 200],
  ['description', 500],
])('a page file counts the characters of %s as code points, as the API does', (name, max) => {
  const reads = (text: string) => 'fields' in readPageFields('docs', { title: 'A', [name]: text }, NO_YAML)
  expect(reads('😀'.repeat(max))).toBe(true)
  expect(reads('😀'.repeat(max + 1))).toBe(false)
})

test('texts of a page file are trimmed, and its content is not', () => {
  expect(readPageFields('page', { title: ' A\n', config: { text: ' B ' } }, NO_YAML)).toMatchObject({
    fields: { given: { title: 'A', config: { text: ' B ' } } },
  })
})

test('an author is a name or an object, and both are stored as an object', () => {
  const { schema } = TYPE_FIELDS.author
  expect(schema.parse('Ada')).toEqual({ name: 'Ada', avatar: null })
  expect(schema.parse({ name: 'Ada', avatar: '/ada.png' })).toEqual({ name: 'Ada', avatar: '/ada.png' })
  for (const wrong of [
    '',
    ' ',
    { avatar: '/a.png' },
    { name: 'Ada', mail: 'a@b.c' },
    { name: 'A', avatar: 'x' },
    3,
  ])
    expect(schema.safeParse(wrong).success).toBe(false)
  fc.assert(
    fc.property(anyTitle, (name) => {
      expect(schema.parse(schema.parse(name))).toEqual({ name, avatar: null })
    }),
  )
})

test('a parent is named by its id, with or without the prefix of pages', () => {
  const { schema } = TYPE_FIELDS.parentPage
  fc.assert(
    fc.property(anyId, (id) => {
      expect(schema.parse(id)).toBe(id)
      expect(schema.parse(`page_${id}`)).toBe(id)
      expect(schema.safeParse(`proj_${id}`).success).toBe(false)
    }),
  )
})

test.each(['en', 'EN', 'zh-Hans', 'de-CH-1996'])('%j is a language', (tag) => {
  expect(language.parse(tag)).toBe(tag)
})

test.each(['', 'e', 'english', 'en-', '"><script>'])('%j is no language', (tag) => {
  expect(language.safeParse(tag).error?.issues[0]?.message).toContain('language tag')
})

test('fields of a stored page are shown under the names that read them back', () => {
  fc.assert(
    fc.property(anyPage, ({ type, ownFields }) => {
      const named = namedTypeFields(type, { ...FIELDS, ...ownFields })
      const read = readTypeFields(named)
      expect(namedTypeFields(type, { ...FIELDS, ...read })).toEqual(named)
    }),
  )
})
