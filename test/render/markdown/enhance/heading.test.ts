import fc from 'fast-check'
import type { Element } from 'hast'
import { describe, expect, test } from 'vitest'
import { element } from '../../../../src/render/markdown/enhance/element.ts'
import {
  createEnhanceContext,
  type EnhanceOptions,
} from '../../../../src/render/markdown/enhance/enhance-context.ts'
import { dropRepeatedTitle, enhanceHeading } from '../../../../src/render/markdown/enhance/heading.ts'

const heading = (text: string, tagName = 'h2', properties: Element['properties'] = {}) =>
  element(tagName, properties, [{ type: 'text', value: text }])

function idsOf(
  texts: readonly string[],
  options: Partial<EnhanceOptions> = {},
  explicit: readonly string[] = [],
) {
  const context = createEnhanceContext({ href: (url) => url, ...options }, new Set(explicit))
  const all = texts.map((text) => heading(text))
  for (const one of all) enhanceHeading(one, context)
  return all.map(({ properties }) => String(properties['id']))
}

describe('the id of a heading', () => {
  test.each([
    [['Install'], ['install']],
    [
      ['A', 'A', 'A'],
      ['a', 'a-1', 'a-2'],
    ],
    [
      ['A', 'A-1', 'A'],
      ['a', 'a-1', 'a-2'],
    ],
    [
      ['Größe', '名前'],
      ['größe', '名前'],
    ],
    [
      ['🎉', '!!'],
      ['section', 'section-1'],
    ],
    [
      ['Constructor', '__proto__'],
      ['constructor', '__proto__'],
    ],
  ])('is, for %j, the id %j', (texts, ids) => {
    expect(idsOf(texts)).toEqual(ids)
  })

  test('avoids ids of the layout and those that authors set on other headings', () => {
    expect(idsOf(['Content', 'Setup'], { reservedIds: ['content'] }, ['setup'])).toEqual([
      'content-1',
      'setup-1',
    ])
  })

  test('has the prefix of its body', () => {
    expect(idsOf(['A', 'A'], { idPrefix: 'faq-1-' })).toEqual(['faq-1-a', 'faq-1-a-1'])
  })

  test('is used once on a page, whatever the headings are', () => {
    const text = fc.oneof(
      fc.constantFrom('a', 'A', 'a-1', 'a 1', '🎉', '', 'content'),
      fc.string({ unit: 'grapheme' }),
    )
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
        const ids = ['content', ...idsOf(texts, { reservedIds: ['content'] })]
        expect(new Set(ids).size).toBe(ids.length)
        for (const id of ids) expect(id).not.toMatch(/^$|\s/)
      }),
    )
  })

  test('wins when its author sets it, but not over one of the layout or one that is used already', () => {
    const context = createEnhanceContext(
      { href: (url) => url, reservedIds: ['content'] },
      new Set(['setup', 'content']),
    )
    const all = ['setup', 'setup', 'content'].map((id) => heading('A', 'h2', { dataHeadingId: id }))
    for (const one of all) enhanceHeading(one, context)
    expect(all.map(({ properties }) => properties['id'])).toEqual(['setup', 'a', 'a-1'])
    for (const { properties } of all) expect(properties).not.toHaveProperty('dataHeadingId')
  })
})

describe('a heading', () => {
  const enhanced = (tagName: string, options: Partial<EnhanceOptions> = {}) => {
    const context = createEnhanceContext({ href: (url) => url, ...options }, new Set())
    const [shown] = enhanceHeading(heading('A  b\nc', tagName), context)
    return { shown, context }
  }

  test('is a link to itself that the keyboard reaches and that is named by its text alone', () => {
    const { shown } = enhanced('h2')
    expect(shown?.type === 'element' && shown.children).toEqual([
      element('a', { className: ['anchor'], href: '#a-b-c' }, [{ type: 'text', value: 'A  b\nc' }]),
    ])
  })

  test('becomes level 2 from level 1 where the layout has the title of the page', () => {
    expect(enhanced('h1', { title: 'Page' }).shown).toMatchObject({ tagName: 'h2' })
    expect(enhanced('h1').shown).toMatchObject({ tagName: 'h1' })
    expect(enhanced('h3', { title: 'Page' }).shown).toMatchObject({ tagName: 'h3' })
  })

  test('is in the table of contents as one line of plain text', () => {
    expect(enhanced('h3').context.headings).toEqual([{ depth: 3, id: 'a-b-c', text: 'A b c' }])
  })

  test('counts an image as its alternative text, and a footnote reference as nothing', () => {
    const context = createEnhanceContext({ href: (url) => url }, new Set())
    const image = element('img', { src: '/a.png', alt: 'Logo' }, [])
    const reference = element('sup', {}, [
      element('a', { dataFootnoteRef: true }, [{ type: 'text', value: '1' }]),
    ])
    enhanceHeading(element('h2', {}, [image, { type: 'text', value: ' of us' }, reference]), context)
    expect(context.headings.map(({ text }) => text)).toEqual(['Logo of us'])
  })

  test('without content is left out', () => {
    expect(
      enhanceHeading(element('h2', {}, []), createEnhanceContext({ href: () => null }, new Set())),
    ).toEqual([])
  })
})

describe('a first heading that repeats the title of the page', () => {
  const newline = { type: 'text', value: '\n' } as const

  test.each(['Install', ' install ', 'INSTALL', 'Install\n'])('is left out when it is written %j', (text) => {
    expect(dropRepeatedTitle([newline, heading(text, 'h1')], 'Install')).toEqual([newline])
  })

  test('stays when it differs, is of a lower level, is not first, or the page has no title', () => {
    const paragraph = element('p', {}, [])
    for (const nodes of [
      [heading('Setup', 'h1')],
      [heading('Install', 'h2')],
      [paragraph, heading('Install', 'h1')],
    ])
      expect(dropRepeatedTitle(nodes, 'Install')).toEqual(nodes)
    const same = [heading('Install', 'h1')]
    for (const title of [undefined, '']) expect(dropRepeatedTitle(same, title)).toEqual(same)
  })
})
