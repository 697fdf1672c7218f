import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DocsContext, NavNode } from '../../../src/domain/live-page.ts'
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.ts'
import { navDigest, settingsDigest } from '../../../src/publish/pipeline/digests.ts'
import { livePage } from '../../support/live-page.ts'
import { runs } from '../../support/long-form.ts'
import { SETTING_CHANGES } from '../../support/other-settings.ts'

const title = fc.oneof(
  fc.string(),
  fc.constantFrom('"children":[]', '"branch":[]', '$&', "$'", '\\"children":[]'),
)
const path = fc.option(title)
const { node } = fc.letrec<{ node: NavNode; children: readonly NavNode[] }>((tie) => ({
  node: fc
    .record({ title, path, badge: path, children: tie('children') })
    .chain((made) => fc.constantFrom<NavNode>(made, { ...made, more: true })),
  children: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('node'), { maxLength: 3 })),
}))
const step = fc.record({ title, path })
const docs: fc.Arbitrary<DocsContext> = fc.record({
  home: title,
  branch: fc.array(node),
  breadcrumbs: fc.array(step),
  previous: fc.option(step),
  next: fc.option(step),
})

test('the navigation digest of a page does not depend on earlier calls', () => {
  fc.assert(
    fc.property(docs, (docs) => {
      const digest = createHash('sha256').update(JSON.stringify(docs)).digest('base64url')
      expect([navDigest(docs), navDigest(docs)]).toEqual([digest, digest])
      expect(navDigest({ ...docs, branch: [...docs.branch].reverse() })).toBe(
        createHash('sha256')
          .update(JSON.stringify({ ...docs, branch: [...docs.branch].reverse() }))
          .digest('base64url'),
      )
    }),
    { numRuns: runs(200) },
  )
})

test('every setting changes the digest of the settings, except those that no page shows or that have their own', () => {
  const { site } = livePage()
  const usual = settingsDigest(DEFAULT_SETTINGS, site)
  const same = SETTING_CHANGES.filter(
    ({ key, other }) => settingsDigest({ ...DEFAULT_SETTINGS, [key]: other }, site) === usual,
  )
  expect(same.map(({ key }) => key)).toEqual(['theme', 'mcp', 'docsNav', 'mediaRefresh'])
  expect(settingsDigest({ ...DEFAULT_SETTINGS }, { ...site, name: 'Other' })).not.toBe(usual)
})

test('settings whose values have their keys in another order have the same digest', () => {
  const { site } = livePage()
  const branding = { font: 'serif', primary_color: '#123456' }
  const reversed = Object.fromEntries(Object.entries(branding).reverse())
  expect(settingsDigest({ ...DEFAULT_SETTINGS, branding: reversed }, site)).toBe(
    settingsDigest({ ...DEFAULT_SETTINGS, branding }, site),
  )
})
