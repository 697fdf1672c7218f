import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltSite, serveBuiltSite } from './built-site.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'

if (CHROMIUM === null)
  console.info(
    'Skipped: pages of other sites in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.',
  )

const FILES = {
  'site.yaml': 'name: Talks\nurl: https://talks.example\n',
  'index.md': '# Talks\n\n::youtube[dQw4w9WgXcQ]{title="How trams ring"}\n\nText.\n',
  'plain.md': '# Plain\n\nText.\n',
}

describe.skipIf(CHROMIUM === null)('a video of YouTube on a page', () => {
  let browser: Browser
  let site: BuiltSite

  beforeAll(async () => {
    ;[browser, site] = await Promise.all([launchChromium(), serveBuiltSite(FILES, 'default')])
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  async function open(path: string, javaScriptEnabled = true) {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 800, height: 900 } })
    const page = await context.newPage()
    const foreign: string[] = []
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    await context.route('**/*', async (route) => {
      const url = route.request().url()
      if (url.startsWith(site.origin)) return route.continue()
      foreign.push(url)
      await route.fulfill({ contentType: 'text/html', body: '<title>Player</title>' })
    })
    await page.goto(site.origin + path)
    return { page, foreign, messages }
  }

  test('requests nothing of YouTube before a click, and then its player alone, in the same place', async () => {
    const { page, foreign, messages } = await open('/')
    const link = page.getByRole('link', { name: 'How trams ring' })
    const before = await link.boundingBox()
    expect(foreign).toEqual([])
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
    const { violations } = await page.evaluate<AxeResults>('axe.run()')
    expect(violations).toEqual([])

    await link.press('Enter')
    const frame = page.locator('iframe')
    await expect.poll(() => frame.getAttribute('title')).toBe('How trams ring')
    await expect
      .poll(() => foreign)
      .toEqual(['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1'])
    expect(await frame.boundingBox()).toEqual(before)
    await expect.poll(() => page.frames().length).toBe(2)
    expect(messages).toEqual([])
  })

  test('is a link to it without JavaScript', async () => {
    const { page } = await open('/', false)
    expect(await page.getByRole('link', { name: 'How trams ring' }).getAttribute('href')).toBe(
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    )
  })

  test('lets no frame into other pages', async () => {
    const policyOf = async (path: string) => {
      const { page } = await open(path)
      return page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content')
    }
    expect(await policyOf('/')).toContain('frame-src https://www.youtube-nocookie.com;')
    expect(await policyOf('/plain/')).not.toContain('frame-src')
  })
})
