import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LiveDigests, STALE_REASONS, staleReasons } from '../../src/domain/staleness.ts'

const LIVE: LiveDigests = {
  path: '/docs/a',
  content: 'content',
  settings: 'settings',
  ownTheme: null,
  theme: 'theme',
  nav: 'nav',
  collection: { queries: [], digest: 'collection' },
  hosting: 'hosting',
}

test('a page that would come out the same is not stale', () => {
  expect(staleReasons(LIVE, { ...LIVE })).toEqual([])
})

test.each([
  [{ content: 'edited' }, 'content'],
  [{ settings: 'edited' }, 'settings'],
  [{ theme: 'dark' }, 'theme'],
  [{ nav: null }, 'nav'],
  [{ collection: null }, 'collection'],
  [{ collection: { queries: [], digest: 'another page' } }, 'collection'],
  [{ hosting: 'data_mode' }, 'hosting'],
] as const)('%j is the reason %s, and no other', (change, reason) => {
  expect(staleReasons(LIVE, { ...LIVE, ...change })).toEqual([reason])
})

test('a move alone is no reason, since it is published with the page', () => {
  expect(staleReasons(LIVE, { ...LIVE, path: '/docs/b' })).toEqual([])
})

test('several reasons come in their documented order, and do not depend on the direction', () => {
  const digests = fc.record({
    path: fc.constant('/a'),
    content: fc.constantFrom('a', 'b'),
    settings: fc.constantFrom('a', 'b'),
    ownTheme: fc.constantFrom(null, 'dark'),
    theme: fc.constantFrom('a', 'b'),
    nav: fc.constantFrom(null, 'a'),
    collection: fc.constantFrom(null, { queries: [], digest: 'a' }),
    hosting: fc.constantFrom('a', 'b'),
  })
  fc.assert(
    fc.property(digests, digests, (a, b) => {
      const reasons = staleReasons(a, b)
      expect(reasons).toEqual(STALE_REASONS.filter((reason) => reasons.includes(reason)))
      expect(staleReasons(b, a)).toEqual(reasons)
    }),
  )
})
