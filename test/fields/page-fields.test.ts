import { expect, test } from 'vitest'
import { readPageFields } from '../../src/content-folder/page-fields.ts'
import type { TypeFields } from '../../src/domain/page.ts'
import { namedTypeFields, readTypeFields } from '../../src/fields/page-fields.ts'

const FIELDS: TypeFields = {
  redirectFrom: [],
  publishDate: '2026-01-01T00:00:00.000Z',
  author: { name: 'Ada', avatar: null },
  navOrder: 2,
  parentPage: null,
  badge: null,
}

test('a type shows its own fields and no field of another type', () => {
  expect(namedTypeFields('article', FIELDS)).toEqual({
    publish_date: '2026-01-01T00:00:00.000Z',
    author: { name: 'Ada', avatar: null },
  })
  expect(namedTypeFields('docs', FIELDS)).toEqual({ nav_order: 2, parent_page: null })
  expect(namedTypeFields('page', FIELDS)).toEqual({})
  expect(namedTypeFields('item', FIELDS)).toEqual({})
})

test('null is read as a value, and an absent field stays absent', () => {
  expect(readTypeFields({ publish_date: null, nav_order: 0 })).toEqual({ publishDate: null, navOrder: 0 })
  expect(readTypeFields({})).toEqual({})
})

test.each([
  ['title', 200],
  ['description', 500],
])('a page file counts the characters of %s as code points, as the API does', (name, max) => {
  const reads = (text: string) => 'fields' in readPageFields('docs', { title: 'A', [name]: text })
  expect(reads('😀'.repeat(max))).toBe(true)
  expect(reads('😀'.repeat(max + 1))).toBe(false)
})

test('texts of a page file are trimmed, and its content is not', () => {
  expect(readPageFields('page', { title: ' A\n', config: { text: ' B ' } })).toMatchObject({
    fields: { given: { title: 'A', config: { text: ' B ' } } },
  })
})
