import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DocsContext, LiveFacts, NavNode } from '../../../src/domain/live-page.ts'
import type { DocsNavEntry } from '../../../src/domain/settings.ts'
import { docsContext, docsTrees } from '../../../src/render/docs/docs-nav.ts'
import { docsPage, pageId } from '../../support/docs-pages.ts'
import { LONG_FORM } from '../../support/long-form.ts'

const cases = new URL('../../../fixtures/docs-nav/', import.meta.url)

// Each folder holds input.json and output.txt; `vitest -u` rewrites the outputs for review in the diff.
test.each(readdirSync(cases))('the navigation of %s is as stored', async (name) => {
  const input: CaseInput = JSON.parse(readFileSync(new URL(`${name}/input.json`, cases), 'utf8'))
  const trees = docsTrees(factsOf(input.pages), { docsNav: input.docs_nav })
  const context = docsContext(trees, input.at)
  const parts = [...trees].map(([home, tree]) => `Navigation of "${home}"\n${drawn(tree)}`)
  const text = [...parts, `At ${input.at}\n${context === null ? '  nothing' : drawnContext(context)}`].join(
    '\n\n',
  )
  await expect(`${text}\n`).toMatchFileSnapshot(new URL(`${name}/output.txt`, cases).pathname)
})

interface CaseInput {
  readonly docs_nav: readonly DocsNavEntry[]
  /** `parent` is another page's slug, or its `subroute/slug`. */
  readonly pages: readonly (Partial<LiveFacts> & { readonly parent?: string; readonly order?: number })[]
  readonly at: string
}

function factsOf(pages: CaseInput['pages']): readonly LiveFacts[] {
  const idOf = (parent: string) => {
    const index = pages.findIndex(({ slug, subroute }) => [slug, `${subroute}/${slug}`].includes(parent))
    return pageId(index === -1 ? 999_999 : index)
  }
  return pages.map(({ parent, order, ...facts }, index) =>
    docsPage(index, {
      ...facts,
      navOrder: order ?? 0,
      parentPage: parent === undefined ? null : idOf(parent),
    }),
  )
}

function drawn(nodes: readonly NavNode[], indent = '  '): string {
  const lines = nodes.map((node) => {
    const badge = node.badge === null ? '' : ` [${node.badge}]`
    const more = node.more === true ? ' …' : ''
    const line = `${indent}${node.title}${badge} ${node.path ?? '(group)'}${more}`
    return node.children.length === 0 ? line : `${line}\n${drawn(node.children, `${indent}  `)}`
  })
  return lines.join('\n')
}

function drawnContext({ home, branch, breadcrumbs, previous, next }: DocsContext): string {
  return [
    `  home: "${home}"`,
    `  breadcrumbs: ${breadcrumbs.map(({ title }) => title).join(' / ')}`,
    `  previous: ${previous?.path ?? 'none'}`,
    `  next: ${next?.path ?? 'none'}`,
    '  branch:',
    drawn(branch, '    '),
  ].join('\n')
}

/** Pages of a few subroutes with parents anywhere, themselves and missing ones included. */
const anyPages = fc
  .array(
    fc.record({
      subroute: fc.constantFrom('docs', 'api', ''),
      slug: fc.constantFrom('index', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
      navOrder: fc.integer({ min: -1, max: 1 }),
      title: fc.constantFrom('A', 'B', 'C'),
      parent: fc.option(fc.nat({ max: 20 })),
      type: fc.constantFrom('docs' as const, 'docs' as const, 'docs' as const, 'article' as const),
    }),
    { maxLength: 15 },
  )
  .map((pages) =>
    pages
      .map(({ parent, ...facts }, n) =>
        docsPage(n, { ...facts, parentPage: parent === null ? null : pageId(parent) }),
      )
      .filter(({ path }, n, all) => all.findIndex((other) => other.path === path) === n),
  )

const anyDocsNav: fc.Arbitrary<readonly DocsNavEntry[]> = fc.letrec<{ entries: readonly DocsNavEntry[] }>(
  (tie) => ({
    entries: fc.array(
      fc.record(
        {
          title: fc.constantFrom('One', 'Two'),
          slug: fc.constantFrom('a', 'b', 'c', 'docs/a', 'api/b', '/docs/c/', 'gone'),
          badge: fc.constant('new'),
          children: tie('entries'),
        },
        { requiredKeys: ['title'] },
      ),
      { maxLength: 3, depthIdentifier: 'nav' },
    ),
  }),
).entries

function pathsIn(nodes: readonly NavNode[]): string[] {
  return nodes.flatMap(({ path, children }) => [...(path === null ? [] : [path]), ...pathsIn(children)])
}

function groupsIn(nodes: readonly NavNode[]): NavNode[] {
  return nodes.flatMap((node) => [...(node.path === null ? [node] : []), ...groupsIn(node.children)])
}

describe('for all pages and orders', () => {
  test('the navigation contains every live docs page exactly once and nothing else', () => {
    fc.assert(
      fc.property(anyPages, anyDocsNav, (pages, docsNav) => {
        const paths = [...docsTrees(pages, { docsNav }).values()].flatMap(pathsIn)
        const docs = pages.filter(({ type }) => type === 'docs').map(({ path }) => path)
        expect(paths.sort()).toEqual(docs.sort())
      }),
    )
  })

  test('no group and no tree is empty', () => {
    fc.assert(
      fc.property(anyPages, anyDocsNav, (pages, docsNav) => {
        const trees = [...docsTrees(pages, { docsNav }).values()]
        expect(trees.every((tree) => tree.length > 0)).toBe(true)
        expect(trees.flatMap(groupsIn).every(({ children }) => children.length > 0)).toBe(true)
      }),
    )
  })

  test('the order of the given pages does not matter', () => {
    fc.assert(
      fc.property(anyPages, anyDocsNav, fc.infiniteStream(fc.nat()), (pages, docsNav, random) => {
        const shuffled = pages
          .map((page) => ({ page, key: Number(random.next().value) }))
          .sort((a, b) => a.key - b.key)
          .map(({ page }) => page)
        expect([...docsTrees(shuffled, { docsNav })]).toEqual([...docsTrees(pages, { docsNav })])
      }),
    )
  })

  test("a page's context holds the page, its neighbours in reading order and its ancestors", () => {
    fc.assert(
      fc.property(anyPages, anyDocsNav, (pages, docsNav) => {
        const trees = docsTrees(pages, { docsNav })
        for (const [home, tree] of trees) {
          const reading = pathsIn(tree)
          reading.forEach((path, place) => {
            const context = docsContext(trees, path)
            expect(context?.home).toBe(home)
            expect(context?.previous?.path).toBe(reading[place - 1])
            expect(context?.next?.path).toBe(reading[place + 1])
            expect(titlesDownTo(path, context?.branch ?? [])?.slice(0, -1)).toEqual(
              context?.breadcrumbs.map(({ title }) => title),
            )
          })
        }
      }),
    )
  })
})

function titlesDownTo(path: string, nodes: readonly NavNode[]): string[] | null {
  for (const node of nodes) {
    const beneath = node.path === path ? [] : titlesDownTo(path, node.children)
    if (beneath !== null) return [node.title, ...beneath]
  }
  return null
}

test.runIf(LONG_FORM)('a page shows at most 60 siblings per level, including itself', () => {
  const pages = [
    ...Array.from({ length: 500 }, (_, n) => docsPage(n)),
    ...Array.from({ length: 500 }, (_, n) => docsPage(1000 + n, { parentPage: pageId(250) })),
  ]
  const trees = docsTrees(pages, { docsNav: [] })
  for (const { path } of pages) {
    const { branch } = docsContext(trees, path) ?? { branch: [] }
    expect(pathsIn(branch)).toContain(path)
    expect(branch.length).toBe(60)
    for (const { children } of branch) expect(children.length).toBeLessThanOrEqual(60)
  }
})

test('an endless chain of parents neither overflows the stack nor nests beyond the limit', () => {
  const pages = Array.from({ length: 20_000 }, (_, n) =>
    docsPage(n, { parentPage: n === 0 ? null : pageId(n - 1) }),
  )
  const trees = docsTrees(pages, { docsNav: [] })
  const tree = trees.get('docs') ?? []
  expect(pathsIn(tree).length).toBe(20_000)
  expect(JSON.stringify(tree)).toContain('/docs/page-19999')
})

test('A small tree is shown whole on each of its pages', () => {
  const pages = ['a', 'b'].flatMap((group) => [
    { title: group, slug: group, subroute: 'docs', path: `/docs/${group}` },
    {
      title: `${group} 1`,
      slug: `${group}-1`,
      subroute: 'docs',
      path: `/docs/${group}-1`,
      parent: `docs/${group}`,
    },
  ])
  const shown = docsContext(docsTrees(factsOf(pages), { docsNav: [] }), '/docs/a')
  expect(shown?.branch.map(({ children }) => children.map(({ title }) => title))).toEqual([['a 1'], ['b 1']])
})
