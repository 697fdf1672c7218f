import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LONG_FORM, some } from '../support/long-form.ts'
import { startService, type TestService } from '../support/service.ts'
import { arrive, CHROMIUM, launchChromium } from './chromium.ts'

if (CHROMIUM === null)
  console.info(
    'Skipped: the API reference in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.',
  )

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

  test('sends requests to its own service only, and violates no policy', async () => {
    const page = await browser.newPage()
    const requests: string[] = []
    const messages: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => messages.push(message.text()))
    await arrive(page, `${service.url}/reference#createPage`)
    expect(requests.every((url) => url.startsWith(`${service.url}/`) || url.startsWith('data:'))).toBe(true)
    expect(requests).toContain(`${service.url}/reference/style.css`)
    expect(messages).toEqual([])
    await page.close()
  })

  test('shows an example in as many lines as it has', async () => {
    const page = await browser.newPage()
    await page.goto(`${service.url}/reference`)
    const lines = await page.evaluate<[number, number][]>(`
      [...document.querySelectorAll('#createPage pre')].map((sample) => {
        const range = document.createRange()
        range.selectNodeContents(sample)
        const lineHeight = parseFloat(getComputedStyle(sample).lineHeight)
        return [Math.round(range.getBoundingClientRect().height / lineHeight), sample.textContent.split('\\n').length]
      })
    `)
    expect(lines.length).toBeGreaterThan(1)
    for (const [shown, written] of lines) expect(shown).toBe(written)
    await page.close()
  })

  test.each(
    some<[number, 'light' | 'dark']>([
      [390, 'dark'],
      [1440, 'light'],
    ]),
  )('passes axe and fits into %s pixels, %s', async (width, colorScheme) => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    // The Content-Security-Policy of the page would block axe.
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true })
    await page.goto(`${service.url}/reference`)
    // axe is slow on all operations, so the short form checks one.
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

  test.runIf(LONG_FORM)('works by keyboard alone', async () => {
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
