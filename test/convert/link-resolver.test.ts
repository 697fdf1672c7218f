import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PageTarget, SourceSite } from '../../src/convert/conversion.ts'
import { createResolver } from '../../src/convert/links/link-resolver.ts'

const page = (route: string, more: Partial<PageTarget> = {}): PageTarget => ({ route, type: 'docs', ...more })

const PAGES = new Map<string, PageTarget>([
  ['content/index.md', page('')],
  ['content/guide/README.md', page('guide')],
  ['content/guide/Start Here.md', page('guide/start-here')],
  ['content/guide/deep/page.markdown', page('guide/deep/page')],
  ['content/_posts/2024-05-01-news.md', page('blog/news', { originalPath: '/2024/05/01/news.html' })],
])
const ASSETS = new Map([
  ['content/guide/plan.png', 'guide/plan.png'],
  ['content/lost.png', 'lost.png'],
])
const SERVED = new Map([['content/guide/plan.png', 'guide/plan.png']])
const SITE: SourceSite = {
  contentRoot: 'content/',
  fields: {},
  pages: PAGES,
  assets: ASSETS,
  order: new Map(),
  diagnostics: [],
}

const FROM = 'content/guide/Start Here.md'
function resolve(target: string, base = '/', from = FROM) {
  const at = PAGES.get(from)
  if (at === undefined) throw new RangeError(`No page is ${from}.`)
  return createResolver(SITE, SERVED, base)(target, from, at)
}

describe('a link of a source page', () => {
  test.each([
    ['README.md', '/guide'],
    ['./', '/guide'],
    ['../index.md', '/'],
    ['/', '/'],
    ['deep/page.markdown', '/guide/deep/page'],
    ['deep/page', '/guide/deep/page'],
    ['/guide/deep/page.html', '/guide/deep/page'],
    ['Start%20Here.md', '/guide/start-here'],
    ['/guide/start-here/', '/guide/start-here'],
    ['/content/guide/README.md', '/guide'],
    ['/2024/05/01/news.html', '/blog/news'],
    ['/_posts/2024-05-01-news', '/blog/news'],
    ['plan.png', '/guide/plan.png'],
    ['/guide/plan.png', '/guide/plan.png'],
  ])('%j leads to %s', (target, path) => {
    expect(resolve(target)).toBe(path)
  })

  test.each([
    ['README.md#part', '/guide#part'],
    ['/guide/?a=b#c', '/guide?a=b#c'],
    ['plan.png?v=2', '/guide/plan.png?v=2'],
  ])('%j keeps its query and fragment', (target, path) => {
    expect(resolve(target)).toBe(path)
  })

  test.each([
    '',
    '#part',
    '?page=2',
    'https://example.com/guide',
    '//example.com/guide',
    'mailto:ada@example.com',
    'nothing.md',
    'lost.png',
    '../../../../etc/passwd',
    '%',
    '__proto__',
    'constructor',
  ])('%j leads to no page and no file of the site', (target) => {
    expect(resolve(target)).toBeNull()
  })

  test('never leads out of the site, whatever it is', () => {
    const piece = fc.constantFrom('..', '.', '/', 'guide', 'index.md', '%2e', '#', '?', 'é', '%', ':', '\\')
    const target = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((pieces) => pieces.join('')),
    )
    const known = new Set([...[...PAGES.values()].map(({ route }) => `/${route}`), '/guide/plan.png'])
    fc.assert(
      fc.property(target, (written) => {
        const path = resolve(written)
        if (path !== null) expect(known).toContain(path.split(/[?#]/, 1)[0])
      }),
      { numRuns: 500 },
    )
  })
})

describe('a site that was served under a base path', () => {
  test.each([
    ['/docs/guide/', '/guide'],
    ['/docs/', '/'],
    ['/docs', '/'],
    ['/guide/', '/guide'],
  ])('has the link %j lead to %s', (target, path) => {
    expect(resolve(target, '/docs')).toBe(path)
  })

  test('loses its base only where a segment ends there', () => {
    expect(resolve('/gguide', '/g')).toBeNull()
    expect(resolve('/guide', '/gu')).toBe('/guide')
    expect(resolve('/docs-guide', '/docs-')).toBeNull()
  })
})
