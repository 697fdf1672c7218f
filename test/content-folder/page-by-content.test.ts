import { expect, test } from 'vitest'
import { readPage } from '../../src/content-folder/page-file.ts'
import { growthOf, LINEAR_GROWTH } from '../support/growth.ts'

const isPage = (path: string, text: string) => readPage(path, text, {}).isPage

test.each([
  ['a.yaml', 'title: A\nb: [', true],
  ['a.yaml', 'sections :\n  - {', true],
  ['a.json', '{\n  "title": "A",', true],
  ['a.json', '{ "sections": [', true],
  ['a.json', '\n\n  {"title" : "A"', true],
  ['a.yaml', 'names: [', false],
  ['a.yaml', 'names:\n  title: [', false],
  ['a.json', '{ "rows": [', false],
])('%s with a mistake in %j is a page: %s', (path, text, expected) => {
  expect(isPage(path, text)).toBe(expected)
})

test('whether a file with a mistake is a page takes time that grows with its blank lines', () => {
  const growth = growthOf(
    (size) => `${'\n'.repeat(size)}{`,
    (text) => isPage('a.json', text),
  )
  expect(growth).toBeLessThan(LINEAR_GROWTH)
})
