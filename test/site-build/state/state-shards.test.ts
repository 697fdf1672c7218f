import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PageId } from '../../../src/domain/ids.ts'
import { idOf } from '../../../src/site-build/stable-ids.ts'
import type { BuiltPage } from '../../../src/site-build/state/built-page.ts'
import { type PagePartNames, pageParts, pagesIn } from '../../../src/site-build/state/state-shards.ts'
import { runs } from '../../support/long-form.ts'

type Pages = ReadonlyMap<PageId, BuiltPage>
type Kept = ReadonlyMap<string, string>

/** @param version of its content. */
function page(number: number, version: number): readonly [PageId, BuiltPage] {
  const source = `docs/page-${number}.md`
  const id = idOf('page', source)
  const type = number % 3 === 0 ? 'article' : 'docs'
  const title = `Page\t${number}\nof ${version}`
  const path = `/docs/page-${number}` as const
  const of = { id, title, subroute: 'docs', type, path, navOrder: number } as const
  return [
    id,
    {
      facts: { ...of, slug: `page-${number}`, parentPage: null, badge: null },
      card: {
        ...{ ...of, excerpt: '', image: null, date: '', author: null, isSealed: false },
        ...{ folder: type === 'article' ? 'docs' : null, slot: null },
      },
      digests: {
        ...{ path, content: `${version}`, settings: '', ownTheme: null, theme: '' },
        ...{ nav: null, collection: null, hosting: '' },
      },
      redirects: [],
      ...{ line: JSON.stringify({ title }), sitemap: null, llms: `- ${title}` },
      ...{ fed: null, isFound: version % 2 === 0, assets: [], source, publishedAt: `${version}` },
      ...{ firstPublishedAt: '', updatedAt: '', placesAsked: [] },
      said: { search: null, anchors: [title], warnings: [], links: [] },
    },
  ]
}

function keep(pages: Pages, before: Kept): { names: readonly PagePartNames[]; kept: Kept; written: number } {
  const kept = new Map<string, string>()
  let written = 0
  const names = [...pageParts(pages)].map(({ rows, more, said }) => {
    for (const { name, text } of [rows, more, ...said.map(({ part }) => part)]) {
      if (!before.has(name)) written += 1
      kept.set(name, before.get(name) ?? text())
    }
    return {
      rows: rows.name,
      more: more.name,
      said: said.map(({ part, count }) => [part.name, count] as const),
    }
  })
  return { names, kept, written }
}

function read(names: readonly PagePartNames[], kept: Kept): Pages {
  const pages = names.flatMap((of) => pagesIn(of, (name) => kept.get(name) ?? ''))
  return new Map(pages.map((page) => [page.facts.id, page]))
}

/** All that is known of each page, by its file. */
const plain = (pages: Pages): readonly BuiltPage[] =>
  [...pages.values()].map(inFull).sort((a, b) => (a.source < b.source ? -1 : 1))

function inFull(page: BuiltPage): BuiltPage {
  const { facts, card, digests, redirects, line, sitemap, llms, fed, isFound, assets, source } = page
  const { publishedAt, firstPublishedAt, updatedAt, placesAsked, said } = page
  return {
    ...{ facts, card, digests, redirects, line, sitemap, llms, fed, isFound, assets, source },
    ...{ publishedAt, firstPublishedAt, updatedAt, placesAsked, said },
  }
}

describe('what a build keeps of its pages', () => {
  const change = fc.oneof(
    fc.record({ number: fc.nat({ max: 500 }), version: fc.nat({ max: 9 }) }),
    fc.record({ number: fc.nat({ max: 500 }), version: fc.constant(null) }),
  )
  const builds = fc.array(fc.array(change, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 4 })

  test('is what the next one finds, whatever came, changed and went, and however many there are', () => {
    fc.assert(
      fc.property(fc.nat({ max: 500 }), builds, (count, builds) => {
        let pages: Pages = new Map(Array.from({ length: count }, (_, number) => page(number, 0)))
        let kept: Kept = new Map()
        for (const changes of [[], ...builds]) {
          const next = new Map(pages)
          for (const { number, version } of changes) {
            const [id, changed] = page(number, version ?? 0)
            if (version === null) next.delete(id)
            else next.set(id, changed)
          }
          const after = keep(next, kept)
          const found = read(after.names, after.kept)
          expect(plain(found)).toEqual(plain(next))
          // The same pages are kept in the same words, whatever was kept of them before.
          const fresh = new Map(plain(next).map((page) => [page.facts.id, page]))
          expect(keep(fresh, new Map()).names).toEqual(after.names)
          kept = after.kept
          pages = found
        }
      }),
      { numRuns: runs(40) },
    )
  })

  test('is written anew of few pages only when one of many changed', () => {
    const pages = new Map(Array.from({ length: 3_000 }, (_, number) => page(number, 0)))
    const first = keep(pages, new Map())
    const found = new Map(read(first.names, first.kept))
    expect(keep(found, first.kept).written).toBe(0)
    found.set(...page(7, 1))
    const second = keep(found, first.kept)
    expect(second.written).toBe(3)
    const texts = [...second.kept].filter(([name]) => !first.kept.has(name)).map(([, text]) => text.length)
    const all = [...second.kept.values()].reduce((sum, text) => sum + text.length, 0)
    expect(Math.max(...texts) * 10).toBeLessThan(all)
  })
})
