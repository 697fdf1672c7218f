import fc from 'fast-check'
import type { Nodes, Root } from 'mdast'
import { describe, expect, test } from 'vitest'
import { extractPlaceholders } from '../../../../src/render/markdown/placeholders/extract-placeholders.ts'
import { replaceReservedCharacters } from '../../../../src/render/markdown/placeholders/placeholder.ts'
import { restorePlaceholders } from '../../../../src/render/markdown/placeholders/restore-placeholders.ts'

/** A paragraph with the text of a source after its placeholders were extracted, restored again. */
function restoredParagraph(source: string) {
  const { source: marked, placeholders } = extractPlaceholders(source)
  const root: Root = {
    type: 'root',
    children: [{ type: 'paragraph', children: [{ type: 'text', value: marked }] }],
  }
  return { root, ids: restorePlaceholders(root, placeholders) }
}

function textIn(node: Nodes): string {
  if ('children' in node) return node.children.map(textIn).join('')
  return 'value' in node ? node.value : ''
}

test('a source without the syntax of containers, formulas and ids is left alone', () => {
  for (const source of ['', 'It costs $5.', '# A\n\n- b', '{a}', '::', 'a\r\nb']) {
    const extracted = extractPlaceholders(source)
    expect(extracted).toEqual({ source, placeholders: [], diagnostics: [] })
  }
})

test('characters that delimit placeholders cannot be smuggled in', () => {
  const source = 'a \uFDD00\uFDD1 $x$ \0'
  expect(replaceReservedCharacters(source)).toBe('a \ufffd0\ufffd $x$ \ufffd')
  expect(extractPlaceholders(source).source.match(/\uFDD0\d+\uFDD1/g)).toHaveLength(1)
})

test('a formula comes back as an element of its own between the texts around it', () => {
  const { root } = restoredParagraph('Let $x$ be')
  expect(root.children[0]).toMatchObject({
    children: [
      { type: 'text', value: 'Let ' },
      { type: 'inlineCode', value: 'x', data: { hProperties: { dataMath: 'inline' } } },
      { type: 'text', value: ' be' },
    ],
  })
})

test('the id at the end of a heading leaves its text with the spaces before it', () => {
  const { source, placeholders } = extractPlaceholders('# Title {#own}')
  const text = { type: 'text' as const, value: source.slice('# '.length) }
  const root: Root = { type: 'root', children: [{ type: 'heading', depth: 1, children: [text] }] }
  expect([...restorePlaceholders(root, placeholders)]).toEqual(['own'])
  expect(root.children[0]).toMatchObject({
    children: [{ type: 'text', value: 'Title' }],
    data: { hProperties: { dataHeadingId: 'own' } },
  })
})

describe('where a placeholder is not allowed', () => {
  test.each([
    ['code', { type: 'inlineCode', value: '' }, 'value'],
    ['raw HTML', { type: 'html', value: '' }, 'value'],
    ['the address of a link', { type: 'link', url: '', children: [] }, 'url'],
    ['the title of an image', { type: 'image', url: '/a', title: '' }, 'title'],
  ] as const)('its source comes back: %s', (_, node, property) => {
    const { source, placeholders } = extractPlaceholders('a $x$ b')
    const child = { ...node, [property]: source } as Root['children'][number]
    const root = { type: 'root', children: [child] } as Root
    restorePlaceholders(root, placeholders)
    expect(root.children[0]).toMatchObject({ [property]: 'a $x$ b' })
  })

  test('an id stays text outside a heading', () => {
    const { source, placeholders } = extractPlaceholders('## A {#a}')
    const root: Root = {
      type: 'root',
      children: [{ type: 'paragraph', children: [{ type: 'text', value: source }] }],
    }
    expect([...restorePlaceholders(root, placeholders)]).toEqual([])
    expect(textIn(root)).toBe('## A {#a}')
  })

  test('an id that is the whole heading stays its text', () => {
    const { source, placeholders } = extractPlaceholders('## {#a}')
    const value = source.slice(3)
    const root: Root = {
      type: 'root',
      children: [{ type: 'heading', depth: 2, children: [{ type: 'text', value }] }],
    }
    expect([...restorePlaceholders(root, placeholders)]).toEqual([])
    expect(textIn(root)).toBe('{#a}')
  })
})

test('no placeholder is left in a tree, whatever is written', () => {
  const piece = fc.constantFrom(
    ...[
      '$x$',
      '$$y$$',
      '## A {#a}',
      '\n',
      '\n\n',
      ':::note',
      ':::',
      ':::tabs',
      '::tab[A]',
      '`',
      'b',
      '\uFDD00\uFDD1',
    ],
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const { root } = restoredParagraph(pieces.join(''))
      expect(JSON.stringify(root)).not.toMatch(/[\uFDD0\uFDD1]/)
    }),
    { numRuns: 300 },
  )
})

test('a placeholder with a number that does not exist stays as it is', () => {
  const root: Root = { type: 'root', children: [{ type: 'html', value: '\uFDD07\uFDD1' }] }
  restorePlaceholders(root, [{ type: 'closing', source: ':::' }])
  expect(root.children[0]).toMatchObject({ value: '\uFDD07\uFDD1' })
})
