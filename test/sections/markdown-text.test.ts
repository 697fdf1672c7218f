import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { remarkParser } from '../../src/render/markdown/remark.ts'
import { satteriParser } from '../../src/render/markdown/satteri.ts'
import { heading, image, link, paragraph } from '../../src/sections/markdown-text.ts'
import { runs } from '../support/long-form.ts'
import { collapsed, textOf, visibleText } from '../support/markdown-text.ts'

describe.each([
  ['satteri', satteriParser('gfm')],
  ['remark', remarkParser('gfm')],
])('read by %s', (_, parse) => {
  test('a paragraph reads back as one paragraph with the same text', () => {
    fc.assert(
      fc.property(visibleText, (text) => {
        const tree = parse(paragraph(text))
        expect(tree.children.map(({ type }) => type)).toEqual(['paragraph'])
        expect(textOf(tree)).toBe(collapsed(text))
      }),
      { numRuns: runs(2000) },
    )
  })

  test('a paragraph in a list reads back with the same text', () => {
    fc.assert(
      fc.property(visibleText, (text) => {
        const tree = parse(`- ${paragraph(text)}`)
        expect(tree).toMatchObject({
          children: [{ type: 'list', children: [{ type: 'listItem', children: [{ type: 'paragraph' }] }] }],
        })
        expect(textOf(tree)).toBe(collapsed(text))
      }),
      { numRuns: runs(1000) },
    )
  })

  test('a heading reads back as one heading with the same text', () => {
    fc.assert(
      fc.property(visibleText, fc.integer({ min: 1, max: 7 }), (text, level) => {
        const tree = parse(heading(level, text))
        expect(tree.children).toMatchObject([{ type: 'heading', depth: Math.min(level, 6) }])
        expect(textOf(tree)).toBe(collapsed(text))
      }),
      { numRuns: runs(2000) },
    )
  })

  test('a link reads back with the same target and text', () => {
    fc.assert(
      fc.property(visibleText, fc.webUrl({ withQueryParameters: true, withFragments: true }), (text, url) => {
        const tree = parse(link(text, url) ?? expect.unreachable())
        expect(tree.children).toMatchObject([{ type: 'paragraph', children: [{ type: 'link', url }] }])
        expect(textOf(tree)).toBe(collapsed(text))
      }),
      { numRuns: runs(1000) },
    )
  })

  test('an image reads back with the same URL and text', () => {
    fc.assert(
      fc.property(
        visibleText,
        fc.constantFrom('/a.png', '../b(1).png', 'https://c.example/?d&copy;e'),
        (alt, url) => {
          const tree = parse(image(alt, url) ?? expect.unreachable())
          expect(tree.children).toMatchObject([
            { type: 'paragraph', children: [{ type: 'image', url, alt: collapsed(alt) }] },
          ])
        },
      ),
      { numRuns: runs(1000) },
    )
  })
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'java\nscript:x', 'vbscript:x', '\\\\host', ''])(
  'no link or image is written for %j',
  (url) => {
    expect(link('Go', url)).toBeNull()
    expect(image('Go', url)).toBeNull()
  },
)

test('text without special characters is not escaped', () => {
  expect(paragraph('Set in type: 3 - 4 days, snake_case & (all) of 50%!')).toBe(
    'Set in type: 3 - 4 days, snake_case & (all) of 50%!',
  )
  expect(heading(2, '1. First')).toBe('## 1. First')
})
