import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { objectHeaders } from '../../src/domain/artifact.ts'
import { LONG_FORM, some } from '../support/long-form.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { arrive, CHROMIUM, launchChromium, leaveByEnter } from './chromium.ts'

if (CHROMIUM === null)
  console.info('Skipped: the 404 page. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

describe.skipIf(CHROMIUM === null)('the 404 page', () => {
  let service: TestService
  let browser: Browser
  const copies: Server[] = []
  /** URLs of the same site on several hosts. */
  const sites: Record<string, string> = {}

  beforeAll(async () => {
    // Browsers resolve every subdomain of `localhost` to this machine.
    service = await startService({ env: { QUOIN_SITES_DOMAIN: 'sites.localhost' } })
    browser = await launchChromium()
    const { call } = service
    const project = await service.newProject('Acme')
    await call('PUT', `/projects/${project}`, { hosting: { subdomain: 'acme' } })
    await call('PUT', `/projects/${project}/settings`, {
      favicon_url: '/mark.svg',
      nav_links: [{ label: 'Chase', href: '/docs/chase' }],
    })
    const fields = { title: 'The chase', slug: 'chase', subroute: 'docs', type: 'docs' }
    const made = await call(
      'POST',
      '/pages',
      pageBody(project, { ...fields, markdown_content: 'An iron frame.' }),
    )
    expect((await call('POST', `/pages/${made.body.data.id}/publish`)).status).toBe(200)

    const { port } = new URL(service.url)
    sites['project'] = `${service.url}/public/${project}/`
    sites['host'] = `http://acme.sites.localhost:${port}/`
    while (!(await fetch(`${sites['project']}_search.json`)).ok)
      await new Promise((done) => setTimeout(done, 50))

    const files = await liveFiles(project)
    for (const [name, folder] of [
      ['server', '/'],
      ['folder', '/copies/of/mine/'],
    ] as const) {
      const server = await startCopy(files, folder)
      copies.push(server)
      sites[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}${folder}`
    }
  })
  afterAll(async () => {
    await browser.close()
    await service.close()
    for (const server of copies) await new Promise((resolve) => server.close(resolve).closeAllConnections())
  })

  test.each(
    some(
      [
        ['project', 'nothing'],
        ['project', 'no/such/page/at/all'],
        ['host', 'no/such/page/'],
        ['server', 'nothing.html'],
        ['folder', 'nothing'],
        ['folder', 'no/such//page/?at=all'],
      ],
      3,
    ),
  )('leads into the site where it is read, at its %s at %s', async (place, missing) => {
    const site = sites[place] ?? ''
    const { page, problems } = await visit(site + missing)
    const leadsTo = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((link: unknown) => (link as { href: string }).href)
    expect(await leadsTo('.site-name')).toBe(site)
    expect(await leadsTo('.site-nav a')).toBe(`${site}docs/chase/`)
    expect(await leadsTo('link[rel=icon]')).toBe(`${site}mark.svg`)

    await page.keyboard.press('/')
    await page.locator('dialog.search[open] [role=combobox]:focus').waitFor()
    const corners = "getComputedStyle(document.querySelector('dialog.search')).borderRadius"
    expect(await page.evaluate(corners)).not.toBe('0px')
    await page.keyboard.type('iron')
    await page.locator('[role=option]').first().waitFor()
    leaveByEnter(page)
    // The address may name the text that was found.
    await page.waitForURL(({ href }) => href.split('#')[0] === `${site}docs/chase/`)
    expect(problems.filter((text) => !/status of 404/.test(text))).toEqual([])
  })

  test.runIf(LONG_FORM)('applies the choice of light or dark mode on every path', async () => {
    const { page } = await visit(`${sites['folder']}nothing`)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.click('.scheme')
    await page.goto(`${sites['folder']}nothing/else`)
    expect(await page.getAttribute('html', 'data-scheme')).toBe('dark')
    await page.close()
  })

  test.runIf(LONG_FORM)('links to the site’s own origin if it does not find the site’s root', async () => {
    const { page } = await visit(new URL('/elsewhere/nothing', sites['folder']).href)
    expect(await page.locator('.site-name').getAttribute('href')).toBe('https://acme.sites.localhost/')
    expect(await page.locator('.search-open').isVisible()).toBe(false)
    await page.close()
  })

  async function visit(address: string): Promise<{ page: Page; problems: string[] }> {
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('console', (message) => problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(String(error)))
    // The page loads the icon from the site's own origin.
    await page.route('https://acme.sites.localhost/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    )
    await arrive(page, address)
    return { page, problems }
  }

  async function liveFiles(project: string): Promise<ReadonlyMap<string, Buffer>> {
    const { storage } = service.server.service
    const keys = await storage.list(`${project}/`)
    const files = keys.map(
      async (key): Promise<[string, Buffer]> => [
        key.slice(project.length + 1),
        Buffer.from((await storage.get(key)) ?? []),
      ],
    )
    return new Map(await Promise.all(files))
  }
})

/** A static server with the files in a folder. Answers every other path with `404.html`. */
async function startCopy(files: ReadonlyMap<string, Buffer>, folder: string): Promise<Server> {
  const served = new Map([...files].map(([key, body]) => [folder + key, body]))
  const notFound = files.get('404.html') ?? Buffer.from('')
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    const key = pathname.endsWith('/') ? `${pathname}index.html` : pathname
    const body = served.get(key)
    const { contentType } = objectHeaders(body === undefined ? '404.html' : key)
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': contentType })
    response.end(body ?? notFound)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
