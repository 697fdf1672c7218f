import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Change, createInMemorySite, type InMemorySite, snapshotFor } from '../../support/live-site.ts'
import { runs } from '../../support/long-form.ts'

interface Edit {
  readonly id: string
  /** Null unpublishes the page. */
  readonly slug: string | null
  readonly title: string
}

const edit = fc.record({
  id: fc.constantFrom('one', 'two', 'three'),
  slug: fc.option(fc.constantFrom('x', 'y'), { nil: null }),
  title: fc.constantFrom('First', 'Second'),
})
const batches = fc.array(fc.uniqueArray(edit, { selector: ({ id }) => id, minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 5,
})

/** Publishes or unpublishes pages. The slugs of different pages never collide. */
async function apply(site: InMemorySite, edits: readonly Edit[]): Promise<void> {
  const live = new Set([...site.pages.values()].map(({ facts }) => facts.slug.split('-')[0]))
  const changes = edits
    .filter(({ id, slug }) => slug !== null || live.has(id))
    .map(({ id, slug, title }): Change => {
      const page = { slug: `${id}-${slug ?? 'x'}`, title }
      return { op: slug === null ? 'unpublish' : 'publish', snapshot: snapshotFor(id, page) }
    })
  if (changes.length > 0) await site.run(changes)
}

const htmlAt = (site: InMemorySite, slug: string) => site.files.get(`${slug}/index.html`) ?? null

test('after any batches visitors get the newest version of each live page', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const site = createInMemorySite()
      const expected = new Map<string, Edit>()
      for (const edits of all) {
        await apply(site, edits)
        for (const one of edits) {
          if (one.slug === null) expected.delete(one.id)
          else expected.set(one.id, one)
        }
      }
      for (const { id, slug, title } of expected.values())
        expect(htmlAt(site, `${id}-${slug}`)).toContain(`"title": "${title}`)
      expect(site.pages.size).toBe(expected.size)
    }),
    { numRuns: runs(100) },
  )
})

test('nothing remains of a page that is not live, not even a redirect', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const site = createInMemorySite()
      for (const edits of all) await apply(site, edits)
      const live = new Set([...site.pages.values()].map(({ facts }) => facts.slug.split('-')[0]))
      for (const key of site.files.keys())
        if (/^(one|two|three)-/.test(key)) expect(live).toContain(key.split('-')[0])
    }),
    { numRuns: runs(100) },
  )
})

test('the manifest lists exactly the live pages, each with a file that exists', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const site = createInMemorySite()
      for (const edits of all) await apply(site, edits)
      const { pages } = JSON.parse(site.files.get('_index.json') ?? '{"pages":[]}')
      const listed: readonly { readonly slug: string; readonly file: string }[] = pages
      expect(listed.map(({ slug }) => slug).sort()).toEqual(
        [...site.pages.values()].map(({ facts }) => facts.slug).sort(),
      )
      for (const { file } of listed) expect(site.files.has(file)).toBe(true)
    }),
    { numRuns: runs(100) },
  )
})

test('publishing the same pages again uploads nothing and reports no change', async () => {
  const site = createInMemorySite()
  const pages = ['one', 'two'].map((id): Change => ({ op: 'publish', snapshot: snapshotFor(id) }))
  const first = await site.run(pages)
  const second = await site.run(pages)
  expect(first.commit.live.map(({ outcome }) => outcome.changed)).toEqual([true, true])
  expect(second.commit.live.map(({ outcome }) => outcome.changed)).toEqual([false, false])
  expect(second.plan.uploads).toEqual([])
  expect(second.plan.deletes).toEqual([])
  expect(second.commit.site.revision).toBe(first.commit.site.revision)
})

test('a page that moves leaves a redirect at its previous path', async () => {
  const site = createInMemorySite()
  await apply(site, [{ id: 'one', slug: 'x', title: 'First' }])
  await apply(site, [{ id: 'one', slug: 'y', title: 'First' }])
  expect(htmlAt(site, 'one-x')).toContain('Moved to /one-y')
  await apply(site, [{ id: 'one', slug: 'x', title: 'First' }])
  expect(htmlAt(site, 'one-x')).toContain('"title": "First')
  expect(htmlAt(site, 'one-y')).toContain('Moved to /one-x')
})

test('a batch that was interrupted is uploaded again in full', async () => {
  const site = createInMemorySite()
  const snapshot = snapshotFor('one')
  await site.run([{ op: 'publish', snapshot }])
  const again = await site.prepare([{ op: 'publish', snapshot, wasClaimed: true }])
  const keys = again.plan.uploads.map(({ artifact: { key } }) => key)
  expect(keys).toContain('one/index.html')
  expect(keys).toContain('_index.json')
})

test('a page that is damaged on the store is published again, and others of the batch are not', async () => {
  const site = createInMemorySite({ findDamaged: async () => new Set(['one/index.html']) })
  const pages = ['one', 'two'].map((id): Change => ({ op: 'publish', snapshot: snapshotFor(id) }))
  await site.run(pages)
  const again = await site.run(pages)
  expect(again.commit.live.map(({ outcome }) => outcome.changed)).toEqual([true, false])
  expect(again.plan.uploads.map(({ artifact: { key } }) => key)).toContain('one/index.html')
})

test('damage is looked for only in objects of unchanged pages that can be written again', async () => {
  const looked: string[] = []
  const site = createInMemorySite({
    findDamaged: async (objects) => {
      looked.push(...objects.map(({ key }) => key))
      return new Set()
    },
  })
  const publish = (id: string, title: string, own: object = {}): Change => {
    const snapshot = snapshotFor(id, { title })
    return { op: 'publish', snapshot: { ...snapshot, site: { ...snapshot.site, ...own } } }
  }
  const sealing = { hostingMode: 'data_mode', keyId: 'key' }
  await site.run([publish('one', 'A', sealing), publish('two', 'A', sealing)])
  const sealed = [...site.files.keys()].find((key) => key.endsWith('.json') && key.startsWith('one'))
  expect(sealed).toBeDefined()
  await site.run([publish('one', 'A'), publish('two', 'A')])
  looked.length = 0
  await site.run([publish('one', 'A'), publish('two', 'B')])
  expect(looked).toContain('one/index.html')
  expect(looked).not.toContain(sealed)
  expect(looked).not.toContain('two/index.html')
})
