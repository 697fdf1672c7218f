import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { arrive, CHROMIUM, launchChromium } from './chromium.ts'

if (CHROMIUM === null)
  console.info('Skipped: dark mode. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

describe.skipIf(CHROMIUM === null)(
  'the choice of dark mode under /public, whose sandbox has no storage',
  () => {
    let service: TestService
    let browser: Browser
    let site: string

    beforeAll(async () => {
      service = await startService()
      browser = await launchChromium()
      const project = await service.newProject('Acme')
      await service.call('PUT', `/projects/${project}/settings`, {
        nav_links: [{ label: 'Other', href: '/docs/other' }],
      })
      for (const slug of ['one', 'other']) {
        const body = pageBody(project, {
          ...{ title: slug, slug, subroute: 'docs', type: 'docs' },
          markdown_content: '[A part](#part) and [elsewhere](https://example.com/).\n\n## Part\n\nText.',
        })
        const { id } = (await service.call('POST', '/pages', body)).body.data
        expect((await service.call('POST', `/pages/${id}/publish`)).status).toBe(200)
      }
      site = `${service.url}/public/${project}/`
    })
    afterAll(async () => {
      await browser.close()
      await service.close()
    })

    /** Notes the scheme of each document when it is first painted. */
    async function visit(): Promise<{ page: Page; painted: () => Promise<string[]>; problems: string[] }> {
      const page = await browser.newPage({ colorScheme: 'light' })
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(String(error)))
      await page.addInitScript(`new MutationObserver((_, seen) => {
      if (!document.body) return
      seen.disconnect()
      window.firstScheme = document.documentElement.dataset.scheme
    }).observe(document, { childList: true, subtree: true })`)
      await arrive(page, `${site}docs/one/`)
      return {
        page,
        painted: () =>
          page.evaluate('[window.firstScheme, getComputedStyle(document.documentElement).colorScheme]'),
        problems,
      }
    }

    test('follows links and survives a reload, without a flash of the other', async () => {
      const { page, painted, problems } = await visit()
      expect(
        await page.evaluate("(() => { try { return !!localStorage } catch { return 'refused' } })()"),
      ).toBe('refused')
      await page.click('.scheme')
      expect(await page.getAttribute('html', 'data-scheme')).toBe('dark')
      await page.reload()
      expect(await painted()).toEqual(['dark', 'dark'])
      await page.click('.site-nav a')
      await page.waitForURL(/\/docs\/other\//)
      expect(await painted()).toEqual(['dark', 'dark'])
      await page.reload()
      expect(await painted()).toEqual(['dark', 'dark'])
      await page.goBack()
      expect(await page.getAttribute('html', 'data-scheme')).toBe('dark')
      expect(problems).toEqual([])
      await page.close()
    })

    test('ends when the reader follows the system again, and then the address is plain again', async () => {
      const { page } = await visit()
      for (const scheme of ['dark', 'light', null]) {
        await page.click('.scheme')
        expect(new URL(page.url()).searchParams.get('scheme')).toBe(scheme)
      }
      expect(new URL(page.url()).search).toBe('')
      await page.click('.site-nav a')
      await page.waitForURL(/\/docs\/other\/$/)
      expect(await page.getAttribute('html', 'data-scheme')).toBe('light')
      await page.close()
    })

    test('is not told to other sites, and leaves links within the page alone', async () => {
      const { page } = await visit()
      await page.click('.scheme')
      await page.route('https://example.com/**', (route) => route.fulfill({ body: 'Elsewhere' }))
      await page.click('main a[href$="#part"]')
      expect(new URL(page.url()).hash).toBe('#part')
      await page.click('main a[href^="https://example.com"]')
      await page.waitForURL('https://example.com/')
      await page.close()
    })

    test('takes nothing but light and dark from an address', async () => {
      const page = await browser.newPage({ colorScheme: 'light' })
      await arrive(page, `${site}docs/one/?scheme=%22%3E%3Cscript%3E`)
      expect(await page.getAttribute('html', 'data-scheme')).toBe('light')
      await page.close()
    })
  },
)
