import { expect, test } from 'vitest'
import { readSite } from '../../src/content-folder/read-site.ts'
import { translationGaps } from '../../src/content-folder/translation-report.ts'
import { SAMPLE_SITES } from '../support/sample-sites.ts'

test('pages that a language lacks and translations that are older than their page are listed, and no others', async () => {
  const { site, errors } = await readSite(SAMPLE_SITES.languages)
  expect(errors).toEqual([])
  const { locales = [] } = site.settings
  const gaps = translationGaps(site.pages, { locales, siteRoutes: {}, versions: [] }, ({ source }) =>
    source === 'ar/docs/lamp.md' ? '2026-01-01T00:00:00.000Z' : '2026-01-02T00:00:00.000Z',
  )
  expect(gaps.map(({ state, locale, original }) => `${state} ${locale} ${original}`).sort()).toEqual([
    'missing ar blog/storm.md',
    'missing ar docs/fog.md',
    'missing fr docs/fog.md',
    'outdated ar docs/lamp.md',
  ])
})
