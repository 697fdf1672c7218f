import fc from 'fast-check'
import { expect, test } from 'vitest'
import { navNodeViews } from '../../../src/render/docs/docs-view.ts'
import { absoluteLinks, relativeLinks } from '../../../src/render/links/links.ts'
import { createRendering } from '../../../src/render/page/rendering.ts'
import { anyLivePage } from '../../support/live-page.ts'

const documents = fc.array(
  fc.oneof(
    fc.constantFrom('/', '/docs', '/docs/a', '/docs/a/b').map(relativeLinks),
    fc.constant(absoluteLinks('https://acme.example')),
  ),
  { minLength: 1, maxLength: 6 },
)

test('the view of a navigation does not depend on earlier documents with the same nodes', () => {
  fc.assert(
    fc.property(
      anyLivePage(),
      documents,
      fc.infiniteStream(fc.nat()),
      ({ context: { docs } }, all, picks) => {
        const branch = docs?.branch ?? []
        const paths = [null, ...branch.map(({ path }) => path)]
        for (const links of all) {
          const current = paths[picks.next().value % paths.length] ?? null
          const rendering = createRendering(links)
          const fresh = navNodeViews(structuredClone(branch), current, rendering)
          expect(navNodeViews(branch, current, rendering)).toEqual(fresh)
        }
      },
    ),
  )
})
