import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LiveFacts } from '../../../src/domain/live-page.ts'
import { byCodeUnit, type DocsFamily, docsFamily, homesOf } from '../../../src/render/docs/docs-family.ts'
import { docsPage, pageId } from '../../support/docs-pages.ts'

/** Pages whose parents are any page, themselves, or one that is not live. */
const anyPages = fc
  .array(
    fc.record({
      parent: fc.option(fc.nat(14)),
      subroute: fc.constantFrom('docs', 'api', ''),
      navOrder: fc.integer({ min: -2, max: 2 }),
      title: fc.constantFrom('A', 'a', 'B', 'Ä', '字'),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all.map(({ parent, ...facts }, n) =>
      docsPage(n, { ...facts, parentPage: parent === null ? null : pageId(parent) }),
    ),
  )

/** Pages by their depth in the family, as far as a walk from the top finds them. */
function walkFamily({
  topLevel,
  childrenOf,
}: DocsFamily): { page: LiveFacts; home: string; depth: number }[] {
  const visit = (page: LiveFacts, home: string, depth: number): ReturnType<typeof walkFamily> => [
    { page, home, depth },
    ...childrenOf(page).flatMap((child) => visit(child, home, depth + 1)),
  ]
  return [...topLevel].flatMap(([home, pages]) => pages.flatMap((page) => visit(page, home, 0)))
}

/** A chain in which each page is the parent of the next. */
function chain(length: number): readonly LiveFacts[] {
  return Array.from({ length }, (_, n) => docsPage(n, { parentPage: n === 0 ? null : pageId(n - 1) }))
}

describe('a family of docs pages', () => {
  test('shows every page exactly once, whatever its authors wrote as parent', () => {
    fc.assert(
      fc.property(anyPages, (pages) => {
        const found = walkFamily(docsFamily(pages)).map(({ page }) => page.id)
        expect(found.sort()).toEqual(pages.map(({ id }) => id).sort())
      }),
      { numRuns: 300 },
    )
  })

  test('places a page in the navigation of its topmost ancestor', () => {
    fc.assert(
      fc.property(anyPages, (pages) => {
        const family = docsFamily(pages)
        for (const { page, home } of walkFamily(family)) expect(family.homeOf(page)).toBe(home)
      }),
    )
  })

  test('tells the home of a page as the lookup of homes alone does', () => {
    fc.assert(
      fc.property(anyPages, (pages) => {
        const [family, homeOf] = [docsFamily(pages), homesOf(pages)]
        for (const page of pages) expect(homeOf(page)).toBe(family.homeOf(page))
      }),
    )
  })

  test('does not depend on the order in which pages were published', () => {
    const shuffled = anyPages.chain((pages) =>
      fc.tuple(
        fc.constant(pages),
        fc.shuffledSubarray([...pages], { minLength: pages.length, maxLength: pages.length }),
      ),
    )
    const parentsIn = (family: DocsFamily, pages: readonly LiveFacts[]) =>
      new Map(pages.map((page) => [page.id, new Set(family.childrenOf(page).map(({ id }) => id))]))
    fc.assert(
      fc.property(shuffled, ([pages, others]) => {
        expect(parentsIn(docsFamily(others), pages)).toEqual(parentsIn(docsFamily(pages), pages))
      }),
    )
  })

  const titles = new Intl.Collator('en', { numeric: true })

  test('sorts siblings by their order, and equal ones by title', () => {
    fc.assert(
      fc.property(anyPages, (pages) => {
        const { topLevel, childrenOf } = docsFamily(pages)
        for (const siblings of [...topLevel.values(), ...pages.map(childrenOf)]) {
          for (const [index, page] of siblings.slice(1).entries()) {
            const before = siblings[index] as LiveFacts
            expect(before.navOrder).toBeLessThanOrEqual(page.navOrder)
            if (before.navOrder === page.navOrder)
              expect(titles.compare(before.title, page.title)).toBeLessThanOrEqual(0)
          }
        }
      }),
    )
  })

  test('sorts titles with numbers as people do, after names that begin with a number', () => {
    const pages = [
      ...['Zebra', 'apple', 'Part 10', 'Part 2', 'Part 1'].map((title, n) => docsPage(n, { title })),
      ...['10-last', '2-next', '1-first'].map((slug, n) => docsPage(10 + n, { title: 'A', slug })),
    ]
    expect(
      docsFamily(pages)
        .topLevel.get('docs')
        ?.map(({ title, slug }) => `${title} ${slug}`),
    ).toEqual([
      ...['A 1-first', 'A 2-next', 'A 10-last'],
      ...['apple page-1', 'Part 1 page-4', 'Part 2 page-3', 'Part 10 page-2', 'Zebra page-0'],
    ])
  })

  test('sorts pages of equal title by slug, and those of equal slug by subroute', () => {
    const pages = [
      docsPage(1, { title: 'Same', slug: 'b' }),
      docsPage(2, { title: 'Same', slug: 'a', subroute: 'docs' }),
      docsPage(3, { title: 'Same', slug: 'a', subroute: 'api', parentPage: pageId(9) }),
      docsPage(4, { title: 'Same', slug: 'a', parentPage: pageId(2) }),
    ]
    const { topLevel } = docsFamily(pages)
    expect(topLevel.get('docs')?.map(({ slug }) => slug)).toEqual(['a', 'b'])
    expect(topLevel.get('api')?.map(({ id }) => id)).toEqual([pageId(3)])
  })
})

describe('a parent that cannot be one', () => {
  test('counts as none when it is not live', () => {
    const orphan = docsPage(1, { parentPage: pageId(99) })
    expect(docsFamily([orphan]).topLevel.get('docs')).toEqual([orphan])
  })

  test('counts as none when it is the page itself', () => {
    const page = docsPage(1, { parentPage: pageId(1) })
    const family = docsFamily([page])
    expect(family.topLevel.get('docs')).toEqual([page])
    expect(family.childrenOf(page)).toEqual([])
  })

  test('counts as none for every page of a cycle, and the pages below them stay below', () => {
    const [a, b, below] = [
      docsPage(1, { parentPage: pageId(2) }),
      docsPage(2, { parentPage: pageId(1), subroute: 'api' }),
      docsPage(3, { parentPage: pageId(2) }),
    ] as const
    const family = docsFamily([below, a, b])
    expect(family.topLevel.get('docs')).toEqual([a])
    expect(family.topLevel.get('api')).toEqual([b])
    expect(family.childrenOf(b)).toEqual([below])
    expect(family.homeOf(below)).toBe('api')
  })
})

describe('a very deep family', () => {
  test('is at most 16 levels deep; deeper pages are siblings of their parents', () => {
    const pages = chain(40)
    const found = walkFamily(docsFamily(pages))
    expect(Math.max(...found.map(({ depth }) => depth))).toBe(16)
    expect(found).toHaveLength(40)
    const deepest = docsFamily(pages).childrenOf(pages[15] as LiveFacts)
    expect(deepest.map(({ id }) => id)).toEqual(
      pages
        .slice(16)
        .map(({ id }) => id)
        .sort((a, b) => {
          const titleOf = (wanted: string) => pages.find(({ id }) => id === wanted)?.title ?? ''
          return byCodeUnit(titleOf(a), titleOf(b))
        }),
    )
  })

  test('loses no page at thousands of levels, listed from either end', () => {
    const pages = chain(5_000)
    for (const order of [pages, pages.toReversed()]) {
      const { childrenOf } = docsFamily(order)
      const withParent = pages.reduce((count, page) => count + childrenOf(page).length, 0)
      expect(withParent).toBe(pages.length - 1)
    }
  })
})

test('the order of texts is total and the same on every machine', () => {
  const text = fc.string({ unit: 'binary', maxLength: 5 })
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(byCodeUnit(a, b)).toBe(byCodeUnit(b, a) === 0 ? 0 : -byCodeUnit(b, a))
      expect(byCodeUnit(a, b) === 0).toBe(a === b)
      if (byCodeUnit(a, b) <= 0 && byCodeUnit(b, c) <= 0) expect(byCodeUnit(a, c)).toBeLessThanOrEqual(0)
    }),
  )
  expect(['ä', 'Z', 'a', 'z', 'A'].sort(byCodeUnit)).toEqual(['A', 'Z', 'a', 'z', 'ä'])
})
