import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DocsContext, NavNode } from '../../../src/domain/live-page.ts'
import { contextAt, indexPositions } from '../../../src/render/docs/docs-branch.ts'

interface Outline {
  readonly isGroup: boolean
  readonly children: readonly Outline[]
}

const anyOutlines = fc.memo((depth: number): fc.Arbitrary<readonly Outline[]> => {
  const children = depth <= 1 ? fc.constant([]) : anyOutlines(depth - 1)
  return fc.array(fc.record({ isGroup: fc.boolean(), children }), { maxLength: 4 })
})

/** Builds nodes from an outline; titles and paths follow the position. */
function nodesOf(outlines: readonly Outline[], above = ''): readonly NavNode[] {
  return outlines.map(({ isGroup, children }, index) => {
    const name = `${above}/${index}`
    return { title: name, path: isGroup ? null : name, badge: null, children: nodesOf(children, name) }
  })
}

const anyTree = anyOutlines(4).map((outlines) => nodesOf(outlines))

function inReadingOrder(nodes: readonly NavNode[]): readonly NavNode[] {
  return nodes.flatMap((node) => [node, ...inReadingOrder(node.children)])
}

function contextsOf(tree: readonly NavNode[]): readonly (readonly [path: string, context: DocsContext])[] {
  return [...indexPositions(new Map([['docs', tree]]))].map(([path, at]) => [path, contextAt(at)])
}

function siblings(count: number, from = 0): readonly NavNode[] {
  return Array.from({ length: count }, (_, n) => leaf(`/${from + n}`))
}

function leaf(path: string, children: readonly NavNode[] = []): NavNode {
  return { title: path, path, badge: null, children }
}

describe('the pages before and after a docs page', () => {
  test('lead a reader through every page of the tree once, in its order', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const wanted = inReadingOrder(tree).flatMap(({ path }) => path ?? [])
        const contexts = new Map(contextsOf(tree))
        const read: string[] = []
        for (let path = wanted[0] ?? null; path !== null; path = contexts.get(path)?.next?.path ?? null)
          read.push(path)
        expect(read).toEqual(wanted)
      }),
    )
  })

  test('are each the other way round', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const contexts = new Map(contextsOf(tree))
        for (const [path, { next }] of contexts) {
          if (next?.path) expect(contexts.get(next.path)?.previous?.path).toBe(path)
        }
      }),
    )
  })

  test('are never in the navigation of another subroute', () => {
    const spots = indexPositions(
      new Map([
        ['docs', [leaf('/a')]],
        ['api', [leaf('/b')]],
      ]),
    )
    for (const at of spots.values()) expect(contextAt(at)).toMatchObject({ previous: null, next: null })
  })
})

describe('the breadcrumbs of a docs page', () => {
  test('name its ancestors from the top down, groups included', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        for (const [path, { breadcrumbs }] of contextsOf(tree)) {
          const above = path.split('/').slice(1, -1)
          expect(breadcrumbs.map(({ title }) => title)).toEqual(
            above.map((_, depth) => `/${above.slice(0, depth + 1).join('/')}`),
          )
        }
      }),
    )
  })
})

describe('the sidebar of a docs page', () => {
  test('contains the page, its ancestors and its children', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const all = new Map(inReadingOrder(tree).map((node) => [node.title, node]))
        for (const [path, { branch, breadcrumbs }] of contextsOf(tree)) {
          const shown = new Set(inReadingOrder(branch).map(({ title }) => title))
          const wanted = [path, ...breadcrumbs.map(({ title }) => title)]
          const below = (all.get(path)?.children ?? []).map(({ title }) => title)
          for (const title of [...wanted, ...below]) expect(shown).toContain(title)
        }
      }),
    )
  })

  test('says of every line whether it leaves children out', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const all = new Map(inReadingOrder(tree).map((node) => [node.title, node]))
        for (const [, { branch }] of contextsOf(tree)) {
          for (const { title, children, more } of inReadingOrder(branch)) {
            const missing = all.get(title)?.children.length !== children.length
            expect([title, more === true]).toEqual([title, missing])
          }
        }
      }),
    )
  })

  test.each([0, 1, 29, 30, 31, 100, 150, 469, 470, 498, 499])(
    'shows 60 siblings around number %i of 500',
    (position) => {
      const spots = indexPositions(new Map([['docs', siblings(500)]]))
      const at = spots.get(`/${position}`)
      const shown = at === undefined ? [] : contextAt(at).branch.map(({ path }) => path)
      expect(shown).toHaveLength(60)
      expect(shown).toContain(`/${position}`)
      const first = Number(shown[0]?.slice(1))
      expect(shown).toEqual(siblings(60, first).map(({ path }) => path))
    },
  )

  test('does not grow with the tree', () => {
    const tree = siblings(200).map(({ title }) =>
      leaf(
        title,
        siblings(200).map((child) => leaf(`${title}${child.title}`, [leaf(`${title}${child.title}/x`)])),
      ),
    )
    const spots = indexPositions(new Map([['docs', tree]]))
    const at = spots.get('/100/100')
    const shown = at === undefined ? [] : inReadingOrder(contextAt(at).branch)
    expect(shown.length).toBe(60 + 60 + 1)
  })

  test('leaves the tree itself unchanged', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const before = structuredClone(tree)
        contextsOf(tree)
        expect(tree).toEqual(before)
      }),
    )
  })
})

test('a group without a page has no position of its own', () => {
  const group: NavNode = { title: 'Group', path: null, badge: null, children: [leaf('/in')] }
  expect([...indexPositions(new Map([['docs', [group]]])).keys()]).toEqual(['/in'])
})
