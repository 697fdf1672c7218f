import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LiveFacts, NavNode } from '../../../src/domain/live-page.ts'
import type { DocsNavEntry } from '../../../src/domain/settings.ts'
import { docsFamily } from '../../../src/render/docs/docs-family.ts'
import { buildTrees } from '../../../src/render/docs/docs-order.ts'
import { navNodeViews } from '../../../src/render/docs/docs-view.ts'
import { relativeLinks } from '../../../src/render/links/links.ts'
import { createRendering } from '../../../src/render/page/rendering.ts'
import { docsPage, pageId } from '../../support/docs-pages.ts'

function treesOf(pages: readonly LiveFacts[], docsNav: readonly DocsNavEntry[]) {
  return buildTrees(docsFamily(pages), { docsNav, main: docsNav, languages: [] })
}

/** One line per node, indented by depth: title, and path unless it is a group. */
function drawn(nodes: readonly NavNode[] | undefined, indent = ''): readonly string[] {
  return (nodes ?? []).flatMap(({ title, path, badge, children }) => [
    `${indent}${title}${path === null ? '' : ` ${path}`}${badge === null ? '' : ` [${badge}]`}`,
    ...drawn(children, `${indent}  `),
  ])
}

const entry = (title: string, slug?: string, children?: DocsNavEntry[]): DocsNavEntry => ({
  title,
  ...(slug !== undefined && { slug }),
  ...(children !== undefined && { children }),
})

describe('the order that an author gives', () => {
  const pages = [1, 2, 3].map((n) => docsPage(n))

  test('puts the named pages first, under the titles that the author chose', () => {
    expect(drawn(treesOf(pages, [entry('Third', 'page-3')]).get('docs'))).toEqual([
      'Third /docs/page-3',
      'Page 1 /docs/page-1',
      'Page 2 /docs/page-2',
    ])
  })

  test('finds the page of a slug, not its copies in older versions and other languages', () => {
    const main = docsPage(1, { slug: 'start', navScope: { name: 'en@2.0', root: '', isMain: true } })
    const old = docsPage(2, {
      slug: 'start',
      subroute: 'docs/1.0',
      navScope: { name: 'en@1.0', root: 'docs' },
    })
    const german = docsPage(3, {
      slug: 'start',
      subroute: 'de/docs',
      navScope: { name: 'de@2.0', root: 'de' },
    })
    const trees = treesOf([old, german, main], [entry('Start here', 'start')])
    expect(drawn(trees.get('docs'))).toEqual(['Start here /docs/start'])
  })

  test('gives lines the icons that the author names', () => {
    const docsNav = [
      { ...entry('Third', 'page-3'), icon: 'rocket' },
      { ...entry('More', undefined, [entry('One', 'page-1')]), icon: 'box' },
    ]
    const nodes = treesOf(pages, docsNav).get('docs') ?? []
    expect(nodes.map(({ title, icon }) => [title, icon])).toEqual([
      ['Third', 'rocket'],
      ['More', 'box'],
      ['Page 2', undefined],
    ])
    const [third] = navNodeViews(nodes, null, createRendering(relativeLinks('/docs/page-1')))
    expect(third?.iconHtml).toMatch(/^<svg class="icon"/)
  })

  test('groups pages under a heading without a page', () => {
    expect(drawn(treesOf(pages, [entry('Start', undefined, [entry('One', 'page-1')])]).get('docs'))).toEqual([
      'Start',
      '  One /docs/page-1',
      'Page 2 /docs/page-2',
      'Page 3 /docs/page-3',
    ])
  })

  test('keeps the unnamed children of a named page below it, after the named ones', () => {
    const family = [docsPage(1), ...[2, 3].map((n) => docsPage(n, { parentPage: pageId(1) }))]
    expect(drawn(treesOf(family, [entry('One', 'page-1', [entry('Three', 'page-3')])]).get('docs'))).toEqual([
      'One /docs/page-1',
      '  Three /docs/page-3',
      '  Page 2 /docs/page-2',
    ])
  })

  test('shows a page that is named twice at its first place only', () => {
    const twice = [entry('First', 'page-1'), entry('Again', 'page-1')]
    expect(drawn(treesOf(pages.slice(0, 1), twice).get('docs'))).toEqual(['First /docs/page-1'])
  })

  test('keeps the children of an entry whose page is unknown, as a group', () => {
    const docsNav = [entry('Gone', 'no-such-page', [entry('One', 'page-1')]), entry('Nothing', 'missing')]
    expect(drawn(treesOf(pages.slice(0, 1), docsNav).get('docs'))).toEqual(['Gone', '  One /docs/page-1'])
  })

  test('repeats a group in each navigation that has pages of it', () => {
    const both = [docsPage(1), docsPage(2, { subroute: 'api' })]
    const docsNav = [entry('Start', undefined, [entry('One', 'page-1'), entry('Two', 'page-2')])]
    const trees = treesOf(both, docsNav)
    expect(drawn(trees.get('docs'))).toEqual(['Start', '  One /docs/page-1'])
    expect(drawn(trees.get('api'))).toEqual(['Start', '  Two /api/page-2'])
  })

  test('shows the badge of the entry, else the one of the page', () => {
    const badged = [docsPage(1, { badge: 'beta' }), docsPage(2, { badge: 'old' })]
    const docsNav = [{ ...entry('One', 'page-1'), badge: 'new' }, entry('Two', 'page-2')]
    expect(drawn(treesOf(badged, docsNav).get('docs'))).toEqual([
      'One /docs/page-1 [new]',
      'Two /docs/page-2 [old]',
    ])
  })
})

describe('a page that an order names', () => {
  const both = [docsPage(1, { slug: 'install' }), docsPage(2, { slug: 'install', subroute: 'api' })]

  test.each([
    ['by subroute and slug', 'api/install'],
    ['in any case', 'API/Install'],
    ['with slashes around it', '/api/install/'],
  ])('can be named %s', (_, slug) => {
    expect(drawn(treesOf(both, [entry('Here', slug)]).get('api'))).toEqual(['Here /api/install'])
  })

  test('is named by its slug alone only where no other page has it', () => {
    expect(drawn(treesOf(both, [entry('Here', 'install')]).get('docs'))).toEqual(['Page 1 /docs/install'])
    expect(drawn(treesOf(both.slice(0, 1), [entry('Here', 'install')]).get('docs'))).toEqual([
      'Here /docs/install',
    ])
  })

  test.each(['__proto__', 'constructor', '', '/', '../install', 'docs//install'])(
    'is not named by %j, which names nothing',
    (slug) => {
      expect(drawn(treesOf([docsPage(1)], [entry('Here', slug)]).get('docs'))).toEqual([
        'Page 1 /docs/page-1',
      ])
    },
  )
})

test('whatever an author orders, each page is in exactly one navigation, once', () => {
  const anyDocsNav = fc.memo((depth: number): fc.Arbitrary<DocsNavEntry[]> => {
    const slug = fc.constantFrom('page-0', 'page-1', 'docs/page-2', 'api/page-3', 'page-9', '')
    const children = depth <= 1 ? fc.constant([]) : anyDocsNav(depth - 1)
    return fc.array(
      fc.record({ title: fc.string(), slug, badge: fc.string(), children }, { requiredKeys: ['title'] }),
      { maxLength: 3 },
    )
  })
  const anyPages = fc
    .array(fc.tuple(fc.constantFrom('docs', 'api'), fc.option(fc.nat(6))), { maxLength: 6 })
    .map((all) =>
      all.map(([subroute, parent], n) =>
        docsPage(n, { subroute, parentPage: parent === null ? null : pageId(parent) }),
      ),
    )
  const pathsIn = (nodes: readonly NavNode[]): readonly string[] =>
    nodes.flatMap(({ path, children }) => [...(path === null ? [] : [path]), ...pathsIn(children)])

  fc.assert(
    fc.property(anyPages, anyDocsNav(3), (pages, docsNav) => {
      const trees = treesOf(pages, docsNav)
      expect([...trees.values()].flatMap(pathsIn).sort()).toEqual(pages.map(({ path }) => path).sort())
      const homeOf = docsFamily(pages).homeOf
      for (const [home, tree] of trees)
        for (const path of pathsIn(tree))
          expect(pages.filter((page) => page.path === path).map(homeOf)).toEqual([home])
    }),
    { numRuns: 300 },
  )
})

test('no group without a page in it is shown', () => {
  const groups = [entry('Empty'), entry('Also empty', undefined, [entry('Inside', 'missing')])]
  expect(drawn(treesOf([docsPage(1)], groups).get('docs'))).toEqual(['Page 1 /docs/page-1'])
})

describe('a folder without a page', () => {
  /** The outline of a tree: titles, groups in brackets. */
  const outline = (nodes: readonly NavNode[] = []): readonly unknown[] =>
    nodes.map(({ title, path, children }) => {
      const name = path === null ? `[${title}]` : title
      return children.length === 0 ? name : [name, outline(children)]
    })
  const naturalTrees = (pages: readonly LiveFacts[]) => treesOf(pages, [])

  test('is a group in the navigation around it, in the order of its name', () => {
    const trees = naturalTrees([
      docsPage(1, { title: 'Zebra' }),
      docsPage(2, { title: 'Apple' }),
      docsPage(3, { title: 'Layouts', subroute: 'docs/getting-started' }),
      docsPage(4, { title: 'Deep', subroute: 'docs/getting-started/more' }),
    ])
    expect([...trees.keys()]).toEqual(['docs'])
    expect(outline(trees.get('docs'))).toEqual([
      'Apple',
      ['[Getting started]', ['Layouts', ['[More]', ['Deep']]]],
      'Zebra',
    ])
  })

  test('is a group under the page of the folder around it', () => {
    const trees = naturalTrees([
      docsPage(1, { title: 'Docs', slug: 'index' }),
      docsPage(2, { title: 'A', parentPage: pageId(1) }),
      docsPage(3, { title: 'B', subroute: 'docs/2-steps', parentPage: pageId(1) }),
    ])
    expect(outline(trees.get('docs'))).toEqual([['Docs', [['[Steps]', ['B']], 'A']]])
  })

  test.each([
    ['its index', { slug: 'index', subroute: 'docs/api' }],
    ['a page at its address', { slug: 'api' }],
  ])('is no group where %s heads it', (_, head) => {
    const trees = naturalTrees([
      docsPage(1, { title: 'Start' }),
      docsPage(2, { title: 'The API', ...head }),
      docsPage(3, { title: 'Errors', subroute: 'docs/api' }),
    ])
    expect(outline(trees.get('docs'))).toEqual(['Start', ['The API', ['Errors']]])
  })

  test.each(['A', 'Z'])('leaves a page of its name from elsewhere where it is, titled %s', (title) => {
    const family = [
      docsPage(1, { title: 'Guide', slug: 'guide' }),
      docsPage(2, { title: 'The API', slug: 'api', subroute: 'docs/guide', parentPage: pageId(1) }),
      docsPage(3, { title: 'Errors', subroute: 'docs/guide/api', parentPage: pageId(1) }),
      docsPage(4, { title, slug: 'api', subroute: 'other', parentPage: pageId(1) }),
    ]
    const inOrder = [title, ['The API', ['Errors']]]
    const children = title === 'A' ? inOrder : inOrder.toReversed()
    expect(outline(naturalTrees(family).get('docs'))).toEqual([['Guide', children]])
  })

  test('has its own navigation where no folder around it has docs pages, and where only the root has', () => {
    const pages = [
      docsPage(1, { subroute: '' }),
      docsPage(2, { subroute: 'guides/vue' }),
      docsPage(3, { subroute: 'guides/react' }),
    ]
    expect([...naturalTrees(pages).keys()].sort()).toEqual(['', 'guides/react', 'guides/vue'])
  })
})
