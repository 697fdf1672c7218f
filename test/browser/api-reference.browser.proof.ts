import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SHOP } from '../openapi/shop-api.ts'
import { checkAxe } from './axe.ts'
import { type BuiltSite, serveBuiltSite } from './built-site.ts'
import { arrive, CHROMIUM, launchChromium } from './chromium.ts'

if (CHROMIUM === null)
  console.info('Skipped: API references. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

/** Another description to hold to the same, and paths of its pages, separated by commas. */
const { QUOIN_TEST_OPENAPI: file, QUOIN_TEST_OPENAPI_PAGES: paths } = process.env
const DESCRIPTION = file === undefined ? JSON.stringify(SHOP) : readFileSync(file, 'utf8')
const NAME = file?.endsWith('.yaml') ? 'api.yaml' : 'api.json'
const PAGES = paths?.split(',') ?? [
  'docs/api/',
  'docs/api/orders/',
  'docs/api/orders/get-order/',
  'docs/api/orders/create-order/',
]

describe.skipIf(CHROMIUM === null)('the pages of an API reference', () => {
  let browser: Browser
  let site: BuiltSite
  beforeAll(async () => {
    browser = await launchChromium()
    site = await serveBuiltSite(
      {
        'site.yaml': 'name: Reference\n',
        'index.md': '# Home\n',
        'docs/api/index.md': `---\ntitle: API\n---\n\n::openapi{file="${NAME}"}\n`,
        [`docs/api/${NAME}`]: DESCRIPTION,
      },
      'default',
    )
  })
  afterAll(async () => {
    await browser.close()
    await site.close()
  })

  test.each(PAGES)('%s passes axe at two widths, with everything open', async (path) => {
    for (const width of [390, 1280]) {
      const context = await browser.newContext({ viewport: { width, height: 800 }, bypassCSP: true })
      const page = await context.newPage()
      await arrive(page, `${site.origin}/${path}`)
      await checkAxe(page, path, width)
      await page.evaluate(
        `document.querySelectorAll('article details').forEach((box) => { box.open = true })`,
      )
      await checkAxe(page, `${path}, open`, width)
      await context.close()
    }
  })

  test.skipIf(file !== undefined)('nested properties open without JavaScript', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await arrive(page, `${site.origin}/docs/api/orders/create-order/`)
    const nested = page.getByText('address', { exact: true }).first()
    expect(await nested.isVisible()).toBe(false)
    await page.locator('summary', { hasText: 'Invoice' }).first().click()
    expect(await nested.isVisible()).toBe(true)
    await context.close()
  })
})
