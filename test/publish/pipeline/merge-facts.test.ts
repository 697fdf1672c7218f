import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Id } from '../../../src/domain/ids.ts'
import type { LiveFacts } from '../../../src/domain/live-page.ts'
import { mergeFacts } from '../../../src/publish/pipeline/merge-facts.ts'

function factsOf(id: string, title: string): LiveFacts {
  return {
    id: id as Id<'page'>,
    title,
    slug: id,
    subroute: '',
    type: 'docs',
    path: `/${id}`,
    navOrder: 0,
    parentPage: null,
    badge: null,
  }
}

const site = fc.dictionary(fc.constantFrom(...'abcdef'), fc.constantFrom('One', 'Two'))
const listed = (pages: Readonly<Record<string, string>>) =>
  Object.entries(pages).map(([id, title]) => factsOf(id, title))
const titles = (facts: readonly LiveFacts[]) => Object.fromEntries(facts.map(({ id, title }) => [id, title]))

test('merging keeps untouched pages and adds those of the batch', () => {
  fc.assert(
    fc.property(site, site, fc.subarray([...'abcdef']), (live, added, gone) => {
      const touched = new Set([...gone, ...Object.keys(added)])
      const kept = Object.fromEntries(Object.entries(live).filter(([id]) => !touched.has(id)))
      expect(titles(mergeFacts(listed(live), touched, listed(added)))).toEqual({ ...kept, ...added })
    }),
  )
})

test('merging returns the same array exactly when nothing changes', () => {
  fc.assert(
    fc.property(site, fc.subarray([...'abcdef']), fc.boolean(), (live, chosen, rename) => {
      const facts = listed(live)
      const again = facts.filter(({ id }) => chosen.includes(id))
      const added = rename ? again.map((page) => ({ ...page, title: 'Renamed' })) : again
      const touched = new Set(again.map(({ id }) => id as string))
      expect(mergeFacts(facts, touched, added) === facts).toBe(!rename || again.length === 0)
    }),
  )
})
