import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PageId } from '../../src/domain/ids.ts'
import { layOutListing } from '../../src/domain/listing.ts'
import type { LiveCard } from '../../src/domain/live-page.ts'
import { neighboursOf, withOtherNeighbours } from '../../src/domain/neighbours.ts'

function article(slug: string, day: number, tags: readonly string[] = [], folder = 'blog'): LiveCard {
  return {
    id: slug as PageId,
    path: `/${folder}/${slug}`,
    title: slug,
    subroute: folder,
    type: 'article',
    excerpt: null,
    image: null,
    date: new Date(Date.UTC(2026, 0, day)).toISOString(),
    author: null,
    navOrder: 0,
    isSealed: false,
    folder,
    slot: null,
    tags: tags.map((name) => ({ name, address: name, slot: null })),
  }
}

const titles = (cards: readonly LiveCard[], self: LiveCard) => {
  const found = neighboursOf(cards, self)
  return found && [found.newer?.title, found.older?.title, found.related.map(({ title }) => title)]
}

test('an article leads to the next and the previous one of its blog, by date, then title', () => {
  const [a, b, c] = [article('a', 1), article('b', 1), article('c', 2)] as const
  const cards = [c, a, article('other', 1, [], 'news'), b]
  expect(titles(cards, a)).toEqual(['c', 'b', []])
  expect(titles(cards, c)).toEqual([undefined, 'a', []])
  expect(titles(cards, b)).toEqual(['a', undefined, []])
  expect(neighboursOf([a], a)).toBeNull()
})

test('the previous articles, one after the other, are those of the list of the blog in its order', () => {
  const card = fc.record({ day: fc.nat(2), title: fc.constantFrom('Part 2', 'Part 10', 'part 2', 'Älter') })
  fc.assert(
    fc.property(fc.array(card, { minLength: 1, maxLength: 12 }), (written) => {
      const cards = written.map(({ day, title }, at) => ({
        ...article(`${'xbya'[at % 4]}-${at}`, day, ['x']),
        title,
        slot: at,
      }))
      const [front] = layOutListing('blog', cards.length, cards)
      const listed = front?.articles ?? []
      expect(listed.map((self) => neighboursOf(cards, self)?.older?.path)).toEqual(
        listed.map((_, at) => listed[at + 1]?.path),
      )
      expect(listed.map((self) => neighboursOf(cards, self)?.newer?.path)).toEqual(
        listed.map((_, at) => listed[at - 1]?.path),
      )
    }),
  )
})

test('an edited article is compared without the version of it that is live', () => {
  const cards = [1, 2, 3, 4].map((day) => article(`${day}`, day))
  const moved = { ...article('2', 3), title: '2b' }
  expect(titles(cards, moved)).toEqual(['4', '3', []])
  expect(titles(cards, article('2', 9))).toEqual([undefined, '4', []])
  expect(titles(cards, article('2', 0))).toEqual(['1', undefined, []])
})

test('related articles share most tags, then are the newest, and are three at most', () => {
  const self = article('self', 9, ['x', 'y'])
  const cards = [
    ...[self, article('both', 1, ['x', 'y']), article('old', 2, ['x']), article('new', 3, ['y'])],
    ...[article('mid', 2, ['y']), article('none', 8), article('far', 8, ['x', 'y'], 'news')],
  ]
  expect(titles(cards, self)?.[2]).toEqual(['both', 'new', 'mid'])
})

test('a page that is not live has the neighbours it would have', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(20), { minLength: 1 }), fc.nat(20), (days, own) => {
      const cards = days.filter((day) => day !== own).map((day) => article(`a-${day}`, day, ['x']))
      const self = article(`a-${own}`, own, ['x'])
      expect(neighboursOf(cards, self)).toEqual(neighboursOf([...cards, self], self))
    }),
  )
})

test('the articles with other neighbours after any change are found, also in a blog that an article left', () => {
  const card = fc
    .record({
      day: fc.nat(6),
      tags: fc.subarray(['x', 'y', 'z']),
      folder: fc.constantFrom('blog', 'news'),
    })
    .map(
      ({ day, tags, folder }) =>
        (slug: string) =>
          article(slug, day, tags, folder),
    )
  const slugs = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const cards = fc.tuple(...slugs.map(() => card)).map((made) => made.map((of, at) => of(`${slugs[at]}`)))
  fc.assert(
    fc.property(cards, cards, fc.subarray(slugs), (before, next, changed) => {
      const ids = new Set(changed as PageId[])
      const after = [...before.filter(({ id }) => !ids.has(id)), ...next.filter(({ id }) => ids.has(id))]
      const isOther = (self: LiveCard) =>
        !ids.has(self.id) &&
        JSON.stringify(neighboursOf(before, self)) !== JSON.stringify(neighboursOf(after, self))
      const expected = before.filter(isOther).map(({ id }) => id)
      expect([...withOtherNeighbours(before, after, ids)].sort()).toEqual(expected.sort())
    }),
  )
})
