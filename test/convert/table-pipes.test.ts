import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeTablePipes } from '../../src/convert/body/table-pipes.ts'
import { convertTexts } from './convert-texts.ts'

const TABLE =
  '| a | b |\n|---|---|\n| `x|y` | ``p `|` q`` |\n\n`not|in` a table\n\n```\n| `x|y` |\n|---|\n```\n'
const ESCAPED =
  '| a | b |\n|---|---|\n| `x\\|y` | ``p `\\|` q`` |\n\n`not|in` a table\n\n```\n| `x|y` |\n|---|\n```\n'

test.each([
  ['jekyll', { '_config.yml': 'title: A\n', 'a.md': TABLE }],
  ['mkdocs', { 'mkdocs.yml': 'site_name: A\n', 'docs/a.md': TABLE }],
] as const)('bars in code of tables of %s stay in their cells', async (name, files) => {
  expect((await convertTexts(name, files)).texts.get('a.md')).toContain(ESCAPED)
})

test('bars in tables of the Markdown of GitHub stay as they are', async () => {
  const files = { '_config.yml': 'title: A\nmarkdown: GFM\n', 'a.md': TABLE }
  expect((await convertTexts('jekyll', files)).texts.get('a.md')).toContain(TABLE)
})

test('escaping bars twice is escaping them once', () => {
  const piece = fc.constantFrom('|', '`', '``', '-', '\n', '\n\n', ' ', 'a', '\\', '|---|---|\n')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const once = escapeTablePipes(pieces.join(''))
      expect(escapeTablePipes(once)).toBe(once)
    }),
  )
})
