import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  COLLECTION_SORTS,
  type CollectionQuery,
  collect,
  inLanguage,
  SHOWN_PARTS,
} from '../../src/domain/collection.ts'
import type { PageId } from '../../src/domain/ids.ts'
import type { LiveCard } from '../../src/domain/live-page.ts'

const QUERY: CollectionQuery = {
  section: 0,
  type: 'article',
  subroute: null,
  sort: 'published_at',
  limit: 10,
  shows: SHOWN_PARTS,
  ofSealed: false,
}

const SELF = 'self' as PageId

function card(id: string, more: Partial<LiveCard> = {}): LiveCard {
  return {
    id: id as PageId,
    path: `/blog/${id}`,
    title: id,
    excerpt: `About ${id}`,
    image: { src: '/a.png' },
    date: '2026-01-01T00:00:00.000Z',
    author: 'Ada',
    subroute: 'blog',
    type: 'article',
    navOrder: 0,
    isSealed: false,
    folder: null,
    slot: null,
    tags: [],
    ...more,
  }
}

const titlesOf = (cards: readonly LiveCard[], query: Partial<CollectionQuery> = {}) =>
  collect(cards, { ...QUERY, ...query }, SELF).map(({ title }) => title)

const anyCard = fc.record({
  id: fc.stringMatching(/^[a-z]{1,4}$/),
  title: fc.string({ maxLength: 4 }),
  day: fc.integer({ min: 1, max: 28 }),
  type: fc.constantFrom('article' as const, 'page' as const),
  subroute: fc.constantFrom('blog', 'news'),
  navOrder: fc.integer({ min: -3, max: 3 }),
  isSealed: fc.boolean(),
})
const anyCards = fc
  .uniqueArray(anyCard, { selector: ({ id }) => id, maxLength: 20 })
  .map((cards) =>
    cards.map(({ id, day, ...more }) =>
      card(id, { ...more, date: `2026-03-${String(day).padStart(2, '0')}T00:00:00.000Z` }),
    ),
  )

describe('a posts section', () => {
  test('shows the newest pages first, and pages of one moment by title', () => {
    const [older, newer] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']
    const cards = [card('b', { date: older }), card('c', { date: newer }), card('a', { date: older })]
    expect(titlesOf(cards)).toEqual(['c', 'a', 'b'])
  })

  test('orders titles as people do, numbers by their value and accents next to their letters', () => {
    const cards = ['Part 10', 'élan', 'Part 2', 'Zebra', 'apple'].map((title, n) => card(`p${n}`, { title }))
    expect(titlesOf(cards, { sort: 'title' })).toEqual(['apple', 'élan', 'Part 2', 'Part 10', 'Zebra'])
  })

  test('follows the navigation order where it is asked for', () => {
    const cards = [card('a', { navOrder: 2 }), card('b', { navOrder: -1 }), card('c', { navOrder: 2 })]
    expect(titlesOf(cards, { sort: 'nav_order' })).toEqual(['b', 'a', 'c'])
  })

  test('never lists the page it stands on, and still fills its limit', () => {
    const cards = [card(SELF), card('a'), card('b'), card('c')]
    expect(titlesOf(cards, { limit: 3 })).toEqual(['a', 'b', 'c'])
    expect(titlesOf(cards, { limit: 2 })).toEqual(['a', 'b'])
  })

  test('leaves out sealed pages, which have no HTML, unless its own page is sealed', () => {
    const cards = [card('open'), card('sealed', { isSealed: true })]
    expect(titlesOf(cards)).toEqual(['open'])
    expect(titlesOf(cards, { ofSealed: true })).toEqual(['open', 'sealed'])
  })

  test('shows of a page only the parts that it asks for', () => {
    const [shown] = collect([card('a')], { ...QUERY, shows: ['date'] }, SELF)
    expect(shown).toEqual({
      path: '/blog/a',
      title: 'a',
      excerpt: null,
      image: null,
      date: '2026-01-01T00:00:00.000Z',
      author: null,
    })
  })

  test('lists only matching pages, at most as many as its limit, in any order of the input', () => {
    const query = fc.record({
      type: fc.constantFrom('article' as const, 'page' as const),
      subroute: fc.constantFrom(null, 'blog', 'news'),
      sort: fc.constantFrom(...COLLECTION_SORTS),
      limit: fc.integer({ min: 1, max: 25 }),
      ofSealed: fc.boolean(),
    })
    fc.assert(
      fc.property(anyCards, query, (cards, asked) => {
        const paths = (input: readonly LiveCard[]) =>
          collect(input, { ...QUERY, ...asked }, SELF).map(({ path }) => path)
        const matching = cards.filter(
          ({ type, subroute, isSealed }) =>
            type === asked.type &&
            (asked.subroute === null || subroute === asked.subroute) &&
            (asked.ofSealed || !isSealed),
        )
        const shown = paths(cards)
        expect(shown).toHaveLength(Math.min(asked.limit, matching.length))
        expect(matching.map(({ path }) => path)).toEqual(expect.arrayContaining([...shown]))
        expect(paths(cards.toReversed())).toEqual(shown)
      }),
    )
  })

  test('a longer limit continues the shorter list', () => {
    fc.assert(
      fc.property(anyCards, fc.integer({ min: 1, max: 10 }), (cards, limit) => {
        expect(titlesOf(cards, { limit: limit + 5 }).slice(0, limit)).toEqual(titlesOf(cards, { limit }))
      }),
    )
  })
})

test('pages that were published before the site had languages are in that of their folder', () => {
  const locales = [
    { code: 'en', label: 'English', dir: 'ltr', subroute: '' },
    { code: 'fr', label: 'Français', dir: 'ltr', subroute: 'fr' },
  ] as const
  const cards = [
    card('old', { path: '/blog/old' }),
    card('vieux', { path: '/fr/blog/vieux' }),
    card('new', { path: '/blog/new', locale: 'en' }),
    card('neuf', { path: '/ailleurs', locale: 'fr' }),
  ]
  expect(titlesOf(cards, inLanguage(locales[0], locales)).sort()).toEqual(['new', 'old'])
  expect(titlesOf(cards, inLanguage(locales[1], locales)).sort()).toEqual(['neuf', 'vieux'])
})
