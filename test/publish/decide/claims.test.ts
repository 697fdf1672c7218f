import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { snapshotPath } from '../../../src/domain/live-page.ts'
import { MAX_FORMER_PATHS, redirectKey } from '../../../src/domain/redirect-path.ts'
import { putsLive, type Release } from '../../../src/domain/release.ts'
import { untilRepeat } from '../../../src/publish/decide/next-in-line.ts'
import {
  claim,
  claimedOf,
  goLive,
  livePaths,
  newSite,
  pageId,
  publishAll,
  releasesOf,
  type Stored,
  type Wish,
} from './queue-model.ts'

const PAGES = ['a', 'b', 'c', 'd', 'e']

/** Releases that meet at few addresses. */
const wishes = fc.array(
  fc.record(
    {
      page: fc.constantFrom(...PAGES, 'deleted'),
      op: fc.constantFrom('publish', 'publish', 'publish', 'unpublish', 'delete-page'),
      subroute: fc.constantFrom('', 'docs'),
      slug: fc.constantFrom('x', 'y', 'z'),
      redirectFrom: fc.array(fc.constantFrom('/x', '/y', '/docs/x'), { maxLength: 2 }),
      isAwaited: fc.boolean(),
      wasClaimed: fc.boolean(),
    },
    { requiredKeys: ['page', 'slug'] },
  ),
  { maxLength: 8 },
)
const batches = fc.array(wishes, { maxLength: 4 })
const isSealed = fc.boolean()

/** Decides batch after batch, each on the site that the ones before left. */
function eachBatch(
  all: readonly (readonly Wish[])[],
  sealed: boolean,
  look: (stored: Stored, releases: readonly Release[]) => void,
): void {
  let stored = newSite(PAGES)
  for (const batch of all) {
    const releases = untilRepeat(releasesOf(batch.map((wish) => ({ ...wish, isSealed: sealed }))))
    look(stored, releases)
    stored = goLive(stored, claim(stored, releases))
  }
}

describe('whatever is published', () => {
  test('no two claimed releases of a batch own one key or one path', () => {
    fc.assert(
      fc.property(batches, isSealed, (all, sealed) =>
        eachBatch(all, sealed, (stored, releases) => {
          const { decisions, keys } = claim(stored, releases)
          const publishes = claimedOf(decisions).filter(({ release }) => putsLive(release))
          const paths = publishes.map(({ release }) => snapshotPath(release.snapshot))
          expect(new Set(paths).size).toBe(paths.length)
          const claimed = new Map(keys.map(({ key, claimedBy }) => [key, claimedBy]))
          expect(claimed.size).toBe(keys.length)
          for (const { release, file, redirectFrom, formerPaths } of publishes)
            for (const key of [file, ...[...redirectFrom, ...formerPaths].map(redirectKey)])
              expect(claimed.get(key)).toBe(release.id)
        }),
      ),
    )
  })

  test('no two pages are live at one path, and each live page owns its file', () => {
    fc.assert(
      fc.property(batches, isSealed, (all, sealed) =>
        eachBatch(all, sealed, (before, releases) => {
          const { decisions } = claim(before, releases)
          const after = goLive(before, claim(before, releases))
          const live = [...after.pages.values()].filter((page) => page.live !== null)
          expect(livePaths(after.pages).size).toBe(live.length)
          for (const { release, file } of claimedOf(decisions))
            if (putsLive(release))
              expect(after.owners.get(file)).toEqual({ kind: 'page', id: release.pageId, claimedBy: null })
        }),
      ),
    )
  })

  test('a redirect is never claimed where another page is live, nor where one goes live', () => {
    fc.assert(
      fc.property(batches, (all) =>
        eachBatch(all, false, (stored, releases) => {
          const claimed = claimedOf(claim(stored, releases).decisions)
          const leaving = new Set<string>(claimed.map(({ release }) => release.pageId))
          for (const { release, redirectFrom, formerPaths } of claimed)
            for (const path of [...redirectFrom, ...formerPaths]) {
              const other = livePaths(stored.pages).get(path) ?? release.pageId
              expect(other === release.pageId || leaving.has(other)).toBe(true)
              const taker = claimed.find((one) => putsLive(one.release) && one.file === redirectKey(path))
              expect(taker).toBeUndefined()
            }
        }),
      ),
    )
  })

  test('each release is decided once, in order, and nothing after one that is left to the next batch', () => {
    fc.assert(
      fc.property(batches, isSealed, (all, sealed) =>
        eachBatch(all, sealed, (stored, releases) => {
          const { decisions } = claim(stored, releases)
          const decided = decisions.map((one) =>
            one.kind === 'claimed'
              ? one.claimed.release
              : one.kind === 'ended'
                ? one.ending.release
                : one.release,
          )
          expect(decided.map(({ id }) => id)).toEqual(releases.map(({ id }) => id))
          if (releases.length > 0) expect(decisions.some(({ kind }) => kind !== 'left')).toBe(true)
        }),
      ),
    )
  })

  test('a page whose address is taken by a page that stays is refused, and the refusal names that page', () => {
    fc.assert(
      fc.property(batches, (all) =>
        eachBatch(all, false, (stored, releases) => {
          for (const [index, one] of claim(stored, releases).decisions.entries()) {
            const release = releases[index] ?? expect.unreachable()
            const other = livePaths(stored.pages).get(snapshotPath(release.snapshot))
            const stays = other !== undefined && releases.every(({ pageId }) => pageId !== other)
            if (!putsLive(release) || !stays || !stored.pages.has(release.pageId) || one.kind === 'left')
              continue
            const { failure } = one.kind === 'ended' ? one.ending.release : expect.unreachable()
            expect(failure).toMatchObject({
              name: 'conflict',
              message: expect.stringContaining(`page_${other}`),
            })
          }
        }),
      ),
    )
  })

  test('a page that is decided alone has the decision that it has as the first of a batch', () => {
    fc.assert(
      fc.property(batches, (all) =>
        eachBatch(all, false, (stored, releases) => {
          const [first] = releases
          const [alone] = claim(stored, releases.slice(0, 1)).decisions
          const [together] = claim(stored, releases).decisions
          // Alone, it takes no address of a page that moves away with it; together, it may lose a redirect to a page.
          if (first === undefined || (together?.kind === 'claimed' && together.claimed.replaces !== null))
            return
          if (alone?.kind === 'claimed' && together?.kind === 'claimed')
            expect({ ...together.claimed, redirectFrom: [], formerPaths: [] }).toEqual({
              ...alone.claimed,
              redirectFrom: [],
              formerPaths: [],
            })
          else if (together?.kind !== 'left') expect(together).toEqual(alone)
        }),
      ),
    )
  })
})

describe('how a queue is cut into batches', () => {
  test('makes no difference to pages that do not touch each other', () => {
    const apart = fc.uniqueArray(
      fc.record({
        page: fc.constantFrom(...PAGES),
        slug: fc.constantFrom('x', 'y'),
        isAwaited: fc.boolean(),
      }),
      { selector: ({ page }) => page },
    )
    fc.assert(
      fc.property(apart, apart, fc.integer({ min: 1, max: 4 }), (before, after, size) => {
        const inOwnFolder = (all: readonly Wish[]) =>
          releasesOf(all.map((one) => ({ ...one, subroute: one.page })))
        const { stored } = publishAll(newSite(PAGES), inOwnFolder(before), PAGES.length)
        const releases = inOwnFolder(after)
        const whole = claim(stored, releases)
        const parts = Array.from({ length: Math.ceil(releases.length / size) }, (_, part) =>
          claim(stored, releases.slice(part * size, (part + 1) * size)),
        )
        expect(parts.flatMap(({ decisions }) => decisions)).toEqual(whole.decisions)
        expect(new Set(parts.flatMap(({ keys }) => keys))).toEqual(new Set(whole.keys))
      }),
    )
  })

  test('makes no difference to how releases end that requests await', () => {
    fc.assert(
      fc.property(wishes, fc.integer({ min: 1, max: 8 }), (all, size) => {
        const releases = releasesOf(all.map((one) => ({ ...one, isAwaited: true, wasClaimed: false })))
        const [one, other] = [1, size].map((batch) => publishAll(newSite(PAGES), releases, batch))
        expect(other?.ended).toEqual(one?.ended)
        expect(livePaths(other?.stored.pages ?? new Map())).toEqual(livePaths(one?.stored.pages ?? new Map()))
      }),
    )
  })
})

describe('pages that exchange their addresses', () => {
  const permutation = fc.shuffledSubarray(PAGES, { minLength: PAGES.length })
  const outsider = fc.option(fc.constantFrom(...PAGES), { nil: null })

  test('are claimed as a whole or not at all', () => {
    fc.assert(
      fc.property(permutation, outsider, outsider, isSealed, (slugs, missing, full, sealed) => {
        const start = releasesOf(PAGES.map((page) => ({ page, isSealed: sealed })))
        // A page with too many former addresses is refused, which no other page of its circle can know.
        const stored = withManyAddresses(publishAll(newSite(PAGES), start, PAGES.length).stored, full)
        const moves = PAGES.map(
          (page, index): Wish => ({ page, slug: slugs[index] ?? page, isSealed: sealed }),
        )
        // A page that is not published now keeps its address, so that none of its circle moves.
        const releases = releasesOf(moves.filter(({ page }) => page !== missing))
        const { decisions } = claim(stored, releases)
        const claimed = new Set<string>(claimedOf(decisions).map(({ release }) => release.pageId))
        for (const { page } of moves) {
          const circle = circleOf(page, slugs)
          const isWhole = circle.length === 1 || !circle.some((one) => one === missing || one === full)
          if (page !== missing && page !== full) expect(claimed.has(pageId(page))).toBe(isWhole)
        }
        for (const { claimedBy } of claim(stored, releases).keys)
          expect(claimedOf(decisions).some(({ release }) => release.id === claimedBy)).toBe(true)
        expect(goLive(stored, claim(stored, releases)).pages.size).toBe(PAGES.length)
      }),
    )
  })

  test('are refused when a request awaits one of them', () => {
    const { stored } = publishAll(newSite(PAGES), releasesOf([{ page: 'a' }, { page: 'b' }]), 2)
    const swap = releasesOf([
      { page: 'a', slug: 'b', isAwaited: true },
      { page: 'b', slug: 'a', isAwaited: true },
    ])
    const failures = claim(stored, swap).decisions.map((one) =>
      one.kind === 'ended' ? one.ending.release.failure?.name : one.kind,
    )
    expect(failures).toEqual(['conflict', 'conflict'])
  })

  function withManyAddresses(stored: Stored, page: string | null): Stored {
    if (page === null) return stored
    const id = pageId(page)
    const state = stored.pages.get(id) ?? expect.unreachable()
    const formerPaths = Array.from({ length: MAX_FORMER_PATHS + 1 }, (_, n) => `/former-${n}`)
    return { ...stored, pages: new Map([...stored.pages, [id, { ...state, formerPaths }]]) }
  }

  /** The pages whose addresses lead back to that of a page. */
  function circleOf(page: string, slugs: readonly string[]): readonly string[] {
    const circle = [page]
    for (
      let next = slugs[PAGES.indexOf(page)] ?? page;
      next !== page;
      next = slugs[PAGES.indexOf(next)] ?? page
    )
      circle.push(next)
    return circle
  }
})

test('a refused release of an earlier attempt is reverted first, and keeps its claims until then', () => {
  const { stored } = publishAll(newSite(PAGES), releasesOf([{ page: 'a', slug: 'x' }]), 1)
  const [interrupted = expect.unreachable()] = releasesOf([{ page: 'b', slug: 'x', wasClaimed: true }])
  const { decisions, keys } = claim(stored, [interrupted])
  expect(decisions).toMatchObject([
    { kind: 'ended', ending: { release: { state: 'reverting' }, undoesEdit: true } },
  ])
  expect(keys).toEqual([])
})
