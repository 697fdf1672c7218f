import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LONG_FORM, some } from '../support/long-form.ts'
import { startService, type TestService } from '../support/service.ts'
import { arrive, CHROMIUM, launchChromium } from './chromium.ts'

if (CHROMIUM === null)
  console.info('Skipped: the API reference in a browser. There is no Chromium; QUOIN_CHROMIUM can name one.')

describe.skipIf(CHROMIUM === null)('the API reference in a browser', () => {
  let service: TestService
  let browser: Browser

  beforeAll(async () => {
    service = await startService()
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  test('asks nobody but its own service, and breaks no policy', async () => {
    const page = await browser.newPage()
    const asked: string[] = []
    const said: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => said.push(message.text()))
    await arrive(page, `${service.url}/reference#createPage`)
    expect(asked.every((url) => url.startsWith(`${service.url}/`) || url.startsWith('data:'))).toBe(true)
    expect(asked).toContain(`${service.url}/reference/style.css`)
    expect(said).toEqual([])
    await page.close()
  })

  test.each(
    some<[number, 'light' | 'dark']>([
      [390, 'dark'],
      [1440, 'light'],
    ]),
  )('has no fault axe finds and stays within %s pixels, %s', async (width, colorScheme) => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    // The policy of the page would keep axe out as well.
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true })
    await page.goto(`${service.url}/reference`)
    // All of them at once keep axe busy for a while.
    const part = LONG_FORM ? 'body' : '#createPage'
    await page.evaluate(
      `document.querySelectorAll('${part} details').forEach((details) => { details.open = true })`,
    )
    await page.addScriptTag({ content: axe })
    const { violations } = (await page.evaluate(`axe.run('${part}')`)) as AxeResults
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.failureSummary])).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await page.close()
  })

  test.runIf(LONG_FORM)('is read and searched by keyboard alone', async () => {
    const page = await browser.newPage()
    await page.goto(`${service.url}/reference`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('location.hash')).toBe('#content')
    await page.locator('#createPage details summary').first().focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('#createPage details').first().getAttribute('open')).toBe('')
    await page.close()
  })
})
