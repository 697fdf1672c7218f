import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltSite, serveBuiltSite } from './built-site.ts'
import { arrive, CHROMIUM, launchChromium } from './chromium.ts'
import { expectNoShift } from './layout-shift.ts'

if (CHROMIUM === null)
  console.info('Skipped: announcements that end. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

describe.skipIf(CHROMIUM === null)('a page that was built with an announcement', () => {
  let browser: Browser
  let site: BuiltSite

  beforeAll(async () => {
    browser = await launchChromium()
    const files = {
      'site.yaml':
        'name: Notes\nurl: https://notes.example\nannouncement: { text: Sale, until: "2099-12-24T18:00Z" }\n',
      'index.md': `---\ntitle: Home\n---\n${'A line of text.\n\n'.repeat(2000)}`,
    }
    site = await serveBuiltSite(files, 'default')
  })
  afterAll(async () => {
    await browser.close()
    await site.close()
  })

  test.each([
    ['shows it until its end', '2099-12-24T17:59:00Z', 1],
    ['hides it from its end on, and moves nothing', '2099-12-24T18:01:00Z', 0],
  ])('%s', async (_, now, shown) => {
    const tab = await browser.newPage()
    await tab.addInitScript(`Date.now = () => ${Date.parse(now)}`)
    await arrive(tab, `${site.origin}/`)
    expect(await tab.locator('.announcement').count()).toBe(shown)
    await expectNoShift(tab, 'an announcement')
    await tab.close()
  })
})
