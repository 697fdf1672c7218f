import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { prefixedLinks } from '../../../src/render/links/links.ts'
import { loadMarkdownTools } from '../../../src/render/markdown/markdown-tools.ts'
import { renderPage, renderPreview } from '../../../src/render/page/render-page.ts'
import { renderNotFound } from '../../../src/render/site-files/not-found.ts'
import type { PageView } from '../../../src/theme/view.ts'
import { anyLivePage, livePage } from '../../support/live-page.ts'
import { runs } from '../../support/long-form.ts'
import { createPlainTheme } from '../../support/plain-theme.ts'
import { unsafeUrls } from '../../support/safe-urls.ts'

const tools = await loadMarkdownTools('')
const preview = prefixedLinks({ pages: '/public/proj_x/', files: '/render/' })

describe('for all pages', () => {
  test('rendering a page twice gives the same bytes', () => {
    fc.assert(
      fc.property(anyLivePage(), (live) => {
        const again = structuredClone(live)
        expect(renderPage(again, createPlainTheme(), tools)).toEqual(
          renderPage(live, createPlainTheme(), tools),
        )
      }),
    )
  })

  test('no view contains undefined', () => {
    fc.assert(
      fc.property(anyLivePage(), (live) => {
        const theme = createPlainTheme()
        renderPage(live, theme, tools)
        renderNotFound(live, null, theme)
        expect(undefinedIn(theme.views)).toEqual([])
      }),
    )
  })

  test('every URL in a view is safe', () => {
    fc.assert(
      fc.property(anyLivePage(), (live) => {
        const theme = createPlainTheme()
        renderPage(live, theme, tools)
        renderPreview(live, theme, preview, tools)
        renderNotFound(live, null, theme)
        expect(unsafeUrls(withoutAuthored(theme.views))).toEqual([])
      }),
      { numRuns: runs(60) },
    )
  })

  test('no HTML in a view contains code', () => {
    fc.assert(
      fc.property(anyLivePage(), (live) => {
        const theme = createPlainTheme()
        renderPage(live, theme, tools)
        for (const html of htmlIn(theme.views))
          expect(html).not.toMatch(/<(script|style|iframe)|<[^>]* on\w+=/i)
      }),
    )
  })

  test('every referenced asset is among the artifacts', () => {
    fc.assert(
      fc.property(anyLivePage(), (live) => {
        const theme = createPlainTheme()
        const { artifacts } = renderPage(live, theme, tools)
        const keys = artifacts.map(({ key }) => key)
        for (const key of keysNamed(theme.views.pages[0], live.path)) expect(keys).toContain(key)
        const { html, assets } = renderPreview(live, theme, preview, tools)
        const named = keysNamed(JSON.parse(html), '/')
        expect(assets.map(({ key }) => `render/${key}`).sort()).toEqual(named.sort())
      }),
    )
  })
})

function undefinedIn(value: unknown, path = ''): string[] {
  if (value === undefined) return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => undefinedIn(inner, `${path}.${name}`))
}

/** Values that templates receive as an author wrote them. They print addresses in them with `it.href`. */
const AUTHORED = new Set(['config', 'data'])

function withoutAuthored(views: unknown): unknown {
  return JSON.parse(JSON.stringify(views, (key, value) => (AUTHORED.has(key) ? {} : value)))
}

function htmlIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string')
    return key.toLowerCase().endsWith('html') && !['customHeadHtml', 'sectionsHtml'].includes(key)
      ? [value]
      : []
  // The page's own values are texts, whatever their names.
  if (typeof value !== 'object' || value === null || AUTHORED.has(key)) return []
  return Object.entries(value).flatMap(([name, inner]) => htmlIn(inner, name))
}

function keysNamed(view: PageView | undefined, path: string): string[] {
  if (view === undefined) return []
  const { themeStyle, sectionStyle, customStyle, script, analytics } = view.head
  const { search } = view.site
  const hrefs = [
    themeStyle,
    sectionStyle,
    script,
    customStyle,
    analytics?.script,
    search.script,
    search.style,
  ].filter((href) => typeof href === 'string')
  const at = path === '/' ? 'https://acme.example/' : `https://acme.example${path}/`
  return hrefs.map((href) => new URL(href, at).pathname.slice(1))
}

describe('the artifacts of a page', () => {
  test('are its document and its Markdown, owned by it, and the assets, owned by the site', () => {
    const live = livePage({
      page: { subroute: 'docs' },
      settings: { customCss: 'a{}', googleAnalyticsId: 'G-ABC123DEF4' },
    })
    const { artifacts } = renderPage(live, createPlainTheme(), tools)
    expect(
      artifacts.map(({ key, stage, owner }) => [key.replace(/[\da-f]{16}/, '{hash}'), stage, owner.kind]),
    ).toEqual([
      ['_assets/theme.0000.css', 'asset', 'site'],
      ['_assets/sections.0000.css', 'asset', 'site'],
      ['_assets/site.0000.js', 'asset', 'site'],
      ['_assets/search.0000.js', 'asset', 'site'],
      ['_assets/search.0000.css', 'asset', 'site'],
      ['_assets/analytics.0000.js', 'asset', 'site'],
      ['_assets/custom.{hash}.css', 'asset', 'site'],
      ['docs/install/index.html', 'page', 'page'],
      ['docs/install/index.md', 'page', 'page'],
    ])
    expect(artifacts.at(-1)?.owner.id).toBe(live.page.id)
  })

  test('the home page is stored as index.html', () => {
    const { artifacts } = renderPage(livePage({ page: { slug: 'index' } }), createPlainTheme(), tools)
    expect(artifacts.slice(-2).map(({ key }) => key)).toEqual(['index.html', 'index.md'])
  })

  test('analytics are linked and included only for a measurement id', () => {
    const keys = (googleAnalyticsId: string | null) =>
      renderPage(livePage({ settings: { googleAnalyticsId } }), createPlainTheme(), tools).artifacts.map(
        ({ key }) => key,
      )
    expect(keys('G-ABC123DEF4')).toContain('_assets/analytics.0000.js')
    expect(keys('G-ABC"><script>')).not.toContain('_assets/analytics.0000.js')
    expect(keys(null)).not.toContain('_assets/analytics.0000.js')
  })
})

describe('warnings', () => {
  const warningsOf = (page: object) =>
    renderPage(livePage({ page }), createPlainTheme(), tools).warnings.map(({ at }) => at)

  test('do not concern the Markdown of a page, which is shown', () => {
    expect(warningsOf({ type: 'page', markdown: 'Kept words' })).toEqual([])
  })

  test.each(['article', 'docs', 'item'])('sections on a page of type %s are not shown', (type) => {
    expect(warningsOf({ type, config: { sections: [{ type: 'hero', title: 'T' }] } })).toEqual([
      'config.sections',
    ])
  })

  test('report dropped links with their location', () => {
    const sections = [{ type: 'hero', title: 'T', props: { actions: [{ text: 'A', link: 'javascript:x' }] } }]
    expect(warningsOf({ config: { sections } })).toEqual(['config.sections[0].props.actions[0].link'])
    expect(warningsOf({ type: 'docs', markdown: '[a](javascript:x)' })).toEqual(['markdown_content'])
  })

  test('links within the page are recorded as printed', () => {
    const markdown = '[a](#One) [b](#a&b) [c](#) [d](/e)[^1]\n\n## one\n\n[^1]: Two'
    const { links } = renderPage(livePage({ page: { type: 'docs', markdown } }), createPlainTheme(), tools)
    expect(links.map(({ href }) => href)).toEqual(['/e', '#One', '#a&b'])
  })

  test('report invalid front matter with its line', () => {
    const { warnings } = renderPage(
      livePage({ page: { type: 'docs', markdown: '---\na: [\n---\nText' } }),
      createPlainTheme(),
      tools,
    )
    expect(warnings[0]?.message).toMatch(/^Line \d+ of the front matter/)
  })

  test('never exceed 100 a page', () => {
    expect(warningsOf({ type: 'docs', markdown: '[a](javascript:x) '.repeat(500) }).length).toBe(100)
  })
})

describe('404.html', () => {
  test('has absolute URLs and inline style and script', () => {
    const theme = createPlainTheme()
    const live = livePage({
      settings: { customCss: '.a { content: "</style><!--" }', navLinks: [{ label: 'Docs', href: '/docs' }] },
    })
    const { key, stage, owner } = renderNotFound(live, null, theme)
    expect([key, stage, owner.kind]).toEqual(['404.html', 'index', 'site'])
    const [view] = theme.views.notFound
    expect(view?.site.homeHref).toBe('https://acme.example/')
    expect(view?.site.navLinks).toMatchObject([
      { label: 'Docs', href: 'https://acme.example/docs/', external: false, current: false },
    ])
    expect(view?.script).toBe('void 0void 1')
    expect(view?.css).toBe('body { color: black }\n.a{content:"\\3c /style>\\3c !--"}')
  })
})
