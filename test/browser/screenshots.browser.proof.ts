import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { arrive, CHROMIUM, launchChromium, watchRequests } from './chromium.ts'
import { serveSampleSite } from './sample-site.ts'

/** Folder for screenshots; without it the test is skipped. `QUOIN_SHOTS_OF` is a filter, e.g. `dark-docs`. */
const folder = process.env['QUOIN_SHOTS'] ?? ''
const wanted = new RegExp(process.env['QUOIN_SHOTS_OF'] ?? '')

describe.skipIf(folder === '' || CHROMIUM === null)('screenshots', () => {
  test('show each theme, page, width and colour scheme', { timeout: 0 }, async () => {
    await mkdir(folder, { recursive: true })
    const site = await serveSampleSite()
    const browser = await launchChromium()
    try {
      for (const path of site.paths) {
        for (const [width, height] of [
          [1440, 900],
          [390, 844],
        ] as const) {
          for (const colorScheme of ['light', 'dark'] as const) {
            const name = `${path.slice(1).replace('/', '-')}-${width}-${colorScheme}`
            if (!wanted.test(name)) continue
            const page = await browser.newPage({
              viewport: { width, height },
              colorScheme,
              reducedMotion: 'reduce',
            })
            await arrive(page, site.origin + path)
            const requests = watchRequests(page)
            // Lazy images would load only when scrolled into view.
            await page.evaluate(
              "document.querySelectorAll('img').forEach((image) => { image.loading = 'eager' })",
            )
            await requests.quiet()
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
            await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
            await page.close()
          }
        }
      }
    } finally {
      await browser.close()
      await site.close()
    }
  })
})
