import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { arrive, CHROMIUM, launchChromium, watchRequests } from './chromium.ts'

/** Of a browser with a window: one without is counted as an agent. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const DOMAIN = 'counted.example'

if (CHROMIUM === null)
  console.info('Skipped: visits in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

describe.skipIf(CHROMIUM === null)('a reader of a site that counts visits', () => {
  let service: TestService
  let browser: Browser
  let reader: BrowserContext
  let project: string
  let site: string
  const complaints: string[] = []

  beforeAll(async () => {
    service = await startService()
    browser = await launchChromium()
    project = await service.newProject('Counted')
    await service.call('PUT', `/projects/${project}/settings`, { visits: 'count' })
    for (const [slug, markdown_content] of [
      ['index', 'Welcome. See [install](/docs/install).'],
      ['install', 'How to install.'],
    ] as const) {
      const body = pageBody(project, {
        type: 'docs',
        slug,
        subroute: slug === 'index' ? '' : 'docs',
        markdown_content,
      })
      const { id } = (await service.call('POST', '/pages', body)).body.data
      expect((await service.call('POST', `/pages/${id}/publish`)).status).toBe(200)
    }
    site = `${service.url}/public/${project}`
    reader = await browser.newContext({ userAgent: USER_AGENT })
  })
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  async function open(path: string) {
    const tab = await reader.newPage()
    tab.on('console', (message) => {
      if (/Content Security Policy|_visits/.test(message.text())) complaints.push(message.text())
    })
    await arrive(tab, site + path)
    return tab
  }

  async function visits() {
    await service.server.service.storeVisits()
    return (await service.call('GET', `/projects/${project}/visits`)).body.data
  }

  test('is counted once for each page that is shown, also by a link that was loaded in advance', async () => {
    const tab = await open('/')
    const link = tab.locator('main a', { hasText: 'install' }).first()
    await link.hover()
    const requests = watchRequests(tab)
    const reported = tab.waitForRequest((request) => request.url().endsWith('/_visits'))
    await link.click()
    await reported
    await requests.quiet()
    await tab.close()
    const { pages, not_found, totals } = await visits()
    expect(pages).toEqual([
      { path: '/', people: 1, agents: 0 },
      { path: '/docs/install', people: 1, agents: 0 },
    ])
    expect([not_found, totals.pages]).toEqual([[], { people: 2, agents: 0 }])
  })

  test('at an address without a page is counted as such', async () => {
    const tab = await open('/docs/gone/')
    await tab.close()
    expect((await visits()).not_found).toEqual([{ path: '/docs/gone', people: 1, agents: 0 }])
  })

  test('is counted after a search without results when the words stay, not for each letter', async () => {
    for (let search = 1; search <= 3; search++) {
      const tab = await open('/')
      await tab.locator('.search-open').click()
      await tab.locator('.search-input:focus').waitFor()
      const reported = tab.waitForRequest(
        (request) => request.url().endsWith('/_visits') && (request.postData() ?? '').includes('search'),
        { timeout: 0 },
      )
      await tab.locator('.search-input').pressSequentially('zyzzyva')
      const request = await reported
      expect(request.postData()).toBe('{"search":"zyzzyva"}')
      await request.response()
      await tab.close()
    }
    const { searches, totals } = await visits()
    expect([searches, totals.searches]).toEqual([[{ term: 'zyzzyva', count: 3 }], 3])
  })

  test('has no cookie and nothing in storage, and the policy of the pages holds', async () => {
    const tab = await open('/docs/install/')
    await tab.close()
    expect(await reader.cookies()).toEqual([])
    expect(await reader.storageState()).toEqual({ cookies: [], origins: [] })
    expect(complaints).toEqual([])
  })

  test('on a host of its own, below a path, is counted too', async () => {
    const hosting = { mode: 'rewrite', custom_domain: DOMAIN, base_path: '/help' }
    await service.call('PUT', `/projects/${project}`, { hosting })
    const { port } = new URL(service.url)
    const own = await browser.newContext({ userAgent: USER_AGENT })
    const tab = await own.newPage()
    const before = (await visits()).totals
    // The host leads here: its requests are sent to the service with their own name.
    await tab.route(`http://${DOMAIN}/**`, async (route) => {
      const url = route.request().url().replace(DOMAIN, `127.0.0.1:${port}`)
      const answer = await route.fetch({ url, headers: { ...route.request().headers(), host: DOMAIN } })
      await route.fulfill({ response: answer })
    })
    await arrive(tab, `http://${DOMAIN}/help/docs/install/`)
    await arrive(tab, `http://${DOMAIN}/elsewhere/`)
    await own.close()
    const after = (await visits()).totals
    expect(after.pages.people - before.pages.people).toBe(1)
    expect(after.not_found.people - before.not_found.people).toBe(0)
  })
})
