import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { namesOf } from './view-reference.ts'

const source = readFileSync(new URL('../../src/theme/view.ts', import.meta.url), 'utf8')
const guide = readFileSync(
  new URL('../../templates/docs-site/docs/guides/write-a-theme.md', import.meta.url),
  'utf8',
)

/** Values that rows for all templates, or for all layouts, name. */
const EVERYWHERE = ['lang', 'href', 'data', 'markdown']
const IN_LAYOUTS = [...EVERYWHERE, 'dir', 'site']

test.each([
  ['`layouts/page`', 'PageView', IN_LAYOUTS],
  ['`layouts/listing`', 'ListingView', IN_LAYOUTS],
  ['`layouts/tags`', 'TagsView', IN_LAYOUTS],
  ['`layouts/nav-page`', 'NavPageView', IN_LAYOUTS],
  ['`layouts/not-found`', 'NotFoundView', IN_LAYOUTS],
  ['`sections/…`', 'SectionView', EVERYWHERE],
  ['`it.page`', 'ContentView', []],
  ['`it.site`', 'SiteView', EVERYWHERE],
  ['`it.docs`', 'DocsView', []],
  ['`it.neighbours`', 'NeighboursView', []],
])('the guide names in its row for %s every value of %s and no other', (row, view, known) => {
  const cells = guide.split('\n').find((line) => line.startsWith(`| ${row}`))
  const [, values = ''] = cells?.split(' | ') ?? []
  const named = [...values.replace(/\(with .*?\)/, '').matchAll(/`(?:it\.)?(\w+)`/g)].map(([, name]) => name)
  expect(named.toSorted()).toEqual(
    namesOf(view, source)
      .filter((name) => !known.includes(name))
      .toSorted(),
  )
})
