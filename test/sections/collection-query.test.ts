import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src/domain/json.ts'
import type { ListedPage } from '../../src/domain/live-page.ts'
import { collectionQueries, isEmptyCollection } from '../../src/sections/collection-query.ts'
import { normalizeSection } from '../../src/sections/normalize.ts'

const queryOf = (section: JsonValue) => collectionQueries([section], false)[0]

describe('a posts section', () => {
  test('lists the six newest articles with all parts by default', () => {
    expect(queryOf({ type: 'posts' })).toEqual({
      section: 0,
      type: 'article',
      subroute: null,
      sort: 'published_at',
      limit: 6,
      shows: ['excerpt', 'date', 'author', 'image'],
      ofSealed: false,
    })
  })

  test.each([
    ['posts', 'article'],
    ['latest-posts', 'article'],
    ['items-grid', 'item'],
    ['Items List', 'item'],
  ])('written as %s lists pages of the type %s', (type, pages) => {
    expect(queryOf({ type })?.type).toBe(pages)
  })

  test('lists pages of its page type, whichever alias is used', () => {
    expect(queryOf({ type: 'items-grid', page_type: 'docs' })?.type).toBe('docs')
  })

  test('shows dates of articles only by default', () => {
    expect(queryOf({ type: 'posts', page_type: 'item' })?.shows).toEqual(['excerpt', 'author', 'image'])
    expect(queryOf({ type: 'posts', page_type: 'item', show_date: true })?.shows).toContain('date')
    expect(queryOf({ type: 'posts', show_date: false, showImage: false })?.shows).toEqual([
      'excerpt',
      'author',
    ])
  })

  test('normalises a subroute, and finds nothing under an invalid one', () => {
    expect(queryOf({ type: 'posts', subroute: '/Blog/' })?.subroute).toBe('blog')
    expect(queryOf({ type: 'posts', subroute: 'not a path' })?.subroute).toBe('not a path')
  })

  test('filters by tags and by author under any spelling, and turns the order around', () => {
    const query = queryOf({ type: 'posts', tag: ['Node JS', '!'], author: 'Ada Lovelace', reverse: true })
    expect(query).toMatchObject({ tags: ['node-js'], author: 'ada-lovelace', isReversed: true })
    expect(queryOf({ type: 'posts', tags: [], author: '', reverse: false })).toEqual(
      queryOf({ type: 'posts' }),
    )
  })

  test('lists a whole archive where it is grouped, unless a limit is written', () => {
    expect(queryOf({ type: 'posts', group_by: 'year' })?.limit).toBe(500)
    expect(queryOf({ type: 'posts', group_by: 'year', limit: 3 })?.limit).toBe(3)
  })

  test('finds the dates that it is grouped by, also where dates are hidden', () => {
    expect(queryOf({ type: 'posts', group_by: 'year', show_date: false })?.shows).toContain('date')
    expect(queryOf({ type: 'posts', page_type: 'item', group_by: 'month' })?.shows).toContain('date')
  })

  test('has no query while hidden, and the others keep their indexes', () => {
    const sections = [
      { type: 'hero', title: 'A' },
      { type: 'posts', hidden: true },
      { type: 'posts', limit: 2 },
      'no section',
      { type: 'posts', limit: 3 },
    ]
    expect(
      collectionQueries(sections, true).map(({ section, limit, ofSealed }) => [section, limit, ofSealed]),
    ).toEqual([
      [2, 2, true],
      [4, 3, true],
    ])
  })

  test('is left out without posts, unlike any other section', () => {
    const post = {
      path: '/a',
      title: 'A',
      excerpt: null,
      image: null,
      date: null,
      author: null,
    } as ListedPage
    expect(isEmptyCollection(normalizeSection({ type: 'posts' }), [])).toBe(true)
    expect(isEmptyCollection(normalizeSection({ type: 'posts' }), [post])).toBe(false)
    expect(isEmptyCollection(normalizeSection({ type: 'hero' }), [])).toBe(false)
  })

  test('queries a bounded number of pages, whatever is written', () => {
    const props = fc.dictionary(
      fc.constantFrom('type', 'limit', 'sort', 'page_type', 'subroute', 'show_date', 'hidden', 'props'),
      fc.oneof(fc.jsonValue(), fc.constantFrom('posts', 'items-grid', '7', 9, -1, 1e9, 'title')),
    )
    fc.assert(
      fc.property(fc.array(props, { maxLength: 5 }), (sections) => {
        for (const { limit, section } of collectionQueries(sections as JsonValue[], false)) {
          expect(Number.isInteger(limit)).toBe(true)
          expect(limit).toBeGreaterThan(0)
          expect(limit).toBeLessThanOrEqual(50)
          expect(section).toBeLessThan(sections.length)
        }
      }),
    )
  })
})
