import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { some } from '../support/long-form.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { serveBuiltSite } from './built-site.ts'
import { arrive, CHROMIUM, launchChromium } from './chromium.ts'

if (CHROMIUM === null)
  console.info(
    'Skipped: the Content-Security-Policy of pages. Chromium was not found. Set QUOIN_CHROMIUM to its path.',
  )

describe.skipIf(CHROMIUM === null)('a published page under its Content-Security-Policy', () => {
  let service: TestService
  let browser: Browser
  let project: string
  const pages: Record<string, string> = {}

  beforeAll(async () => {
    ;[service, browser] = await Promise.all([startService(), launchChromium()])
    project = await service.newProject()
    await set(`/projects/${project}`, { settings: { custom_css: '.site-name, h1 { color: rgb(1, 2, 3) }' } })
    await set(`/projects/${project}/settings`, { google_analytics_id: 'G-ABCD1234' })
    await set(`/v1/projects/${project}/settings`, { branding: { primary_color: '#0a7d55' } })
    const markdown = '# A\n\n```js title="a"\nlet a = 1\n```\n\n| a |\n|--:|\n| 1 |\n\n$x^2$\n\n- [x] b\n'
    const sections = [
      { type: 'hero', props: { title: 'A', image: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' } },
      {
        type: 'contact',
        props: { title: 'B', form: { action: 'https://forms.example/a', fields: [{ name: 'a' }] } },
      },
    ]
    for (const type of ['page', 'article', 'docs', 'item']) {
      const fields = { type, slug: type, subroute: type === 'docs' ? 'docs' : '', markdown_content: markdown }
      const config = type === 'page' ? { sections } : type === 'item' ? { price: 5 } : {}
      const made = await service.call('POST', '/pages', pageBody(project, { ...fields, config }))
      pages[type] = made.body.data.id
      await service.call('POST', `/pages/${pages[type]}/publish`)
    }
  })
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  async function set(path: string, body: object): Promise<void> {
    expect((await service.call('PUT', path, body)).status).toBe(200)
  }

  /** The console messages of a page, and the colours that the site's styles set. */
  async function shown(address: string) {
    const tab = await browser.newPage()
    const messages: string[] = []
    tab.on('console', (message) => messages.push(message.text()))
    tab.on('pageerror', (error) => messages.push(error.message))
    await tab.route('https://www.googletagmanager.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'document.body.dataset.counted = true' }),
    )
    await arrive(tab, address)
    const seen = await tab.evaluate(`({
      policy: document.querySelectorAll('head > meta[http-equiv="Content-Security-Policy"]').length,
      heading: getComputedStyle(document.querySelector('h1')).color,
      brand: getComputedStyle(document.documentElement).getPropertyValue('--brand'),
      counted: document.body.dataset.counted,
      mine: document.body.dataset.mine,
    })`)
    await tab.close()
    return { ...(seen as object), messages: messages.filter((text) => !/status of 404/.test(text)) }
  }

  const STYLED = { policy: 1, heading: 'rgb(1, 2, 3)', brand: '#0a7d55', messages: [] }

  test.concurrent.each(some(['docs/docs', 'article', 'item', 'page', '_nav/docs']))(
    'loads all its files in the sandbox of the API: %s',
    async (path) => {
      const seen = await shown(`${service.url}/public/${project}/${path}/`)
      expect(seen).toMatchObject({ ...STYLED, counted: 'true' })
    },
  )

  test('loads a page of the site while the pointer rests on its link, and no file', async () => {
    const tab = await browser.newPage()
    const address = `${service.url}/public/${project}/article/`
    const prefetched: string[] = []
    tab.on('request', (request) => {
      if (request.headers()['sec-purpose'] === 'prefetch') prefetched.push(request.url())
    })
    await arrive(tab, address)
    await tab.evaluate(`document.querySelector('main').innerHTML =
      '<p><a href="index.md">file</a></p><p><a href="https://forms.example/">other site</a></p><p><a href="../item/">page</a></p>'`)
    // A press asks for a page at once, so the order of requests shows that the others asked for nothing.
    await tab.evaluate(`addEventListener('click', (event) => event.preventDefault())`)
    for (const name of ['file', 'other site']) await tab.getByText(name, { exact: true }).click()
    await tab.getByText('page', { exact: true }).hover()
    await expect.poll(() => prefetched).toEqual([`${service.url}/public/${project}/item/`])
    await tab.close()
  })

  test('shows the 404 page', async () => {
    expect(await shown(`${service.url}/public/${project}/no/such/page`)).toMatchObject(STYLED)
  })

  test.concurrent.each(some(['page', 'docs']))('loads all its files in a preview: %s', async (type) => {
    const { body } = await service.call('POST', `/pages/${pages[type]}/preview`)
    expect(await shown(body.data.url)).toMatchObject({ ...STYLED, counted: 'true' })
  })

  test('has no policy if the owner adds custom HTML to its head', async () => {
    const own = '<script>addEventListener("load", () => { document.body.dataset.mine = true })</script>'
    await set(`/projects/${project}/settings`, { custom_head_html: own })
    await service.call('POST', `/pages/${pages['article']}/publish`)
    const seen = await shown(`${service.url}/public/${project}/article/`)
    expect(seen).toMatchObject({ ...STYLED, policy: 0, mine: 'true' })
  })
})

test.skipIf(CHROMIUM === null)('a form whose service thanks on another site leads there', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }])
  const thanks = createServer({ key, cert }, (_request, response) => response.end('Thank you'))
  const service = createServer({ key, cert }, (_request, response) =>
    response.writeHead(303, { location: `${originOf(thanks)}/` }).end(),
  )
  for (const server of [thanks, service])
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const form = { action_url: `${originOf(service)}/f/42`, fields: ['name'], submit_text: 'Send it' }
  const page = { title: 'Write', sections: [{ type: 'form', title: 'Write', form }] }
  const [site, browser] = await Promise.all([
    serveBuiltSite({ 'site.yaml': 'name: Notes', 'index.yaml': JSON.stringify(page) }, 'default'),
    launchChromium(),
  ])
  const tab = await browser.newPage({ ignoreHTTPSErrors: true })
  await arrive(tab, `${site.origin}/`)
  await tab.getByText('Send it').click()
  await tab.waitForURL(`${originOf(thanks)}/`)
  await browser.close()
  await site.close()
  for (const server of [thanks, service]) server.close()
})

function originOf(server: ReturnType<typeof createServer>): string {
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}
