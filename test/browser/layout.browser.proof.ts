import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { THEME_NAMES } from '../theme/load-built-in.ts'
import { type BuiltSite, serveBuiltSite } from './built-site.ts'
import { arrive, CHROMIUM, launchChromium, watchRequests } from './chromium.ts'
import { expectNoShift } from './layout-shift.ts'

const START_OF_TEXT = `(() => {
  const range = document.createRange()
  range.selectNodeContents(element)
  return Math.round(range.getBoundingClientRect().left)
})()`

/** Words of the site's name that are on two lines. */
const BROKEN_WORDS = `(() => {
  const text = document.querySelector('.site-name span:last-child').firstChild
  return [...text.textContent.matchAll(/\\S+/g)].flatMap(({ 0: word, index }) => {
    const range = document.createRange()
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    return range.getClientRects().length > 1 ? [word] : []
  })
})()`

const NAME = 'Northwind Documentation Platform'

const LONG_CELL = 'Where results of former builds are kept between two runs of the command, if they are kept.'

const DOCS = `---
title: Getting started
---
\`\`\`js {2} ins={3} del={4} showLineNumbers
${Array.from({ length: 120 }, (_, line) => `const value${line} = ${line}`).join('\n')}
\`\`\`

| Option | Type | Default | Since | Environment | Description | Notes |
| --- | --- | --- | --- | --- | --- | --- |
| \`cacheDirectory\` | string | \`.cache\` | 1.2 | \`NW_CACHE\` | ${LONG_CELL} | ${LONG_CELL} |
`

const TABS = `---
title: Install
---
${['npm', 'pnpm']
  .map(
    (name) =>
      `:::tabs\n::tab[JavaScript]\n\`\`\`sh\n${name} install\n\`\`\`\n::tab[Python]\nUse \`pip\`.\n\nThen *wait*.\n:::\n\nText below ${name}.\n`,
  )
  .join('\n')}
`

const FILES = {
  'site.yaml': `name: ${NAME}
url: https://nw.example
favicon_url: /images/mark.svg
types: { blog: article }
nav_links:
  - { label: Product overview, href: / }
  - { label: Customer stories, href: /blog/a }
  - { label: Documentation, href: /docs }
  - { label: Pricing plans, href: / }
`,
  'index.yaml': `title: Home
sections:
  - { type: hero, title: Hello }
  - { type: features, title: Why, features: [{ title: Fast, description: Builds in seconds. }] }
  - { type: faq, title: Questions, questions: [{ question: Is it fast?, answer: Yes. }] }
`,
  'static/images/mark.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>',
  'docs/index.md': DOCS,
  'docs/tabs.md': TABS,
  'docs/more.md':
    '---\ntitle: More\ndescription: What else there is.\n---\n[The tabs](tabs.md) and [here](#here), [elsewhere](https://example.com/a/).\n\n## Here\n',
  'docs/less.md': '---\ntitle: Less\n---\nSee [more](more.md).\n',
  'blog/a.md': '---\ntitle: An article\ndate: 2026-01-01\n---\nText.\n',
}

if (CHROMIUM === null)
  console.info('Skipped: layout in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

describe.skipIf(CHROMIUM === null)('layout', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  describe.each(THEME_NAMES)('in the theme %s', (theme) => {
    let site: BuiltSite
    let page: Page

    beforeAll(async () => {
      site = await serveBuiltSite(FILES, theme)
      page = await browser.newPage({
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
        bypassCSP: true,
      })
    })
    afterAll(async () => {
      await page.close()
      await site.close()
    })

    const at = async (path: string, width = 1440) => {
      await page.setViewportSize({ width, height: 900 })
      await arrive(page, site.origin + path)
    }
    /** What the expression says of each `element` that matches the selector. */
    const ofEach = <Value>(selector: string, expression: string): Promise<Value[]> =>
      page.evaluate(`[...document.querySelectorAll('${selector}')].map((element) => (${expression}))`)
    const heightOf = async (selector: string) =>
      (await ofEach<number>(selector, 'element.getBoundingClientRect().height'))[0]
    const titleSize = async () =>
      (await ofEach<number>('h1', 'parseFloat(getComputedStyle(element).fontSize)'))[0]

    /** Serves the site, and a page of it up to an index until the rest is sent. */
    async function serveInParts(path: string, html: string, middle: number) {
      let sendRest = () => {}
      const slow = createServer(async (request, response) => {
        if (request.url !== path) {
          const answer = await fetch(site.origin + request.url)
          response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
          response.end(Buffer.from(await answer.arrayBuffer()))
          return
        }
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        response.write(html.slice(0, middle))
        sendRest = () => response.end(html.slice(middle))
      })
      await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
      return {
        origin: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`,
        sendRest: () => sendRest(),
        async close() {
          slow.closeAllConnections()
          await new Promise((resolve) => slow.close(resolve))
        },
      }
    }

    test('the title of an article is larger than the title of a docs page', async () => {
      await at('/docs/')
      expect(await titleSize()).toBe(40)
      await at('/blog/a/')
      expect(await titleSize()).toBeGreaterThanOrEqual(56)
    })

    test('a narrow header keeps the words of the name whole and the links in the menu', async () => {
      for (const width of [768, 820, 900]) {
        await at('/', width)
        expect.soft(await page.locator('.site-nav').isVisible(), `${width} px`).toBe(false)
        expect.soft(await heightOf('.site-name'), `${width} px`).toBeLessThan(48)
      }
      for (const width of [992, 1100, 1280]) {
        await at('/', width)
        expect.soft(await page.locator('.site-nav').isVisible(), `${width} px`).toBe(true)
        expect.soft(await page.evaluate(BROKEN_WORDS), `${width} px`).toEqual([])
      }
    })

    test('the header shows the icon that the site names, beside its name', async () => {
      await at('/')
      const widths = await ofEach<number>('.site-name img', 'element.naturalWidth && element.width')
      expect(widths).toEqual([28])
      expect(await page.locator('.site-name').textContent()).toContain(NAME)
    })

    test('tabs move nothing, also when a page arrives in parts', async () => {
      const html = await (await fetch(`${site.origin}/docs/tabs/`)).text()
      const middle = html.lastIndexOf('Python')
      const slow = await serveInParts('/docs/tabs/', html, middle)
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        const requests = watchRequests(page)
        await page.goto(`${slow.origin}/docs/tabs/`, { waitUntil: 'commit' })
        await page.waitForFunction("performance.getEntriesByName('first-contentful-paint').length > 0")
        slow.sendRest()
        await page.waitForLoadState('load', { timeout: 0 })
        await requests.quiet()
        expect.soft(await page.locator('.tab-list').count(), `${width} px`).toBe(2)
        await expectNoShift(page, `${width} px`)
      }
      await slow.close()
    })

    test.each([
      ['header', '<header class="site-header">', '.site-header'],
      ['footer', '<footer class="site-footer">', '.site-footer'],
      ['tabs', 'Python', '.tabs:last-of-type .tab-list'],
    ])('a page that is stopped in its %s shows what has arrived', async (_, start, selector) => {
      const html = await (await fetch(`${site.origin}/docs/tabs/`)).text()
      const slow = await serveInParts('/docs/tabs/', html, html.lastIndexOf(start) + start.length)
      await page.goto(`${slow.origin}/docs/tabs/`, { waitUntil: 'commit' })
      await page.waitForFunction(`document.querySelector('${selector.split(' ')[0]}') !== null`)
      await page.evaluate('stop()')
      await page.locator(selector).last().waitFor()
      await slow.close()
    })

    test('a page whose script fails as it begins shows its header and footer', async () => {
      const broken = await browser.newPage()
      await broken.addInitScript('globalThis.matchMedia = () => { throw new Error("No media.") }')
      await broken.goto(`${site.origin}/docs/tabs/`, { timeout: 0 })
      for (const part of ['.site-header', '.site-footer']) await broken.locator(part).waitFor()
      await broken.close()
    })

    test('a link to a page that does not exist shows nothing about the error', async () => {
      await page.route('**/docs/more/', (route) =>
        route.fulfill({ status: 404, contentType: 'text/html', body: '<h1>Page not found</h1>' }),
      )
      await at('/docs/less/')
      const asked = page.waitForResponse('**/docs/more/')
      await page.locator('.prose a', { hasText: 'more' }).hover()
      await (await asked).finished()
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))')
      expect(await page.locator('[role="tooltip"]').count()).toBe(0)
      await page.unroute('**/docs/more/')
    })

    test('the code of numbered lines begins in one column, whatever the mark and the number', async () => {
      await at('/docs/')
      const starts = await ofEach<number>('.numbered .line', START_OF_TEXT)
      expect(starts).toHaveLength(120)
      expect(new Set(starts).size).toBe(1)
    })

    test('a table with many columns keeps its rows low and scrolls', async () => {
      for (const width of [1440, 390]) {
        await at('/docs/', width)
        expect.soft(await heightOf('.prose tbody tr'), `${width} px`).toBeLessThan(150)
        expect.soft(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      }
    })

    test('a link shows what the page that it leads to is about, by pointer and by keyboard', async () => {
      await at('/docs/less/')
      const link = page.locator('.prose a', { hasText: 'more' })
      const preview = page.locator('[role="tooltip"]')
      await link.hover()
      await preview.waitFor()
      expect(await preview.locator('p').allTextContents()).toEqual(['More', 'What else there is.'])
      expect(await link.getAttribute('aria-describedby')).toBe(await preview.getAttribute('id'))
      await preview.hover()
      await page.keyboard.press('Escape')
      await preview.waitFor({ state: 'detached' })
      await page.mouse.move(0, 0)
      await link.focus()
      await preview.waitFor()
      await expectNoShift(page, 'a preview')

      await at('/docs/more/')
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      for (const text of ['here', 'elsewhere'])
        await page.getByRole('link', { name: text, exact: true }).hover()
      await page.locator('.prose a', { hasText: 'The tabs' }).hover()
      await preview.waitFor()
      // The browser may load the page ahead as well.
      expect(new Set(requests.map((address) => new URL(address).pathname))).toEqual(new Set(['/docs/tabs/']))
    })

    test('in forced colours, text of a card does not touch a border', async () => {
      await at('/')
      await page.emulateMedia({ forcedColors: 'active' })
      const cards = await ofEach<{ borderLeftWidth: string; paddingLeft: string }>(
        '.card',
        '(({ borderLeftWidth, paddingLeft }) => ({ borderLeftWidth, paddingLeft }))(getComputedStyle(element))',
      )
      await page.emulateMedia({ forcedColors: 'none' })
      expect(cards.length).toBeGreaterThan(0)
      for (const { borderLeftWidth, paddingLeft } of cards)
        expect(borderLeftWidth === '0px' || paddingLeft !== '0px').toBe(true)
    })
  })
})
