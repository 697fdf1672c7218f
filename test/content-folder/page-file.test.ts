import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPage } from '../../src/content-folder/page-file.ts'
import { bodyOf } from '../../src/page-text/front-matter.ts'

/** The Markdown that rendering shows of a page's file. */
function shown(text: string): string {
  const { file, errors } = readPage('docs/a.md', text, {})
  expect(errors).toEqual([])
  return bodyOf(file?.page.markdown ?? expect.unreachable())
}

const FRONT = '---\ntitle: A page\n---\n'

describe('a page whose text begins with a rule', () => {
  test.each([
    '---\n\nNote: one sentence.\n\n---\n\nAnother one.\n',
    '\n---\n\n**Status:** one sentence.\n\n---\n\nAnother one.\n',
    '---\nname: value\n---\n\nText.\n',
    '---\n---\n',
  ])('shows all of it: %j', (body) => {
    expect(shown(`${FRONT}${body}`).trim()).toBe(body.trim())
  })

  test('shows whatever its lines are', () => {
    const line = fc.constantFrom('---', '', 'Text.', 'name: value', '--- ', '----', '- item', '\t---')
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const body = lines.join('\n')
        expect(shown(`${FRONT}${body}`).replace(/^\n+/, '')).toBe(body.replace(/^\n+/, ''))
      }),
    )
  })
})
