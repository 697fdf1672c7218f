import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PageId, ProjectId } from '../../../src/domain/ids.ts'
import type { LiveCard } from '../../../src/domain/live-page.ts'
import type { ListingSlot } from '../../../src/publish/ledger/live-state.ts'
import { assignSlots } from '../../../src/publish/pipeline/listings.ts'
import { type Change, createInMemorySite, type InMemorySite, snapshotFor } from '../../support/live-site.ts'
import { runs } from '../../support/long-form.ts'

const place = { projectId: 'projaaaaaaaaaaaa' as ProjectId }
const ids = Array.from({ length: 8 }, (_, number) => `article${number}`)

const card = (id: string, folder: string, date: string): LiveCard => ({
  id: id as PageId,
  path: `/${folder}/${id}`,
  title: id,
  subroute: folder,
  type: 'article',
  excerpt: null,
  image: null,
  date,
  author: null,
  navOrder: 0,
  isSealed: false,
  folder,
  slot: null,
  tags: [],
})

test('an article keeps its slot, and the slots of a folder have no gaps and no duplicates', async () => {
  const article = fc.record({
    id: fc.constantFrom(...ids),
    folder: fc.constantFrom('blog', 'news'),
    date: fc.constantFrom('2026-01-01', '2026-02-02'),
  })
  const batches = fc.array(fc.uniqueArray(article, { selector: ({ id }) => id }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const assigned: ListingSlot[] = []
      const state = {
        slotsOf: async (_: ProjectId, pages: readonly PageId[]) =>
          assigned.filter(({ pageId }) => pages.includes(pageId)),
        nextSlots: async (_: ProjectId, folders: readonly string[]) =>
          new Map(folders.map((name) => [name, assigned.filter(({ folder }) => folder === name).length])),
      }
      for (const batch of all) {
        const cards = batch.map(({ id, folder, date }) => card(id, folder, date))
        const { cards: placed, slots } = await assignSlots(place, cards, state)
        for (const { id, folder, slot } of placed.values()) {
          const previous = assigned.find((one) => one.pageId === id && one.folder === folder)
          if (previous !== undefined) expect(slot).toBe(previous.slot)
        }
        assigned.push(...slots)
      }
      for (const folder of ['blog', 'news']) {
        const slots = assigned.filter((one) => one.folder === folder).map(({ slot }) => slot)
        expect(slots.toSorted((a, b) => a - b)).toEqual(slots.map((_, index) => index))
      }
    }),
  )
})

test('new articles of one batch are ordered by date', async () => {
  const state = { slotsOf: async () => [], nextSlots: async () => new Map([['blog', 3]]) }
  const cards = [card('b', 'blog', '2026-02-02'), card('a', 'blog', '2026-01-01')]
  const { slots } = await assignSlots(place, cards, state)
  expect(slots.map(({ pageId, slot }) => [pageId, slot])).toEqual([
    ['a', 3],
    ['b', 4],
  ])
})

const articleChange = (number: number, op: Change['op']): Change => ({
  op,
  snapshot: snapshotFor(
    `article${number}`,
    { title: `Article <${number}>`, type: 'article', subroute: 'blog' },
    { publishDate: new Date(Date.UTC(2026, 0, 1 + number)).toISOString() },
  ),
})

const listingFiles = ({ files }: InMemorySite) =>
  [...files].filter(([key]) => /^blog\/(page\/\d+\/)?index\.html$/.test(key))

/** How many listing pages show the article. */
const occurrences = (site: InMemorySite, number: number) =>
  listingFiles(site).filter(([, html]) => html.includes(`"title": "Article <${number}>"`)).length

test('visitors find each live article on exactly one page of its listing, and no other article', async () => {
  const change = fc.record({ number: fc.nat(39), isRemoved: fc.boolean() })
  const batches = fc.array(
    fc.uniqueArray(change, { selector: ({ number }) => number, minLength: 1, maxLength: 20 }),
    { minLength: 1, maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const site = createInMemorySite()
      const live = new Set<number>()
      for (const batch of all) {
        const changes = batch.filter(({ number, isRemoved }) => !isRemoved || live.has(number))
        if (changes.length === 0) continue
        await site.run(
          changes.map(({ number, isRemoved }) => articleChange(number, isRemoved ? 'unpublish' : 'publish')),
        )
        for (const { number, isRemoved } of changes) {
          if (isRemoved) live.delete(number)
          else live.add(number)
        }
        for (let number = 0; number < 40; number++)
          expect([number, occurrences(site, number)]).toEqual([number, live.has(number) ? 1 : 0])
      }
    }),
    { numRuns: runs(40) },
  )
})

test('a new article rewrites the front page of its listing and at most one numbered page', async () => {
  const site = createInMemorySite()
  await site.run(Array.from({ length: 40 }, (_, number) => articleChange(number, 'publish')))
  expect(listingFiles(site).length).toBeGreaterThan(2)
  const { plan } = await site.run([articleChange(40, 'publish')])
  const written = plan.uploads.filter(({ artifact }) => artifact.owner.kind === 'listing')
  expect(written.map(({ artifact }) => artifact.key)).toContain('blog/index.html')
  expect(written.length).toBeLessThanOrEqual(2)
})

test('a listing disappears with its last article', async () => {
  const site = createInMemorySite()
  await site.run([articleChange(1, 'publish')])
  expect(listingFiles(site)).toHaveLength(1)
  await site.run([articleChange(1, 'unpublish')])
  expect(listingFiles(site)).toEqual([])
})

test('a page at the path of a folder takes the place of its listing', async () => {
  const site = createInMemorySite()
  await site.run([articleChange(1, 'publish')])
  await site.run([{ op: 'publish', snapshot: snapshotFor('blog', { title: 'About the blog' }) }])
  expect(site.files.get('blog/index.html')).toContain('"title": "About the blog')
})
