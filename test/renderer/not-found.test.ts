import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { NO_LISTINGS, type Renderer } from '../../src/renderer/renderer.ts'
import { loadThemes } from '../../src/theme/load-theme.ts'
import { livePage } from '../support/live-page.ts'

const themes = await loadThemes({
  themes: join(PACKAGE_ROOT, 'themes'),
  templates: join(PACKAGE_ROOT, 'themes/_shared'),
})

const anySite = fc
  .record({
    name: fc.constantFrom('Acme', 'Other'),
    theme: fc.constantFrom('default', 'dark', 'gone'),
    customCss: fc.constantFrom(null, 'a{color:red}'),
    lang: fc.constantFrom('en', 'de'),
  })
  .map(({ name, theme, customCss, lang }) =>
    livePage({ site: { name }, settings: { theme, customCss, branding: { lang } } }),
  )

async function notFoundOf(
  renderer: Renderer,
  { site, settings }: ReturnType<typeof livePage>,
): Promise<string> {
  const nothing = { revision: 1, lines: [], feed: [], trees: null, listings: NO_LISTINGS, docsOrder: [] }
  const artifacts = await renderer.renderSite({ ...nothing, site, settings })
  return String(artifacts.find(({ key }) => key === '404.html')?.body)
}

test('`404.html` depends on its site and its settings only, whatever was rendered before', async () => {
  const renderer = createInProcessRenderer(themes)
  await fc.assert(
    fc.asyncProperty(anySite, async (live) => {
      const fresh = await notFoundOf(createInProcessRenderer(themes), live)
      expect(fresh).toContain(live.site.name)
      expect(await notFoundOf(renderer, live)).toBe(fresh)
    }),
    { numRuns: 60 },
  )
})
