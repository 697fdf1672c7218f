import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../../src/domain/json.ts'
import type { Collections } from '../../../src/domain/live-page.ts'
import { relativeLinks } from '../../../src/render/links/links.ts'
import { createRendering, LAYOUT_IDS } from '../../../src/render/page/rendering.ts'
import { renderSections } from '../../../src/render/sections/render-sections.ts'
import { anySection } from '../../support/live-page.ts'
import { createPlainTheme } from '../../support/plain-theme.ts'
import { SECTION_FIXTURES, sectionFixture } from '../../support/section-fixture.ts'

function render(sections: readonly JsonValue[], collections: Collections = new Map()) {
  const theme = createPlainTheme()
  const rendering = createRendering(relativeLinks('/pricing'))
  const { html, hasOwnHeading } = renderSections({ sections, lang: 'en', collections }, theme, rendering)
  return { html, hasOwnHeading, views: theme.views.sections, warnings: rendering.warnings }
}

// Each folder holds sections.json and the views that a theme receives; `vitest -u` rewrites the views for
// review.
test.each(readdirSync(SECTION_FIXTURES))('the sections of %s render as stored', async (name) => {
  const { sections, collections } = sectionFixture(name)
  const { hasOwnHeading, views, warnings } = render(sections, collections)
  const seen = JSON.stringify({ hasOwnHeading, views, warnings }, null, 2)
  await expect(`${seen}\n`).toMatchFileSnapshot(new URL(`${name}/views.json`, SECTION_FIXTURES).pathname)
})

test('the sections of a page are rendered in order', () => {
  const { html, views } = render([
    { type: 'hero', title: 'A' },
    { type: 'cta', title: 'B' },
  ])
  expect(html.indexOf('"A"')).toBeLessThan(html.indexOf('"B"'))
  expect(views.map(({ type }) => type)).toEqual(['hero', 'cta'])
})

test('ids are unique and differ from those of the layout', () => {
  fc.assert(
    fc.property(fc.array(anySection(), { maxLength: 6 }), (sections) => {
      const { views } = render(sections)
      const ids = [...LAYOUT_IDS, ...views.map(({ id }) => id)]
      const inHtml = views.flatMap((view) => [...JSON.stringify(view).matchAll(/ id=\\"([^"\\]+)\\"/g)])
      const all = [...ids, ...inHtml.map(([, id]) => id)]
      expect(new Set(all).size).toBe(all.length)
    }),
  )
})

test('hiding a section changes no id of another', () => {
  const ids = (hidden: boolean) =>
    render([
      { type: 'cta', title: 'A', hidden },
      { type: 'cta', title: 'B' },
    ]).views.map(({ id }) => id)
  expect(ids(false)).toEqual(['cta-1', 'cta-2'])
  expect(ids(true)).toEqual(['cta-2'])
})
