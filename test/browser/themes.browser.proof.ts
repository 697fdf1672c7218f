import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { LONG_FORM, some } from '../support/long-form.ts'
import { THEME_NAMES } from '../theme/load-built-in.ts'
import { CHROMIUM, launchChromium, watchRequests } from './chromium.ts'
import { type SampleSite, serveSampleSite } from './sample-site.ts'

const WIDE = { width: 1440, height: 900 }
const NARROW = { width: 390, height: 844 }
const MIDDLE = { width: 820, height: 1180 }
const LOOKS = [
  { size: WIDE, colorScheme: 'light' },
  { size: NARROW, colorScheme: 'dark' },
  { size: WIDE, colorScheme: 'dark' },
  { size: NARROW, colorScheme: 'light' },
  { size: MIDDLE, colorScheme: 'light' },
  { size: MIDDLE, colorScheme: 'dark' },
] as const
const LAYOUTS = [
  ...['landing', 'landing-photo', 'catalogue', 'catalogue-ar', 'article', 'article-ar', 'docs', 'item'],
  ...['nav-page', 'not-found', 'listing', 'listing-plain'],
]

/** In the short form each layout is tested in one look and one theme. */
function looksOf(layout: string): readonly (typeof LOOKS)[number][] {
  const turn = LAYOUTS.indexOf(layout) % LOOKS.length
  return LONG_FORM ? LOOKS : LOOKS.slice(turn, turn + 1)
}

function layoutsOf(theme: string): readonly string[] {
  const turn = (THEME_NAMES as readonly string[]).indexOf(theme)
  return LONG_FORM
    ? LAYOUTS
    : LAYOUTS.filter((_, index) => index % 2 === 0 && index % THEME_NAMES.length === turn)
}

const BRANDS = LONG_FORM ? ['#ffd400', '#dc2626', '#000', '#808080', '#0000ff'] : ['#ffd400', '#0000ff']

if (CHROMIUM === null)
  console.info('Skipped: themes in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

describe.skipIf(CHROMIUM === null)('themes in a browser', () => {
  let site: SampleSite
  let browser: Browser
  let axe: string

  beforeAll(async () => {
    site = await serveSampleSite()
    browser = await launchChromium()
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  })
  afterAll(async () => {
    await browser.close()
    await site.close()
  })

  describe.each(THEME_NAMES)('%s', (theme) => {
    test.each(layoutsOf(theme))(
      '%s passes axe, logs nothing to the console and stays on its origin',
      async (layout) => {
        const { page, problems } = await open(`/${theme}/${layout}`)
        await page.evaluate(axe)
        for (const { size, colorScheme } of looksOf(layout)) {
          await page.setViewportSize(size)
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          expect(await violationsIn(page), `${size.width} px, ${colorScheme}`).toEqual([])
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width)
        }
        expect(problems).toEqual([])
        await page.close()
      },
    )
  })

  test.each(some(THEME_NAMES))('%s stays readable with any brand colour', async (theme) => {
    const { page } = await open(`/${theme}/landing-center`)
    await page.evaluate(axe)
    for (const brand of BRANDS) {
      await page.evaluate(`document.documentElement.style.setProperty('--brand', '${brand}')`)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violationsIn(page, ['color-contrast']), `${brand}, ${colorScheme}`).toEqual([])
      }
    }
    await page.close()
  })

  test.runIf(LONG_FORM)('tabs work by keyboard, and without script all are visible', async () => {
    const { page } = await open('/default/docs')
    const [first, second, third] = [0, 1, 2].map((index) => page.locator('.tab').nth(index))
    const shown = () => Promise.all([first, second, third].map((tab) => tab?.getAttribute('hidden')))
    expect(await shown()).toEqual([null, 'until-found', 'until-found'])
    await page.getByRole('tab', { name: 'TypeScript' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).toBe('Shell')
    expect(await shown()).toEqual(['until-found', null, 'until-found'])
    await page.keyboard.press('End')
    expect(await page.getByRole('tabpanel', { name: 'What comes back' }).isVisible()).toBe(true)
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).toBe('TypeScript')
    await page.close()

    const plain = await browser.newPage({ javaScriptEnabled: false })
    await plain.goto(`${site.origin}/default/docs`)
    expect(await plain.locator('.tab-label').allTextContents()).toEqual([
      'TypeScript',
      'Shell',
      'What comes back',
    ])
    expect(await plain.locator('.tab pre').last().isVisible()).toBe(true)
    await plain.close()
  })

  test.runIf(LONG_FORM)('a link into a hidden tab opens it', async () => {
    const { page } = await open('/default/docs')
    await page.evaluate("document.querySelectorAll('.tab pre')[2].id = 'there'; location.hash = '#there'")
    await page.locator('#there').waitFor({ state: 'visible' })
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('What comes back')
    await page.close()
  })

  test.runIf(LONG_FORM)('the menu of a small screen opens and closes by keyboard', async () => {
    const { page } = await open('/default/docs', NARROW)
    const link = page.locator('.site-nav summary')
    expect(await link.isVisible()).toBe(false)
    await page.locator('.site-bar summary').first().focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Product')
    expect(await link.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe('Menu')
    expect(await link.isVisible()).toBe(false)
    await page.close()
  })

  test.runIf(LONG_FORM)(
    'the sidebar of a small screen and its links can be reached by keyboard',
    async () => {
      const { page } = await open('/default/docs', NARROW)
      await page.locator('.sidebar > .toggle > summary').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('Introduction')
      await page.close()
    },
  )

  test.each(some([NARROW, WIDE, { width: 1024, height: 768 }]))(
    'at $width px nothing covers the heading that a link leads to',
    async (size) => {
      const { page } = await open('/default/docs', size)
      const reached = await page.evaluate(`(() => {
        const headings = [...document.querySelectorAll('.docs-body h2')].slice(0, 3)
        return headings.map((heading) => {
          location.hash = heading.id
          const { left, top } = heading.getBoundingClientRect()
          return heading.contains(document.elementFromPoint(left + 5, top + 2))
        })
      })()`)
      expect(reached).toEqual([true, true, true])
      await page.close()
    },
  )

  test.runIf(LONG_FORM)(
    'the table of contents marks the current section, and none above the first',
    async () => {
      const { page } = await open('/default/docs')
      const marked = () => page.locator('.toc [aria-current]').allTextContents()
      expect(await marked()).toEqual([])
      await page.evaluate("document.querySelector('#publish-a-page').scrollIntoView()")
      await expect.poll(marked).toEqual(['Publish a page'])
      await page.close()
    },
  )

  test.runIf(LONG_FORM)(
    'the table of contents stays reachable in the middle of a page on a small screen',
    async () => {
      const { page } = await open('/default/docs', NARROW)
      await page.evaluate("document.querySelector('.pager').scrollIntoView()")
      await page.locator('.toc summary').click()
      await page.locator('.toc a').first().click()
      const top = await page.evaluate("document.querySelector('.docs-body h2').getBoundingClientRect().top")
      expect(top).toBeGreaterThan(48)
      expect(top).toBeLessThan(NARROW.height / 4)
      await page.close()
    },
  )

  test.runIf(LONG_FORM)(
    'without script the table of contents does not cover the chosen heading',
    async () => {
      const page = await browser.newPage({
        viewport: NARROW,
        javaScriptEnabled: false,
        reducedMotion: 'reduce',
      })
      await page.goto(`${site.origin}/default/docs`)
      await page.locator('.toc summary').click()
      await page.locator('.toc a[href="#publish-a-page"]').click()
      await page.waitForURL('**#publish-a-page')
      const covering = await page.locator('.toc-list').boundingBox()
      const heading = await page.locator('#publish-a-page').boundingBox()
      expect(heading?.y).toBeGreaterThan((covering?.y ?? 0) + (covering?.height ?? 0))
      expect(heading?.y).toBeGreaterThan(48)
      await page.close()
    },
  )

  test.runIf(LONG_FORM)('an opened sidebar on a small screen shows the current page', async () => {
    // A viewport so low that the list must scroll to the current page, which happens after it opens.
    const { page } = await open('/default/docs', { width: 390, height: 260 })
    await page.locator('.sidebar > .toggle > summary').click()
    const rects = () =>
      page.evaluate<number[]>(`(() => {
        const list = document.querySelector('.docs-nav').getBoundingClientRect()
        const current = document.querySelector('.docs-nav [aria-current]').getBoundingClientRect()
        return [list.top, current.top, current.bottom, list.bottom]
      })()`)
    await expect
      .poll(rects)
      .toSatisfy((tops: number[]) => tops.every((top, i) => top >= (tops[i - 1] ?? top)))
    await page.close()
  })

  test('the skip link has the first focus and leads to the content', async () => {
    const { page } = await open('/minimal/docs')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Docs')
    await page.close()
  })

  test.runIf(LONG_FORM)(
    'the script fills closed groups of the sidebar without moving visible lines',
    async () => {
      const { page } = await open('/default/docs', WIDE, { script: false })
      const written = await linesOf(page)
      await page.close()

      const { page: filled } = await open('/default/docs')
      await filled.locator('.docs-nav a', { hasText: 'Rollback' }).first().waitFor({ state: 'attached' })
      expect(await linesOf(filled)).toEqual(written)
      expect(await filled.locator('.docs-nav [aria-current]').allTextContents()).toEqual(['Quick start'])
      const group = filled
        .locator('li', { has: filled.locator('> details > summary', { hasText: 'API reference' }) })
        .last()
      await group.locator('summary').click()
      expect(await group.locator('ul a').allTextContents()).toEqual(['Releases', 'RollbackNew'])
      expect(await group.locator('ul a').last().getAttribute('href')).toBe(
        `${site.origin}/docs/publishing/rollback/`,
      )
      await filled.close()
    },
  )

  test.runIf(LONG_FORM)('opened sidebar groups and chosen tabs persist on the next page', async () => {
    const { page, problems } = await open('/default/docs')
    const group = page
      .locator('li', { has: page.locator('> details > summary', { hasText: 'API reference' }) })
      .last()
    await group.locator('summary').click()
    await group.locator('a', { hasText: 'Rollback' }).waitFor()
    await page.getByRole('tab', { name: 'Shell' }).click()
    await page.reload()
    expect(await group.locator('a', { hasText: 'Rollback' }).isVisible()).toBe(true)
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Shell')
    await page.goto(`${site.origin}/minimal/docs`)
    expect(await group.locator('a', { hasText: 'Rollback' }).isVisible()).toBe(true)
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Shell')
    expect(problems).toEqual([])
    await page.close()
  })

  test.runIf(LONG_FORM)('the script updates a stale sidebar', async () => {
    const stale = { title: 'Brand new', path: '/docs/new', badge: null, children: [] }
    const renamed = { title: 'Start here', path: '/docs', badge: 'Now', children: [] }
    const { page } = await open('/default/docs', WIDE, { nav: { subroute: 'docs', items: [renamed, stale] } })
    await page.locator('.docs-nav a', { hasText: 'Brand new' }).waitFor()
    const top = await page
      .locator('.docs-nav > ul > li')
      .evaluateAll((lines) => lines.map((line) => line.querySelector('a, .nav-text')?.textContent))
    // The group of the current page stays, although the navigation file does not contain it.
    expect(top).toEqual(['Start hereNow', 'Brand new', 'Get started'])
    await page.close()
  })

  test.runIf(LONG_FORM)('an open sidebar on a small screen does not move when it is filled', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 260 }, reducedMotion: 'reduce' })
    const newer = (n: number) => ({ title: `Newer ${n}`, path: `/docs/${n}`, badge: null, children: [] })
    let fill = () => Promise.resolve()
    await page.route('**/_nav/docs.json', (route) => {
      fill = () => route.fulfill({ json: { subroute: 'docs', items: [newer(1), newer(2), newer(3)] } })
    })
    await page.goto(`${site.origin}/default/docs`)
    // Not every browser has scroll anchoring.
    await page.evaluate("document.querySelector('.docs-nav').style.overflowAnchor = 'none'")
    await page.locator('.sidebar > .toggle > summary').click()
    const currentTop = () =>
      page.evaluate<number>("document.querySelector('.docs-nav [aria-current]').getBoundingClientRect().top")
    const list = () =>
      page.evaluate<number>("document.querySelector('.docs-nav').getBoundingClientRect().bottom")
    await expect.poll(currentTop).toBeLessThan(await list())
    const before = await currentTop()
    await fill()
    await page.locator('.docs-nav a', { hasText: 'Newer 3' }).waitFor({ state: 'attached' })
    expect(await currentTop()).toBe(before)
    await page.close()
  })

  test.runIf(LONG_FORM)('code can be copied', async () => {
    const { page } = await open('/dark/docs')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const button = page.locator('.copy').first()
    await button.click()
    await expect.poll(() => button.textContent()).toBe('Copied')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'npm install quoin\nnpx quoin serve --port 4000 --data ./data\n',
    )
    await page.close()
  })

  test.runIf(LONG_FORM)(
    'a docs page is copied as Markdown, or opened as Markdown if the clipboard is refused',
    async () => {
      const { page } = await open('/default/docs')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      const button = page.getByRole('button', { name: 'Copy page' })
      await button.click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe('# As Markdown')

      await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))")
      await button.click()
      await page.waitForURL('**/default/index.md')
      await page.close()
    },
  )

  test.runIf(LONG_FORM)('code is selected if the clipboard is refused', async () => {
    const { page, problems } = await open('/default/docs')
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))")
    const button = page.locator('.copy').first()
    await button.click()
    await expect.poll(() => page.evaluate('String(getSelection())')).toContain('npm install quoin')
    expect(await button.textContent()).toBe('Copy')
    expect(problems).toEqual([])
    await page.close()
  })

  test.each(some(['default', 'minimal']))(
    '%s: the next page is first drawn in the chosen colour scheme',
    async (theme) => {
      const { page, problems } = await open(`/${theme}/docs`)
      const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
      const light = await background()
      await page.getByRole('button', { name: 'Colours of the system' }).click()
      const dark = await background()
      expect(dark).not.toBe(light)
      expect(await page.getByRole('button', { name: 'Dark mode' }).isVisible()).toBe(true)

      await page.addInitScript(`new MutationObserver((_, observer) => {
      if (!document.body) return
      observer.disconnect()
      window.drawnFirst = document.documentElement.dataset.scheme
    }).observe(document, { childList: true, subtree: true })`)
      await page.goto(`${site.origin}/${theme}/article`)
      expect([await page.evaluate('drawnFirst'), await background()]).toEqual(['dark', dark])
      await page.emulateMedia({ media: 'print' })
      expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light')
      await page.emulateMedia({ media: 'screen' })

      // The next choice stays when the system changes; the one after it follows the system.
      await page.getByRole('button', { name: 'Dark mode' }).click()
      await page.emulateMedia({ colorScheme: 'dark' })
      expect([await background(), await page.locator('.scheme').getAttribute('aria-label')]).toEqual([
        light,
        'Light mode',
      ])
      await page.emulateMedia({ colorScheme: 'light' })
      await page.getByRole('button', { name: 'Light mode' }).click()
      await page.getByRole('button', { name: 'Colours of the system' }).waitFor()
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect.poll(background).toBe(dark)
      expect(problems).toEqual([])
      await page.close()
    },
  )

  test.runIf(LONG_FORM)('print cuts off no line of code, numbered and marked lines included', async () => {
    const { page } = await open('/default/docs', { width: 718, height: 900 })
    const cutOff = () =>
      page.evaluate(`[...document.querySelectorAll('pre')].map((code) => {
        const isOfLines = code.querySelector('.line') !== null
        return [isOfLines, code.scrollWidth > code.clientWidth]
      })`)
    await page.evaluate(
      "for (const text of document.querySelectorAll('pre code, pre .line')) text.append(' a longer line'.repeat(9))",
    )
    expect(await cutOff()).toContainEqual([true, true])
    await page.emulateMedia({ media: 'print' })
    expect(await cutOff()).not.toContainEqual([expect.anything(), true])
    await page.close()
  })

  test.runIf(LONG_FORM)('images follow the chosen colour scheme', async () => {
    const { page } = await open('/default/landing')
    const image = page.locator('picture img').first()
    const shown = () => image.evaluate(({ currentSrc }: { currentSrc: string }) => currentSrc)
    const light = await shown()
    await page.locator('.scheme').click()
    await expect.poll(shown).not.toBe(light)
    await page.locator('.scheme').click()
    await expect.poll(shown).toBe(light)
    await page.close()
  })

  test.runIf(LONG_FORM)('the colour scheme button is visible only where it works', async () => {
    const { page } = await open('/dark/docs')
    expect(await page.locator('.scheme').count()).toBe(0)
    await page.close()
    const { page: plain } = await open('/default/docs', WIDE, { script: false })
    expect(await plain.locator('.scheme').isVisible()).toBe(false)
    await plain.close()
    const { page: sandboxed } = await open('/default/docs?sandbox')
    await sandboxed.locator('.scheme').click()
    expect(await sandboxed.evaluate('document.documentElement.dataset.scheme')).toBe('dark')
    await sandboxed.close()
  })

  test.runIf(LONG_FORM)('a sandbox without origin or storage breaks nothing', async () => {
    const { page, problems } = await open('/default/docs?sandbox')
    await watchRequests(page).quiet()
    expect(await page.locator('.docs-nav > ul > li').count()).toBe(5)
    // Chromium itself reports the refused request; the script stays silent.
    expect(problems.filter((problem) => !/CORS policy|ERR_FAILED/.test(problem))).toEqual([])
    await page.close()
  })

  /** Opens a page and records console errors, exceptions and requests to other origins. */
  async function open(
    path: string,
    viewport = WIDE,
    { script = true, nav }: { script?: boolean; nav?: object } = {},
  ) {
    const page = await browser.newPage({ viewport, javaScriptEnabled: script, reducedMotion: 'reduce' })
    const problems: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(site.origin)) problems.push(`request to ${request.url()}`)
    })
    if (nav !== undefined) await page.route('**/_nav/docs.json', (route) => route.fulfill({ json: nav }))
    await page.goto(site.origin + path)
    return { page, problems }
  }
})

/** Runs axe. @param only rules to run instead of all. */
async function violationsIn(page: Page, only?: readonly string[]): Promise<string[]> {
  const rules = { 'target-size': { enabled: true } }
  const options = { resultTypes: ['violations'], ...(only ? { runOnly: only } : { rules }) }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
  )
}

/** The visible lines of the sidebar with their positions. */
function linesOf(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('.docs-nav :is(a, summary)')]
    .filter((line) => line.checkVisibility())
    .map((line) => [line.textContent, line.getBoundingClientRect().top])`)
}

function focused(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement.textContent.trim()')
}
