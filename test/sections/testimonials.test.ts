import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { sectionsDocument } from '../../src/sections/document.ts'
import { normalizeSection } from '../../src/sections/normalize.ts'

const markdownOf = (item: JsonObject) =>
  sectionsDocument('Page', [{ type: 'testimonials', items: [item] }], new Map())
const itemsOf = (section: JsonObject) => normalizeSection({ type: 'reviews', ...section }).props['items']

describe('a testimonial in Markdown', () => {
  test('is a quote with its stars and the person who said it', () => {
    const markdown = markdownOf({ quote: 'Great.', name: 'Ada', role: 'CTO', company: 'Acme', rating: 4 })
    expect(markdown).toContain('> Great.\n>\n> 4/5\n>\n> — Ada, CTO, Acme')
  })

  test('keeps every line of a long quote inside the quote', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '', 'b c', '- d'), { minLength: 1 }), (lines) => {
        const quote = lines.join('\n')
        fc.pre(quote.trim() !== '')
        const [, ...rest] = markdownOf({ quote, name: 'Ada' }).trimEnd().split('\n\n')
        for (const line of rest.join('\n\n').split('\n')) expect(line).toMatch(/^(>|$)/)
      }),
    )
  })

  test('cannot turn the name of a person into Markdown', () => {
    expect(markdownOf({ quote: 'a', name: '[x](javascript:y)' })).toContain('\\[x\\]')
  })
})

describe('the items of a testimonials section', () => {
  test('may be texts alone, or have the names of other builders', () => {
    expect(itemsOf({ quotes: ['Great.'] })).toEqual([{ quote: 'Great.' }])
    expect(
      itemsOf({ reviews: [{ content: 'Great.', author: 'Ada', position: 'CTO', photo: '/a.png' }] }),
    ).toEqual([{ quote: 'Great.', name: 'Ada', role: 'CTO', avatar: { src: '/a.png' } }])
  })

  test.each([0, 6, -1, 4.5, '7'])('have no rating of %j stars', (rating) => {
    expect(itemsOf({ items: [{ quote: 'a', name: 'b', rating }] })).toEqual([{ quote: 'a', name: 'b' }])
  })
})
