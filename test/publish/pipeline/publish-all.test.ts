import { expect, test } from 'vitest'
import type { SiteIdentity } from '../../../src/domain/live-page.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../../src/domain/settings.ts'
import { snapshotOf } from '../../../src/page-text/snapshot.ts'
import { createInProcessRenderer } from '../../../src/renderer/in-process.ts'
import { loadThemes } from '../../../src/theme/load-theme.ts'
import { createInMemorySite, snapshotFor } from '../../support/live-site.ts'
import { some } from '../../support/long-form.ts'
import { LOCALE_CHANGES, SETTING_CHANGES } from '../../support/other-settings.ts'
import { FOLDERS } from '../../theme/load-built-in.ts'

const renderer = createInProcessRenderer(await loadThemes(FOLDERS))

const article = (id: string, subroute: string, ownFields: object) =>
  snapshotFor(id, { type: 'article', subroute, ownFields: { publishDate: '2026-01-02', ...ownFields } })

const PAGES = [
  snapshotFor('home', { slug: 'index', config: { sections: [{ type: 'posts', source: 'blog' }] } }),
  snapshotFor('about', { markdown: 'Of {{ product }}.' }),
  snapshotFor('rules', { type: 'docs', subroute: 'docs' }),
  snapshotFor('install', { type: 'docs', subroute: 'docs' }),
  article('one', 'blog', { tags: ['Rail'], author: { name: 'ines' }, series: { name: 'By train' } }),
  article('two', 'blog', { tags: ['Rail', 'Sea'], series: { name: 'By train' } }),
  article('three', 'news', { tags: ['Sea'], changelog: { version: '1.0' } }),
  article('eins', 'de/blog', { tags: ['Bahn'] }),
].map(({ page }) => page)

const SITE = snapshotFor('any').site
const BASE: Settings = { ...DEFAULT_SETTINGS, data: { authors: { ines: { name: 'Ines Marlow' } } } }

interface Published {
  readonly settings: Settings
  readonly site: SiteIdentity
}

const CHANGES: readonly (readonly [name: string, next: Published])[] = [
  ...SETTING_CHANGES.map(
    ({ key, other }) => [key, { settings: { ...BASE, [key]: other }, site: SITE }] as const,
  ),
  ...LOCALE_CHANGES.map(
    ({ name, fields }) => [name, { settings: { ...BASE, ...fields }, site: SITE }] as const,
  ),
  ['the name', { settings: BASE, site: { ...SITE, name: 'Tracks' } }],
  ['the address', { settings: BASE, site: { ...SITE, origin: 'https://tracks.example' } }],
]

test('publishing all pages after a change of the site writes what a first publish of them would', async () => {
  const wrong: Record<string, readonly string[]> = {}
  const site = createInMemorySite({ renderer })
  await publishAll(site, { settings: BASE, site: SITE })
  const tried = some(CHANGES)
  for (const [name, next] of tried) {
    await publishAll(site, next)
    const fresh = createInMemorySite({ renderer })
    await publishAll(fresh, next)
    const [actual, expected] = [documentsOf(site.files), documentsOf(fresh.files)]
    const keys = [...new Set([...actual.keys(), ...expected.keys()])]
    wrong[name] = keys.filter((key) => actual.get(key) !== expected.get(key))
  }
  expect(wrong).toEqual(Object.fromEntries(tried.map(([name]) => [name, []])))
})

function publishAll(to: ReturnType<typeof createInMemorySite>, { settings, site }: Published) {
  return to.run(PAGES.map((page) => ({ op: 'publish', snapshot: snapshotOf(page, settings, site) })))
}

/** All files but those of the theme, redirects from addresses that pages have left, and times. */
function documentsOf(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const documents = [...files].filter(
    ([key, text]) => !key.startsWith('_assets/') && !text.includes('http-equiv="refresh"'),
  )
  return new Map(documents.map(([key, text]) => [key, text.replace(TIMES, '')]))
}

const TIMES = /"(?:revision|published_at|updated_at|etag|generated_at)":\s*(?:\d+|"[^"]*")/g
