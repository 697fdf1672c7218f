import { readdirSync, readFileSync } from 'node:fs'
import { tests } from 'commonmark-spec'
import fc from 'fast-check'
import type { List, ListItem, Root, RootContent } from 'mdast'
import { describe, expect, test } from 'vitest'
import { assertRenderable } from '../../../src/render/markdown/limits.ts'
import type { MarkdownParser } from '../../../src/render/markdown/markdown-parser.ts'
import { mdastToSafeHast, type SafeElements } from '../../../src/render/markdown/mdast-to-safe-hast.ts'
import { extractPlaceholders } from '../../../src/render/markdown/placeholders/extract-placeholders.ts'
import { restorePlaceholders } from '../../../src/render/markdown/placeholders/restore-placeholders.ts'
import { remarkParser } from '../../../src/render/markdown/remark.ts'
import { satteriParser } from '../../../src/render/markdown/satteri.ts'
import type { Shape } from '../../../src/render/markdown/schema.ts'
import { sanitisedHast } from '../../../src/render/markdown/to-safe-hast.ts'
import { encodeUrl } from '../../../src/render/markdown/urls.ts'
import { HOSTILE_KINDS, hostileMarkdown } from '../../support/hostile-markdown.mjs'
import { runs } from '../../support/long-form.ts'
import { markdownSources } from '../../support/markdown-sources.ts'
import { anyText } from '../../support/markdown-text.ts'

const limit = Number.MAX_SAFE_INTEGER
const shapes: readonly Shape[] = ['block', 'inline']

/** Serialises elements without source positions and empty class lists, which are not printed. */
function written(elements: SafeElements): string {
  return JSON.stringify(elements, (key, value) => {
    const isNothing = key === 'position' || key === 'data' || (key === 'className' && value.length === 0)
    return isNothing ? undefined : value
  })
}

/** @returns whether `mdastToSafeHast` supports the source. */
function expectTheSame(text: string, parse: MarkdownParser): boolean {
  const { source, placeholders } = extractPlaceholders(text)
  const mdast = parse(source)
  restorePlaceholders(mdast, placeholders)
  return expectTheSameOf(mdast)
}

function expectTheSameOf(mdast: Root): boolean {
  const { definitions, hasHtml } = assertRenderable(mdast, limit)
  const plain = shapes.map((shape) => {
    const elements = mdastToSafeHast(mdast, shape, definitions)
    if (elements !== null) {
      const { diagnostics, ...safe } = sanitisedHast(mdast, shape, { hasHtml, limit })
      expect(written(elements)).toBe(written(safe))
      expect(diagnostics).toEqual([])
    }
    return elements !== null
  })
  return plain[0] === true
}

const fixtures = new URL('../../../fixtures/markdown/', import.meta.url)
const fixture = (name: string) => readFileSync(new URL(`${name}/input.md`, fixtures), 'utf8')

describe.each([
  ['satteri', satteriParser('gfm'), 2000],
  ['remark', remarkParser('gfm'), 400],
])(
  'Markdown without raw HTML and footnotes, parsed by %s, becomes the same tree as with the sanitiser',
  (_, parse, often) => {
    test('when the Markdown is random', () => {
      let count = 0
      fc.assert(
        fc.property(markdownSources, (source) => {
          count += Number(expectTheSame(source, parse))
        }),
        { numRuns: runs(often) },
      )
      expect(count).toBeGreaterThan(runs(often) / 4)
    })

    test('for the examples of CommonMark', () => {
      const plain = tests.filter(({ markdown }) => expectTheSame(markdown.replaceAll('→', '\t'), parse))
      expect(plain.length).toBeGreaterThan(tests.length * 0.7)
    })

    test('when it is a fixture', () => {
      const plain = readdirSync(fixtures).filter((name) => expectTheSame(fixture(name), parse))
      expect(plain).toEqual(expect.arrayContaining(['alerts', 'links', 'lists', 'tables', 'tabs', 'tasks']))
    })

    test.each(HOSTILE_KINDS)('for hostile Markdown: %s', (kind) => {
      expectTheSame(hostileMarkdown(kind, 240), parse)
    })
  },
)

test.each<[string, RootContent]>([
  ['a task without a text', list({ checked: true, children: [] })],
  ['a task without a paragraph', list({ checked: false, children: [{ type: 'code', value: 'a' }] })],
  ['a task in an empty paragraph', list({ checked: true, children: [{ type: 'paragraph', children: [] }] })],
  ['an item without a spread', list({ children: [{ type: 'thematicBreak' }, { type: 'thematicBreak' }] })],
  ['a table without rows', { type: 'table', children: [] }],
  ['an image without a text', { type: 'image', url: 'a', title: '' }],
])('a tree with %s, which no parser creates, becomes the same tree as with the sanitiser', (_, node) => {
  expect(expectTheSameOf({ type: 'root', children: [node] })).toBe(true)
})

test('`data` that a parser might set is ignored', () => {
  const data = {
    hName: 'script',
    hProperties: { onClick: 'a', style: 'b', href: 'javascript:c', dataMeta: 'd' },
  }
  const nodes: RootContent[] = [
    { type: 'code', value: 'a', data },
    { type: 'blockquote', children: [], data },
    { type: 'heading', depth: 2, children: [], data },
  ]
  const { tree } = mdastToSafeHast({ type: 'root', children: nodes }, 'block', new Map()) ?? {}
  expect(JSON.stringify(tree)).not.toMatch(/script|onClick|style|href/)
})

test('an unresolved reference is left to the sanitiser', () => {
  const reference = { type: 'linkReference', identifier: 'a', referenceType: 'full', children: [] } as const
  expect(expectTheSameOf({ type: 'root', children: [{ ...reference, children: [] }] })).toBe(false)
})

function list(item: Omit<ListItem, 'type'>): List {
  return { type: 'list', children: [{ type: 'listItem', ...item }] }
}

test('a URL is encoded as in remark-rehype', () => {
  const anything = fc.oneof(
    anyText,
    fc.string({ unit: 'binary' }),
    fc.constantFrom('%41', '%4', '%', '\ud800a'),
  )
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 4 }), (parts) => {
      // After a slash no colon ends a scheme.
      const url = `/${parts.join('')}`
      const { tree } = sanitisedHast({ type: 'root', children: [{ type: 'image', url }] }, 'block', {
        hasHtml: false,
        limit,
      })
      expect(tree.children).toMatchObject([{ properties: { src: encodeUrl(url) } }])
    }),
  )
})
