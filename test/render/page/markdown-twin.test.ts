import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitFrontMatter } from '../../../src/page-text/front-matter.ts'
import { markdownTwin, twinKey } from '../../../src/render/page/markdown-twin.ts'
import { anyLivePage, type LivePageParts, livePage } from '../../support/live-page.ts'

const OWNER = { kind: 'site', id: '' } as const

function twinOf(parts: LivePageParts) {
  const { body } = markdownTwin(livePage(parts), OWNER)
  return splitFrontMatter(Buffer.from(body).toString())
}

describe('the Markdown of a page', () => {
  test.each([
    ['/', 'index.md'],
    ['/docs', 'docs/index.md'],
    ['/docs/install', 'docs/install/index.md'],
  ])('is for the page at %s the file %s, next to its HTML', (path, key) => {
    expect(twinKey(path)).toBe(key)
  })

  test('says where the page is published', () => {
    fc.assert(
      fc.property(anyLivePage(), (live) => {
        // Earlier versions stored it; front matter does not take it any more.
        fc.pre(!JSON.stringify(live.page).includes('\\u0000'))
        const { key, body } = markdownTwin(live, OWNER)
        const { frontMatter, error } = splitFrontMatter(Buffer.from(body).toString())
        expect(error).toBeNull()
        expect(frontMatter['url']).toBe(
          `${live.site.origin}/${live.path === '/' ? '' : `${live.path.slice(1)}/`}`,
        )
        expect(key).toBe(twinKey(live.path))
      }),
    )
  })

  test('has sections as text alone, and the rest of the config in its front matter', () => {
    const sections = [{ type: 'hero', props: { title: 'Plain files', subtitle: 'For *people*.' } }]
    const { frontMatter, body } = twinOf({ page: { type: 'page', config: { sections, layout: 'wide' } } })
    expect(frontMatter['config']).toEqual({ layout: 'wide' })
    expect(body).toContain('# Plain files\n\nFor *people*.')
  })

  test('contains the text as its author wrote it', () => {
    const markdown = '# Setup\n\n- a\n- b\n\n:::note\nc\n:::\n'
    expect(twinOf({ page: { type: 'docs', markdown } }).body).toContain(markdown.trim())
  })

  test('names author and date of an article, and of no other page', () => {
    const fields = { publishDate: '2026-02-03T00:00:00.000Z', author: { name: 'Ada', avatar: null } }
    expect(twinOf({ page: { type: 'article' }, fields }).frontMatter).toMatchObject({ author: 'Ada' })
    expect(twinOf({ page: { type: 'article' }, fields }).frontMatter).toHaveProperty('date')
    for (const type of ['page', 'docs', 'item'] as const) {
      const { frontMatter } = twinOf({ page: { type }, fields })
      expect(frontMatter).not.toHaveProperty('author')
      expect(frontMatter).not.toHaveProperty('date')
    }
  })

  test('has no description when the page has none', () => {
    expect(twinOf({}).frontMatter).not.toHaveProperty('description')
    expect(twinOf({ page: { description: 'About: it' } }).frontMatter['description']).toBe('About: it')
  })

  test('does not let front matter of the author claim another title or address', () => {
    const markdown = '---\ntitle: Other\nurl: https://evil.example/\nkeywords: a\n---\nText'
    expect(twinOf({ page: { type: 'article', title: 'Install', markdown } }).frontMatter).toMatchObject({
      title: 'Install',
      url: 'https://acme.example/install/',
      keywords: 'a',
    })
  })
})
