import { expect, test } from 'vitest'
import type { JsonValue } from '../../../src/domain/json.ts'
import { relativeLinks } from '../../../src/render/links/links.ts'
import { itemFields } from '../../../src/render/page/item-fields.ts'
import { createRendering } from '../../../src/render/page/rendering.ts'

function fieldsOf(config: Readonly<Record<string, JsonValue>>) {
  return itemFields(config, createRendering(relativeLinks('/items/press')))
}

function shownOf(value: JsonValue) {
  return fieldsOf({ field: value })[0]?.value ?? null
}

test('fields come in the order they were written, under labels for readers', () => {
  const config = {
    release_date: '2026-03-03',
    unitPrice: 5,
    'file-size': '1 MB',
    'Écrit par': 'Ada',
    homepage_url: 'x',
    سعر: 'y',
  }
  expect(fieldsOf(config).map(({ label }) => label)).toEqual([
    ...['Release date', 'Unit price', 'File size', 'Écrit par', 'Homepage URL', 'سعر'],
  ])
})

test('keys that control the page are not shown', () => {
  expect(fieldsOf({ lang: 'de', theme: 'dark', image: '/a.png', sections: [], nav_order: 1 })).toEqual([])
})

test('empty values are left out', () => {
  expect(fieldsOf({ a: null, b: '', c: [], d: {}, e: [null, { f: '' }] })).toEqual([])
})

test.each([
  ['plain words', { kind: 'text', text: 'plain words' }],
  [true, { kind: 'text', text: 'Yes' }],
  [0, { kind: 'text', text: '0' }],
  ['https://example.com/a', { kind: 'link', text: 'example.com/a', href: 'https://example.com/a' }],
  ['/docs/install', { kind: 'link', text: '/docs/install', href: '../../docs/install/' }],
  ['ada@example.com', { kind: 'link', text: 'ada@example.com', href: 'mailto:ada@example.com' }],
  ['javascript:alert(1)', { kind: 'text', text: 'javascript:alert(1)' }],
  ['/ or not', { kind: 'text', text: '/ or not' }],
  [
    { label: 'Site', url: '/site' },
    { kind: 'link', text: 'Site', href: '../../site/' },
  ],
  [
    { label: 'Bad', url: 'javascript:alert(1)' },
    { kind: 'text', text: 'Bad' },
  ],
])('%j is shown as %j', (value, shown) => {
  expect(shownOf(value)).toEqual(shown)
})

test('images are recognised by their extension or their src', () => {
  expect(shownOf('/press.png')).toMatchObject({
    kind: 'image',
    image: { src: '../../press.png', alt: 'Field' },
  })
  expect(shownOf({ src: '/press', alt: 'A press', width: 5 })).toMatchObject({
    kind: 'image',
    image: { src: '../../press', alt: 'A press', width: 5 },
  })
})

test('lists and objects are nested', () => {
  expect(shownOf(['a', { size: 5 }])).toEqual({
    kind: 'list',
    values: [
      { kind: 'text', text: 'a' },
      { kind: 'fields', fields: [{ label: 'Size', value: { kind: 'text', text: '5' } }] },
    ],
  })
})

test('deeper levels are shown as JSON', () => {
  expect(JSON.stringify(shownOf([[[[[['deep']]]]]]))).toContain('[[\\"deep\\"]]')
})
