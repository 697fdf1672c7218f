import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitFrontMatter } from '../../../src/page-text/front-matter.ts'
import { relativeLinks } from '../../../src/render/links/links.ts'
import { contentView } from '../../../src/render/page/content-view.ts'
import { createRendering } from '../../../src/render/page/rendering.ts'
import { anyLivePage, type LivePageParts, livePage } from '../../support/live-page.ts'
import { createPlainTheme } from '../../support/plain-theme.ts'
import { unsafeUrls } from '../../support/safe-urls.ts'

function viewOf(live: ReturnType<typeof livePage>) {
  const rendering = createRendering(relativeLinks(live.path))
  const source = splitFrontMatter(live.page.markdown)
  const view = contentView(live, source, 'en', createPlainTheme(), rendering)
  return { view, warnings: rendering.warnings.map(({ code, at }) => [code, at]) }
}

const contentOf = (page: LivePageParts['page']) => viewOf(livePage({ page: page ?? {} }))

test('no content has an unsafe address, whatever a page contains', () => {
  fc.assert(
    fc.property(anyLivePage(), (live) => {
      const { view } = viewOf(live)
      // Templates print addresses in `config` with `it.href`.
      expect(unsafeUrls({ ...view, config: {}, sectionsHtml: '' })).toEqual([])
    }),
  )
})

describe('an author learns of content that the page does not show', () => {
  test.each([
    ['sections of an article', { type: 'article', config: { sections: [] } }, 'config.sections'],
    ['sections of an item', { type: 'item', config: { sections: 'a' } }, 'config.sections'],
  ] as [string, LivePageParts['page'], string][])('such as the %s', (_, page, at) => {
    expect(contentOf(page).warnings).toEqual([['QN-UNUSED-CONTENT', at]])
  })

  test('front matter that cannot be read', () => {
    expect(contentOf({ type: 'docs', markdown: '---\na: [\n---\nText' }).warnings).toEqual([
      ['QN-BAD-FRONT-MATTER', 'markdown_content'],
    ])
  })

  test('a date of the last edit that is none', () => {
    const { view, warnings } = contentOf({ type: 'docs', config: { last_updated: 'soon' } })
    expect(view.updated).toBeNull()
    expect(warnings).toEqual([['QN-BAD-DATE', 'last_updated']])
  })
})

describe('the cover of an article', () => {
  const front = '---\nimage: /front.png\n---\nText'
  const coverOf = (page: LivePageParts['page']) => contentOf({ type: 'article', ...page }).view.image?.src

  test('is the image of its config, else of its front matter, else the one for social media', () => {
    const ogImageUrl = '/share.png'
    expect(coverOf({ config: { image: '/own.png' }, markdown: front, ogImageUrl })).toBe('../own.png')
    expect(coverOf({ markdown: front, ogImageUrl })).toBe('../front.png')
    expect(coverOf({ ogImageUrl })).toBe('../share.png')
    expect(coverOf({})).toBeUndefined()
  })

  test('is not shown on a docs page', () => {
    expect(contentOf({ type: 'docs', markdown: front }).view.image).toBeNull()
  })
})

test('a link for editing a page is shown only when it is safe', () => {
  const linkOf = (edit_url: string) => contentOf({ type: 'docs', config: { edit_url } }).view.editHref
  expect(linkOf('https://forge.example/edit')).toBe('https://forge.example/edit')
  expect(linkOf('javascript:alert(1)')).toBeNull()
})

test('only articles have a date, an author and a reading time', () => {
  const fields = { publishDate: '2026-02-03T00:00:00.000Z', author: { name: 'Ada', avatar: null } }
  const shown = (type: 'page' | 'article' | 'docs' | 'item') =>
    viewOf(livePage({ page: { type }, fields })).view
  expect(shown('article')).toMatchObject({
    date: { text: 'February 3, 2026' },
    author: { name: 'Ada' },
    readingMinutes: 1,
  })
  for (const type of ['page', 'docs', 'item'] as const)
    expect(shown(type)).toMatchObject({ date: null, author: null, readingMinutes: null })
})
