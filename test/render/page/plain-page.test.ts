import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../src/domain/json.ts'
import { derive } from '../../../src/page-text/derive.ts'
import { pageDocument } from '../../../src/page-text/page-document.ts'
import { loadMarkdownTools } from '../../../src/render/markdown/markdown-tools.ts'
import { renderPayload } from '../../../src/render/page/payload.ts'
import { renderPage } from '../../../src/render/page/render-page.ts'
import type { PageView } from '../../../src/theme/view.ts'
import { livePage } from '../../support/live-page.ts'
import { createPlainTheme } from '../../support/plain-theme.ts'

const tools = await loadMarkdownTools('')
const TEXT = '# About us\n\nWe bake bread.\n\n## Where\n\nIn [town](#where).\n'
const HERO = { type: 'hero', title: 'Hello' }

function pageOf(sections: readonly JsonValue[] | null, markdown = TEXT) {
  const config = sections === null ? {} : { sections: [...sections] }
  return livePage({ page: { type: 'page', title: 'About us', markdown, config } })
}

function viewOf(live: ReturnType<typeof pageOf>) {
  const views: PageView[] = []
  const page = (view: PageView) => {
    views.push(view)
    return '<main></main>'
  }
  const theme = { ...createPlainTheme(), page }
  const { warnings, links } = renderPage(live, theme, tools)
  const [view] = views
  if (view === undefined) throw new Error('The page was not rendered.')
  return { ...view.page, warnings: warnings.map(({ code }) => code), links: links.map(({ href }) => href) }
}

const documentOf = (live: ReturnType<typeof pageOf>) =>
  pageDocument(live.page, { title: 'About us' }, new Map())

describe('a page of type page', () => {
  test('shows its text, without a heading that repeats its title', () => {
    const { html, sectionsHtml, warnings, links } = viewOf(pageOf(null))
    expect(html).toContain('We bake bread.')
    expect(html).toContain('<h2 id="where">')
    expect(html).not.toContain('About us')
    expect(sectionsHtml).toBe('')
    expect(warnings).toEqual([])
    expect(links).toEqual(['#where'])
  })

  test('shows its text below its sections', () => {
    const { html, sectionsHtml, warnings } = viewOf(pageOf([HERO]))
    expect(html).toContain('We bake bread.')
    expect(sectionsHtml).not.toContain('We bake bread.')
    expect(warnings).toEqual([])
  })

  test.each([
    { type: 'markdown' },
    { type: 'Markdown_Section', title: 'More' },
    { type: 'markdown', props: { title: 'More' } },
  ])('shows its text where %j says, with the anchors of a text', (place) => {
    const { html, warnings, links } = viewOf(
      pageOf([HERO, place, { type: 'cta', title: 'Go', actions: [{ text: 'Go', link: '/go' }] }]),
    )
    expect(html).toBe('')
    expect(warnings).toEqual([])
    expect(links).toContain('#where')
  })

  test('keeps a section of type markdown that has a text of its own', () => {
    const { html } = viewOf(pageOf([{ type: 'markdown', body: 'Own text.' }]))
    expect(html).toContain('We bake bread.')
  })

  test('warns of a place for a text that is not there', () => {
    expect(viewOf(pageOf([{ type: 'markdown' }], '')).warnings).toEqual(['QN-BAD-PROP'])
  })

  test('counts the words of its text once, wherever it is shown', () => {
    const wordsOf = (sections: readonly JsonValue[] | null, markdown?: string) =>
      derive(pageOf(sections, markdown).page).wordCount
    const own = wordsOf(null)
    expect(own).toBe(8)
    expect(wordsOf([HERO])).toBe(own + wordsOf([HERO], ''))
    expect(wordsOf([HERO, { type: 'markdown' }])).toBe(own + wordsOf([HERO], ''))
  })

  test('is its text as a Markdown document, with its sections around it', () => {
    expect(documentOf(pageOf(null))).toBe(`---\ntitle: About us\n---\n${TEXT}`)
    const parts = (sections: readonly JsonValue[]) =>
      documentOf(pageOf(sections, 'The text.')).split('---\n').at(-1)?.trim().split('\n\n')
    expect(parts([HERO])).toEqual(['# Hello', 'The text.'])
    expect(parts([HERO, { type: 'markdown' }, { type: 'content', body: 'Last.' }])).toEqual([
      '# Hello',
      'The text.',
      'Last.',
    ])
  })

  test('has its text in Data Mode', () => {
    const { artifacts } = renderPayload(pageOf([HERO]), createPlainTheme(), tools)
    const payload = JSON.parse(Buffer.from(artifacts[0]?.body ?? []).toString())
    expect(payload.markdown_content).toBe(TEXT)
    expect(payload.html).toContain('We bake bread.')
  })
})
