import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PageId } from '../../../src/domain/ids.ts'
import { idOf } from '../../../src/site-build/stable-ids.ts'
import type { BuiltPage, PageDetails } from '../../../src/site-build/state/built-page.ts'
import { extractText } from '../../../src/site-build/state/page-extract.ts'
import { type PageShardNames, pageShards, readPages } from '../../../src/site-build/state/state-shards.ts'
import { runs } from '../../support/long-form.ts'

type Pages = ReadonlyMap<PageId, BuiltPage>
type Stored = ReadonlyMap<string, string>

/** A page in the build state. @param version of its content. */
function page(number: number, version: number): readonly [PageId, BuiltPage] {
  const source = `docs/page-${number}.md`
  const id = idOf('page', source)
  const type = number % 3 === 0 ? 'article' : 'docs'
  const title = `Page\t${number}\nof ${version}`
  const path = `/docs/page-${number}` as const
  const of = { id, title, subroute: 'docs', type, path, navOrder: number } as const
  const details: PageDetails = {
    digests: {
      path,
      content: `${version}`,
      settings: '',
      ownTheme: null,
      theme: '',
      nav: null,
      collection: null,
      hosting: '',
    },
    redirects: [],
    line: JSON.stringify({ title }),
    sitemap: null,
    llms: `- ${title}`,
    assets: [],
    publishedAt: `${version}`,
    updatedAt: '',
    fragmentTargets: [],
  }
  return [
    id,
    {
      facts: { ...of, slug: `page-${number}`, parentPage: null, badge: null },
      card: {
        ...of,
        excerpt: '',
        image: null,
        date: '',
        author: null,
        isSealed: false,
        folder: type === 'article' ? 'docs' : null,
        slot: null,
        tags: [],
      },
      source,
      fed: null,
      isFound: version % 2 === 0,
      details: () => details,
      extractText: () => extractText({ search: null, anchors: [title], warnings: [], links: [] }),
    },
  ]
}

function write(
  pages: Pages,
  previous: Stored,
): { names: readonly PageShardNames[]; stored: Stored; written: number } {
  const stored = new Map<string, string>()
  let written = 0
  const names = [...pageShards(pages)].map(({ records, details, extracts }) => {
    for (const { name, text } of [records, details, ...extracts.map(({ shard }) => shard)]) {
      if (!previous.has(name)) written += 1
      stored.set(name, previous.get(name) ?? text())
    }
    return {
      records: records.name,
      details: details.name,
      extracts: extracts.map(({ shard, count }) => [shard.name, count] as const),
    }
  })
  return { names, stored, written }
}

function read(names: readonly PageShardNames[], stored: Stored): Pages {
  const pages = names.flatMap((of) => readPages(of, (name) => stored.get(name) ?? ''))
  return new Map(pages.map((page) => [page.facts.id, page]))
}

/** All fields of each page, sorted by file. */
function plain(pages: Pages) {
  return [...pages.values()]
    .map(({ details, extractText, ...record }) => ({ ...record, ...details(), extract: extractText() }))
    .sort((a, b) => (a.source < b.source ? -1 : 1))
}

describe('shards of the build state', () => {
  const change = fc.oneof(
    fc.record({ number: fc.nat({ max: 500 }), version: fc.nat({ max: 9 }) }),
    fc.record({ number: fc.nat({ max: 500 }), version: fc.constant(null) }),
  )
  const builds = fc.array(fc.array(change, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 4 })

  test('return the pages that were written, whichever were added, changed or removed', () => {
    fc.assert(
      fc.property(fc.nat({ max: 500 }), builds, (count, builds) => {
        let pages: Pages = new Map(Array.from({ length: count }, (_, number) => page(number, 0)))
        let stored: Stored = new Map()
        for (const changes of [[], ...builds]) {
          const next = new Map(pages)
          for (const { number, version } of changes) {
            const [id, changed] = page(number, version ?? 0)
            if (version === null) next.delete(id)
            else next.set(id, changed)
          }
          const after = write(next, stored)
          const found = read(after.names, after.stored)
          expect(plain(found)).toEqual(plain(next))
          // Equal pages give equal shards.
          const copies = new Map([...next].map(([id, page]) => [id, { ...page }]))
          expect(write(copies, new Map()).names).toEqual(after.names)
          stored = after.stored
          pages = found
        }
      }),
      { numRuns: runs(40) },
    )
  })

  test('are written again only for the shard of a changed page', () => {
    const pages = new Map(Array.from({ length: 3_000 }, (_, number) => page(number, 0)))
    const first = write(pages, new Map())
    const found = new Map(read(first.names, first.stored))
    expect(write(found, first.stored).written).toBe(0)
    found.set(...page(7, 1))
    const second = write(found, first.stored)
    expect(second.written).toBe(3)
    const texts = [...second.stored]
      .filter(([name]) => !first.stored.has(name))
      .map(([, text]) => text.length)
    const all = [...second.stored.values()].reduce((sum, text) => sum + text.length, 0)
    expect(Math.max(...texts) * 10).toBeLessThan(all)
  })
})
