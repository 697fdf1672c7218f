import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Id } from '../../src/domain/ids.ts'
import {
  foldersAt,
  isSameListing,
  type ListingPage,
  layOutListing,
  listingFolder,
  listingKey,
  listingPath,
  PAGE_SLOTS,
} from '../../src/domain/listing.ts'
import type { LiveCard } from '../../src/domain/live-page.ts'
import { livePage } from '../support/live-page.ts'

function card(slot: number): LiveCard {
  const id = `page${String(slot).padStart(12, '0')}` as Id<'page'>
  return {
    id,
    path: `/blog/a-${slot}`,
    title: `A ${slot}`,
    excerpt: null,
    image: null,
    author: null,
    subroute: 'blog',
    type: 'article',
    navOrder: 0,
    isSealed: false,
    folder: 'blog',
    slot,
    tags: [],
    date: new Date(Date.UTC(2020, 0, 1 + slot)).toISOString(),
  }
}

/** A folder that has given slots away, with those of them whose article is live. */
interface State {
  readonly given: number
  readonly live: ReadonlySet<number>
}

const NOTHING: State = { given: 0, live: new Set() }

/** `n` is a new article, a number takes an article up or down. */
type Act = 'new' | number

function stepped({ given, live }: State, act: Act): State {
  if (act === 'new') return { given: given + 1, live: new Set([...live, given]) }
  if (given === 0) return { given, live }
  const slot = act % given
  const next = new Set(live)
  if (!next.delete(slot)) next.add(slot)
  return { given, live: next }
}

const pagesOf = ({ given, live }: State) => layOutListing('blog', given, [...live].map(card))
const numbers = (pages: readonly ListingPage[]) => pages.map(({ number }) => number)
const slotsOn = (pages: readonly ListingPage[], number: number | null) =>
  pages.find((page) => page.number === number)?.articles.map(({ slot }) => slot)

const acts = fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant('new' as const) }, fc.nat(200)), {
  maxLength: 90,
})

function changes(before: readonly ListingPage[], now: readonly ListingPage[]) {
  const was = new Map(before.map((page) => [page.number, page]))
  const is = new Map(now.map((page) => [page.number, page]))
  return {
    rewritten: now.filter((page) => was.has(page.number) && !isSameListing(page, was.get(page.number))),
    made: now.filter(({ number }) => !was.has(number)),
    removed: before.filter(({ number }) => !is.has(number)),
  }
}

describe('whatever is published and taken down', () => {
  test('every live article stands on exactly one page, and each page leads to its neighbours', () => {
    fc.assert(
      fc.property(acts, (sequence) => {
        const state = sequence.reduce(stepped, NOTHING)
        const pages = pagesOf(state)
        const listed = pages.flatMap(({ articles }) => articles.map(({ slot }) => slot))
        expect(listed.toSorted((a, b) => Number(a) - Number(b))).toEqual(
          [...state.live].sort((a, b) => a - b),
        )
        expect(pages.every(({ articles }) => articles.length > 0)).toBe(true)
        for (const [place, { newer, older }] of pages.entries())
          expect([newer, older]).toEqual([pages[place - 1]?.path ?? null, pages[place + 1]?.path ?? null])
      }),
    )
  })

  test('one step rewrites at most two pages, makes at most one and removes at most one', () => {
    fc.assert(
      fc.property(acts, (sequence) => {
        let state = NOTHING
        for (const act of sequence) {
          const next = stepped(state, act)
          const { rewritten, made, removed } = changes(pagesOf(state), pagesOf(next))
          expect(rewritten.length).toBeLessThanOrEqual(2)
          expect(made.length).toBeLessThanOrEqual(1)
          expect(removed.length).toBeLessThanOrEqual(1)
          state = next
        }
      }),
    )
  })

  test('a new article rewrites nothing but the front page and the newest numbered one', () => {
    fc.assert(
      fc.property(acts, (sequence) => {
        const state = sequence.reduce(stepped, NOTHING)
        const before = pagesOf(state)
        const [, newest] = numbers(before)
        const { rewritten } = changes(before, pagesOf(stepped(state, 'new')))
        for (const { number } of rewritten) expect([null, newest]).toContain(number)
      }),
    )
  })

  test('an article that comes back stands where it stood', () => {
    fc.assert(
      fc.property(acts, fc.nat(200), (sequence, act) => {
        const state = sequence.reduce(stepped, NOTHING)
        expect(pagesOf(stepped(stepped(state, act), act))).toEqual(pagesOf(state))
      }),
    )
  })
})

test('the front page has all until there are more than two pages of articles', () => {
  const grown = (count: number) => pagesOf({ given: count, live: new Set(Array(count).keys()) })
  expect(numbers(grown(2 * PAGE_SLOTS))).toEqual([null])
  expect(numbers(grown(2 * PAGE_SLOTS + 1))).toEqual([null, 1])
  expect(slotsOn(grown(2 * PAGE_SLOTS + 1), 1)).toHaveLength(PAGE_SLOTS)
  expect(slotsOn(grown(2 * PAGE_SLOTS + 1), null)).toHaveLength(PAGE_SLOTS + 1)
  expect(numbers(grown(5 * PAGE_SLOTS))).toEqual([null, 3, 2, 1])
})

test('a page whose articles are all gone is left out, and those beside it lead to each other', () => {
  const second = Array.from({ length: PAGE_SLOTS }, (_, index) => PAGE_SLOTS + index)
  const live = new Set([...Array(5 * PAGE_SLOTS).keys()].filter((slot) => !second.includes(slot)))
  const pages = pagesOf({ given: 5 * PAGE_SLOTS, live })
  expect(pages.map(({ path, older }) => [path, older])).toEqual([
    ['/blog', '/blog/page/3'],
    ['/blog/page/3', '/blog/page/1'],
    ['/blog/page/1', null],
  ])
})

test.each([
  ['blog', {}, 'blog'],
  ['blog/2024/03', {}, 'blog'],
  ['blog', { blog: 'news/notes' }, 'news/notes'],
  ['blog/2024', { blog: 'news/notes' }, 'news/notes'],
  ['blog', { blog: '/' }, ''],
  ['', {}, null],
] as const)('an article in %j with the routes %j is in the listing of %j', (subroute, siteRoutes, folder) => {
  const { page, fields, settings } = livePage({
    page: { type: 'article', subroute, slug: 'a' },
    settings: { siteRoutes },
  })
  expect(listingFolder({ page, fields, settings })).toBe(folder)
})

test('the folders at a key are those that have a page there', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('', 'blog', 'a/b', 'page', 'page/2'),
      fc.option(fc.nat(999)),
      (folder, number) => {
        expect(foldersAt(listingKey(listingPath(folder, number)))).toContain(folder)
      },
    ),
  )
  expect(foldersAt('blog/hello/index.md')).toEqual([])
  expect(foldersAt('page/2/index.html')).toEqual(['page/2', ''])
})
