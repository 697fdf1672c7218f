import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DashboardClient, PASSWORD, signedIn } from '../support/dashboard.ts'
import { some } from '../support/long-form.ts'
import { flatPng } from '../support/pictures.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { CHROMIUM, launchChromium, leaveByEnter } from './chromium.ts'

if (CHROMIUM === null)
  console.info('Skipped: the dashboard in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

/** Of a page with its style sheet and scripts, compressed as browsers ask for them. */
const PAGE_BUDGET = 40 * 1024
const EDITOR_BUDGET = 150 * 1024

describe.skipIf(CHROMIUM === null)('the dashboard in a browser', () => {
  let service: TestService
  let browser: Browser
  let owner: DashboardClient
  let project: string
  let views: readonly string[]

  beforeAll(async () => {
    service = await startService()
    browser = await launchChromium()
    owner = await signedIn(service)
    project = await service.newProject('Field notes')
    const pages: string[] = []
    for (const index of [0, 1, 2]) {
      const fields = {
        title: `Walk ${index} along the harbour`,
        slug: `walk-${index}`,
        subroute: 'walks',
        markdown_content: '# Walk\n\nAlong the sea.',
      }
      pages.push((await service.call('POST', '/pages', pageBody(project, fields))).body.data.id)
    }
    await service.call('POST', `/pages/${pages[0]}/publish`)
    await service.call('PUT', `/pages/${pages[0]}`, { markdown_content: '# Changed' })
    const { location } = await owner.upload(
      `/dashboard/projects/${project}/media`,
      'harbour.png',
      flatPng(64, 48),
      { alt: 'The harbour' },
    )
    const at = `/dashboard/projects/${project}`
    await owner.post(`${at}/members`, { email: 'ada@example.com', role: 'editor' })
    const links = {
      nav_links: [{ label: 'Walks', href: '/walks' }],
      docs_nav: [{ title: 'Start' }],
      visits: 'count',
    }
    await service.call('PUT', `/projects/${project}/settings`, links)
    const redirect = { from: '/old/walk', to: 'https://example.org/walks' }
    await service.call('POST', `/projects/${project}/redirects`, redirect)
    const domain = { hosting: { custom_domain: 'www.example.org' } }
    await service.call('PUT', `/projects/${project}`, domain)
    const hook = await service.call('POST', `/projects/${project}/webhooks`, { url: 'https://hooks.invalid' })
    const config = {
      sections: [
        { type: 'hero', title: 'A' },
        { type: 'faq', items: [{ question: 'Why?' }] },
      ],
    }
    const sections = await service.call(
      'POST',
      '/pages',
      pageBody(project, { type: 'page', slug: 's', config }),
    )
    const webhook = `${at}/webhooks/${hook.body.data.id}`
    await owner.post(`${webhook}/test`)
    for (const path of ['/walks', '/none', `/${'long'.repeat(60)}`])
      await fetch(`${service.url}/public/${project}/_visits`, {
        method: 'POST',
        body: JSON.stringify({ path }),
      })
    await service.server.service.storeVisits()
    views = [
      '/dashboard/projects',
      '/dashboard/start',
      `${at}/review`,
      `${at}/pages/${sections.body.data.id}/sections`,
      `${at}/pages/${sections.body.data.id}`,
      `${at}/pages/${pages[0]}/publish`,
      `${at}/pages/${pages[1]}/publish`,
      `${at}/pages/${pages[0]}/compare`,
      at,
      `${at}/pages`,
      `${at}/pages?q=nothing`,
      `${at}/redirects`,
      `${at}/pages/new`,
      `${at}/pages/${pages[0]}`,
      `${at}/pages/${pages[1]}?done=pageSaved`,
      `${at}/pages/${pages[0]}/preview`,
      `${at}/pages/${pages[0]}/releases`,
      `${at}/media`,
      (location ?? '').split('?')[0] ?? '',
      `${at}/visits?days=90`,
      `${at}/settings`,
      `${at}/theme`,
      `${at}/navigation`,
      `${at}/address`,
      `${at}/members`,
      `${at}/webhooks`,
      webhook,
      `${at}/data-mode`,
      `${at}/audit`,
      '/dashboard/account/audit',
      '/dashboard/keys',
      '/dashboard/usage',
      '/dashboard/account',
      '/dashboard/account/codes',
      '/dashboard/account/delete',
      '/dashboard/no-such-page',
      '/dashboard/sign-in',
    ]
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  test('takes a set-up link to a password and to the first site, with the headers that a browser sends', async () => {
    const page = await open({}, null)
    const link = await service.server.service.setUpLinks.issue(await service.newUser())
    await page.goto(`${service.url}/dashboard/set-up?token=${link}`)
    await page.locator('[name=password]').fill(PASSWORD)
    await page.locator('[name=again]').fill(PASSWORD)
    await Promise.all([page.waitForURL('**/dashboard/start'), page.getByRole('button').first().click()])
    expect(await page.getByRole('main').getByRole('heading').first().textContent()).not.toBe('')
  })

  test('leads from the sign-in to a live page by keyboard alone, on a phone, without JavaScript', async () => {
    const page = await open({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false }, null)
    await page.goto(`${service.url}/dashboard`)
    await tabTo(page, 'E-mail address')
    await page.keyboard.type('owner@localhost')
    await tabTo(page, 'Password')
    await page.keyboard.type(PASSWORD)
    await pressAndArrive(page, '/dashboard/projects')
    await tabTo(page, 'New project')
    await pressAndArrive(page, '/dashboard/start')
    await tabTo(page, 'Name of the site')
    await page.keyboard.type('Written by keys')
    await pressAndArrive(page, '?done=projectStarted')
    await tabTo(page, 'Text')
    await page.keyboard.type('From the keyboard. ')
    await tabTo(page, 'Publish')
    await pressAndArrive(page, '/publish')
    await tabTo(page, 'Publish now')
    await pressAndArrive(page, '?done=pagePublished')
    const live = await page.getByRole('link', { name: 'View live page' }).getAttribute('href')
    expect(await (await fetch(live ?? '')).text()).toContain('From the keyboard.')
    await page.context().close()
  })

  test.each(
    some<[number, 'light' | 'dark', 'none' | 'active']>([
      [390, 'dark', 'none'],
      [1440, 'light', 'none'],
      [390, 'light', 'active'],
      [390, 'light', 'none'],
      [1440, 'dark', 'none'],
      [1440, 'dark', 'active'],
    ]),
  )(
    'fits into %s pixels, passes axe and logs nothing: %s, forced colours %s',
    async (width, colorScheme, forcedColors) => {
      const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
      const page = await open({
        viewport: { width, height: 900 },
        colorScheme,
        forcedColors,
        bypassCSP: true,
      })
      for (const view of views) {
        const messages: string[] = []
        page.on('console', (message) => messages.push(message.text()))
        await page.goto(service.url + view)
        await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true })`)
        await page.addScriptTag({ content: axe })
        const { violations } = (await page.evaluate('axe.run(document, { iframes: false })')) as AxeResults
        expect([
          view,
          violations.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.failureSummary]),
        ]).toEqual([view, []])
        expect([view, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([view, width])
        expect(messages.filter((text) => !text.includes('404'))).toEqual([])
        page.removeAllListeners('console')
      }
      await page.context().close()
    },
    300_000,
  )

  test('sends little, and nothing that its policy has to refuse', async () => {
    const page = await open({})
    const messages: string[] = []
    const sizes: [string, number, number][] = []
    page.on('console', (message) => messages.push(message.text()))
    for (const view of views.filter((one) => !one.includes('no-such'))) {
      await page.goto(service.url + view)
      const files = (await page.evaluate(
        `[...document.querySelectorAll('link[rel=stylesheet], script[src]')].map((one) => one.href || one.src)`,
      )) as string[]
      const texts = await Promise.all(files.map((file) => fetch(file).then((answer) => answer.text())))
      const { html } = await owner.get(view)
      const bytes = [html, ...texts].reduce((sum, text) => sum + gzipSync(text).length, 0)
      const budget = files.some((file) => file.includes('/editor.')) ? EDITOR_BUDGET : PAGE_BUDGET
      sizes.push([view, bytes, budget])
      expect([view, bytes < budget]).toEqual([view, true])
    }
    expect(sizes.filter(([, , budget]) => budget === EDITOR_BUDGET).length).toBeGreaterThan(2)
    expect(messages).toEqual([])
    await page.context().close()
  })

  /** @param client whose session the browser has; null for none. */
  async function open(options: BrowserContextOptions, client: DashboardClient | null = owner): Promise<Page> {
    const context = await browser.newContext(options)
    const [name = '', value = ''] = client?.cookie?.split('=') ?? []
    if (client !== null) await context.addCookies([{ name, value, url: service.url }])
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    return page
  }
})

/** Moves the focus to the control or link of this name, as a person without a pointer does. */
async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = page
    .getByRole('textbox', { name, exact: true })
    .or(page.getByLabel(name, { exact: true }))
    .or(page.getByRole('link', { name, exact: true }))
    .or(page.getByRole('button', { name, exact: true }))
    .first()
  for (let steps = 0; steps < 60; steps++) {
    await page.keyboard.press('Tab')
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return
  }
  throw new Error(`No press of Tab reaches ${name}.`)
}

/** Presses Enter, which sends the form or follows the link, and waits for an address that ends so. */
async function pressAndArrive(page: Page, end: string): Promise<void> {
  leaveByEnter(page)
  await page.waitForURL((url) => url.href.endsWith(end), { waitUntil: 'load' })
}
