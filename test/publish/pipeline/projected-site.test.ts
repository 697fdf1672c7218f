import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Snapshot } from '../../../src/domain/live-page.ts'
import type { Release } from '../../../src/domain/release.ts'
import type { ClaimedRelease, LiveVersion } from '../../../src/publish/decide/claimed-release.ts'
import { projectedSite } from '../../../src/publish/pipeline/projected-site.ts'
import { snapshotFor } from '../../support/live-site.ts'
import { runs } from '../../support/long-form.ts'

const NOW = '2026-03-03T10:00:00.000Z'

const claim = (snapshot: Snapshot, op: Release['op'] = 'publish', live: LiveVersion | null = null) =>
  ({
    release: { op, pageId: snapshot.page.id, snapshot } as Release,
    file: '',
    redirectFrom: [],
    formerPaths: [],
    replaces: null,
    live,
    firstPublishedAt: NOW,
  }) satisfies ClaimedRelease

/** The live state after publishing these pages. */
async function stateOf(snapshots: readonly Snapshot[]) {
  const empty = {
    site: async () => null,
    facts: async () => [],
    translations: async () => [],
    pagesAt: async () => [],
    cards: async () => [],
  }
  const [first] = snapshots
  if (first === undefined) return empty
  const { pages } = await projectedSite(
    first.site,
    snapshots.map((one) => claim(one)),
    NOW,
    empty,
  )
  return {
    site: async () => ({ revision: 1, site: first.site, settings: first.settings }),
    facts: async (_: unknown, type: string) =>
      pages.map(({ facts }) => facts).filter((facts) => facts.type === type),
    pagesAt: async (_: unknown, paths: readonly string[]) =>
      pages.map(({ facts }) => facts).filter(({ path }) => paths.includes(path)),
    translations: async (_: unknown, keys: readonly string[]) =>
      pages.map(({ facts }) => facts).filter(({ translated }) => keys.includes(translated?.key ?? '')),
    cards: async (_: unknown, type: string) =>
      pages.map(({ card }) => card).filter((card) => card.type === type),
  }
}

const docsPage = (id: string, title = id) => snapshotFor(id, { type: 'docs', subroute: 'docs', title })
const posts = { config: { sections: [{ type: 'posts', source: 'article', limit: 10 }] } }
const blog = snapshotFor('blog', { slug: 'blog', ...posts })
const article = (id: string) => snapshotFor(id, { type: 'article', subroute: 'news', title: `News ${id}` })

async function contextOf(shown: Snapshot, batch: readonly ClaimedRelease[], live: readonly Snapshot[]) {
  const site = await projectedSite(shown.site, batch, NOW, await stateOf(live))
  const page = site.pages.find(({ facts }) => facts.id === shown.page.id)
  if (page === undefined) throw new Error('The page is not in the batch.')
  return site.inContext(page).context
}

describe('a page of a batch', () => {
  test('shows the same navigation whether the others are live already or in the batch', async () => {
    const names = ['guide', 'install', 'tutorial', 'upgrade']
    await fc.assert(
      fc.asyncProperty(fc.subarray(names), fc.constantFrom(...names), async (inBatch, shownName) => {
        const shown = docsPage(shownName)
        const others = names.filter((name) => name !== shownName)
        const batched = others.filter((name) => inBatch.includes(name)).map((name) => docsPage(name))
        const live = others.filter((name) => !inBatch.includes(name)).map((name) => docsPage(name))
        const mixed = await contextOf(
          shown,
          [shown, ...batched].map((one) => claim(one)),
          live,
        )
        const alone = await contextOf(
          shown,
          [claim(shown)],
          others.map((name) => docsPage(name)),
        )
        expect(mixed.docs).toEqual(alone.docs)
      }),
      { numRuns: runs(200) },
    )
  })

  test('shows the batch version of a page that is live in another version', async () => {
    const shown = docsPage('guide')
    const batch = [claim(shown), claim(docsPage('install', 'Installation'))]
    const { docs } = await contextOf(shown, batch, [docsPage('install', 'Old title')])
    expect(JSON.stringify(docs)).toContain('Installation')
    expect(JSON.stringify(docs)).not.toContain('Old title')
  })

  test('does not show a page that the batch removes', async () => {
    const shown = docsPage('guide')
    const removed = docsPage('install')
    const batch = [claim(shown), claim(removed, 'unpublish')]
    const { docs } = await contextOf(shown, batch, [removed, docsPage('tutorial')])
    expect(JSON.stringify(docs)).toContain('tutorial')
    expect(JSON.stringify(docs)).not.toContain('install')
  })

  test('lists live articles and those of the batch in its collections, and never itself', async () => {
    const { collections } = await contextOf(blog, [claim(blog), claim(article('b'))], [article('a')])
    const titles = [...collections.values()].flat().map(({ title }) => title)
    expect(titles.sort()).toEqual(['News a', 'News b'])
  })
})

describe('the indexes of a batch', () => {
  test('have the settings of the newest publish', async () => {
    const older = docsPage('guide')
    const newer = { ...docsPage('install'), settings: { ...older.settings, footerText: 'Newer' } }
    const site = await projectedSite(older.site, [claim(older), claim(newer)], NOW, await stateOf([]))
    expect(site.next.settings.footerText).toBe('Newer')
  })

  test('keep the live settings in a rollback, which restores those of its page only', async () => {
    const live = { ...docsPage('guide'), settings: { ...docsPage('guide').settings, footerText: 'Live' } }
    const restored = docsPage('guide')
    const site = await projectedSite(live.site, [claim(restored, 'rollback')], NOW, await stateOf([live]))
    expect(site.next.settings.footerText).toBe('Live')
  })

  test('contain no navigation when the batch has no docs pages', async () => {
    const { trees } = await projectedSite(blog.site, [claim(blog)], NOW, await stateOf([docsPage('guide')]))
    expect(trees).toBeNull()
  })
})
