import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPage } from '../../src/content-folder/page-file.ts'
import type { SitePage } from '../../src/content-folder/site.ts'
import { fileName } from '../../src/transfer/file-name.ts'
import { pageText } from '../../src/transfer/page-text.ts'

const PAGE: SitePage = {
  source: 'docs/install.md',
  type: 'docs',
  title: 'Install',
  slug: 'install',
  subroute: 'docs',
  description: '',
  ogImageUrl: null,
  meta: {},
  config: {},
  markdown: 'Text.\n',
  ownFields: {},
  parent: null,
  draft: false,
}
const OPTIONS = { impliedParent: null, omitted: new Set<string>() }
const textOf = (more: Partial<SitePage> = {}, options: Partial<typeof OPTIONS> | object = {}) =>
  pageText({ ...PAGE, ...more }, { ...OPTIONS, ...options })

const readBack = (page: SitePage) => readPage(page.source, pageText(page, OPTIONS), {})

/** Pages as a content folder can hold them: text without white space around it. */
const anyText = fc.stringMatching(/^[!-~é漢😀]([ -~é漢😀]{0,30}[!-~é漢😀])?$/u)
const anySitePage: fc.Arbitrary<SitePage> = fc
  .record({
    type: fc.constantFrom('docs', 'article', 'page', 'item'),
    title: anyText,
    slug: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,9}$/),
    subroute: fc.constantFrom('', 'docs', 'docs/v2', 'static', 'con'),
    description: fc.oneof(fc.constant(''), anyText),
    ogImageUrl: fc.constantFrom(null, '/a.png'),
    meta: fc.record({ title: anyText, robots: anyText }, { requiredKeys: [] }),
    config: fc.dictionary(fc.constantFrom('mood', 'tags'), fc.oneof(anyText, fc.array(fc.integer())), {
      maxKeys: 2,
    }),
    markdown: fc.constantFrom('Text.\n', '# A\n\n---\nb: c\n---\n', '😀 *b*\n'),
    draft: fc.boolean(),
  })
  .map(({ ...page }) => {
    const extension = page.type === 'docs' || page.type === 'article' ? 'md' : 'yaml'
    const markdown = extension === 'md' ? page.markdown : ''
    return { ...page, markdown, source: fileName(page, extension), ownFields: {}, parent: null }
  })

describe('the file of an exported page', () => {
  test('is read as the page that was exported', () => {
    fc.assert(
      fc.property(anySitePage, (page) => {
        const { file, errors } = readBack(page)
        expect(errors).toEqual([])
        const { parent: _, ...expected } = page
        expect(file?.page).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  test('has no field that follows from its name or is a default', () => {
    expect(textOf()).toBe('---\ntitle: Install\n---\nText.\n')
  })

  test('has its address where its name cannot say it', () => {
    const text = textOf({ source: 'con_.md', slug: 'con', subroute: '' })
    expect(text).toContain('slug: con\n')
    expect(text).not.toContain('subroute')
    expect(textOf({ source: 'static_/a.md', slug: 'a', subroute: 'static' })).toContain('subroute: static\n')
  })

  test('names its parent in full, null for the top, and nothing when the folder implies it', () => {
    const index = { subroute: 'docs', slug: 'index' }
    expect(textOf({ parent: index }, { impliedParent: index })).not.toContain('parent')
    expect(textOf({ parent: index })).toContain('parent: docs/index\n')
    expect(textOf({ parent: { subroute: '', slug: 'top' } })).toContain('parent: /top\n')
    expect(textOf({ parent: null }, { impliedParent: index })).toContain('parent: null\n')
    expect(textOf({ type: 'article', parent: null }, { impliedParent: index })).not.toContain('parent')
  })

  test('leaves out the fields that no file can have, and its title is the slug then', () => {
    const text = textOf({ title: ' ', description: 'a' }, { omitted: new Set(['title', 'description']) })
    expect(text).toBe('---\ntitle: install\n---\nText.\n')
  })

  test('has an author without an avatar as a name', () => {
    const author = (avatar: string | null) =>
      textOf({ type: 'article', ownFields: { author: { name: 'Ada', avatar } } })
    expect(author(null)).toContain('author: Ada\n')
    expect(author('/ada.png')).toContain('avatar: /ada.png\n')
  })
})
