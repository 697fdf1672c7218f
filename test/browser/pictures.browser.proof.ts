import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LONG_FORM, some } from '../support/long-form.ts'
import { THEME_NAMES } from '../theme/load-built-in.ts'
import { arrive, CHROMIUM, launchChromium } from './chromium.ts'
import { DOCUMENTS, type PictureSite, servePictureSite } from './picture-site.ts'

if (CHROMIUM === null)
  console.info('Skipped: pictures in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 900 }

describe.skipIf(CHROMIUM === null)('pictures in a browser', () => {
  let browser: Browser
  let site: PictureSite
  let late: PictureSite
  let axe: string

  beforeAll(async () => {
    browser = await launchChromium()
    site = await servePictureSite()
    late = await servePictureSite({ delayMs: 400 })
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  })
  afterAll(async () => {
    await browser.close()
    await Promise.all([site.close(), late.close()])
  })

  test.each(
    LONG_FORM
      ? THEME_NAMES.flatMap((theme) => [PHONE, DESKTOP].map((viewport) => ({ theme, viewport })))
      : [{ theme: 'default', viewport: PHONE }],
  )(
    'move nothing when they come late, in any section or layout of $theme at $viewport.width px',
    async ({ theme, viewport }) => {
      const moved: string[] = []
      for (const document of Object.keys(DOCUMENTS)) {
        const page = await browser.newPage({ viewport })
        await page.goto(`${late.origin}/${theme}/${document}/`, { waitUntil: 'domcontentloaded' })
        await page.evaluate(`(${WATCH.toString()})()`)
        const shifts = await page.evaluate<readonly string[]>(`(${SCROLL.toString()})()`)
        moved.push(...shifts.map((shift) => `${document}: ${shift}`))
        await page.close()
      }
      expect(moved).toEqual([])
    },
  )

  test.each(some(Object.keys(DOCUMENTS)))(
    'load late in %s, but for the first of the document',
    async (document) => {
      const page = await opened(`default/${document}`, DESKTOP, { javaScriptEnabled: true })
      const order = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll('main img')].filter((img) => img.clientWidth >= 200 || img.loading === 'eager')
        .map((img) => img.getAttribute('fetchpriority') ?? img.loading)`,
      )
      expect(order[0]).toBe('high')
      expect(order.slice(1).filter((how) => how === 'high')).toEqual([])
      await page.close()
    },
  )

  test.each(['docs', 'article'])(
    'open in their full size in %s, by mouse and by keyboard',
    async (document) => {
      const page = await opened(`default/${document}`, DESKTOP)
      const link = page.getByRole('link', { name: 'A photo' })
      const dialog = page.getByRole('dialog', { name: 'A photo' })
      await link.click()
      await dialog.waitFor()
      expect(await focusedLabel(page)).toBe('Close')
      await page.waitForFunction("document.querySelector('dialog img').complete")
      const shown = await page.evaluate<{ readonly file: string; readonly width: number }>(
        "(({ currentSrc, clientWidth }) => ({ file: currentSrc, width: clientWidth }))(document.querySelector('dialog img'))",
      )
      // As wide as the screen, from a file that is enough for it, and not from the original.
      expect(shown).toMatchObject({ width: DESKTOP.width, file: expect.stringContaining('-1280x') })
      await page.evaluate(axe)
      expect(
        await page.evaluate('axe.run("dialog").then(({ violations }) => violations.map(({ id }) => id))'),
      ).toEqual([])
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect(await page.evaluate("document.activeElement.matches('.zoom')")).toBe(true)

      await page.keyboard.press('Enter')
      await dialog.waitFor()
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      expect(await page.evaluate("document.activeElement.matches('.zoom')")).toBe(true)
      await link.click()
      await dialog.locator('img').click()
      await dialog.waitFor({ state: 'detached' })
      await page.close()
    },
  )

  test('are requested from the first on while style sheets and scripts are still on their way', async () => {
    const page = await browser.newPage({ viewport: PHONE })
    let requested = () => {}
    const first = new Promise<void>((resolve) => (requested = resolve))
    await page.route(/\.(css|js)$/, async (route) => {
      await first
      await route.continue()
    })
    page.on('request', (request) => {
      if (/\.(webp|avif|jpe?g|png)$/.test(request.url())) requested()
    })
    await page.goto(`${site.origin}/default/docs/`)
    await page.close()
  })

  test('open larger than a phone, without a transition for those who want none, and scroll', async () => {
    const page = await browser.newPage({ viewport: PHONE })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await arrive(page, `${site.origin}/default/docs/`)
    await page.getByRole('link', { name: 'A photo' }).click()
    const [wide, seconds] = await page.evaluate<readonly [number, string]>(
      "(({ scrollWidth }, { transitionDuration }) => [scrollWidth, transitionDuration])(document.querySelector('dialog'), getComputedStyle(document.querySelector('dialog')))",
    )
    expect(wide).toBe(768)
    expect(seconds).toBe('0s')
    await page.close()
  })

  test('link to their file without JavaScript, and only where much of them cannot be seen', async () => {
    const page = await opened('default/docs', DESKTOP, { javaScriptEnabled: false })
    const links = page.locator('a.zoom')
    // The third one of the text is beside other words.
    expect(await links.count()).toBe(2)
    expect(await links.first().getAttribute('href')).toMatch(/-4000x3000\.jpg$/)
    await links.first().click()
    expect(page.url()).toMatch(/-4000x3000\.jpg$/)
    await page.close()
    const other = await opened('default/sections', DESKTOP)
    expect(await other.locator('a.zoom').count()).toBe(0)
    await other.close()
  })

  test('keep their focus in sight where a box cuts them', async () => {
    const page = await opened('default/focus', DESKTOP)
    const positions = await page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('.pictures img')].map((img) => getComputedStyle(img).objectPosition)",
    )
    expect(positions).toEqual(['0% 50%', '90% 20%', '50% 50%'])
    await page.close()
  })

  async function opened(
    path: string,
    viewport: typeof PHONE,
    options: { readonly javaScriptEnabled?: boolean } = {},
  ): Promise<Page> {
    const page = await browser.newPage({ viewport, ...options })
    await arrive(page, `${site.origin}/${path}/`)
    return page
  }

  function focusedLabel(page: Page): Promise<unknown> {
    return page.evaluate("document.activeElement.getAttribute('aria-label')")
  }
})

// biome-ignore lint/suspicious/noExplicitAny: run in a browser, whose types this project does not load.
type InBrowser = any

/** Records what moves. */
function WATCH() {
  const { PerformanceObserver, window } = globalThis as InBrowser
  window.moved = []
  const observer = new PerformanceObserver((list: InBrowser) => {
    for (const { value, sources } of list.getEntries())
      window.moved.push(
        `${value.toFixed(4)} ${sources.map(({ node }: InBrowser) => node?.className || node?.nodeName || 'unknown').join(', ')}`,
      )
  })
  observer.observe({ type: 'layout-shift', buffered: true })
}

/** Scrolls to every picture and waits until it has loaded. Returns what has moved. */
async function SCROLL() {
  const { document, window, requestAnimationFrame } = globalThis as InBrowser
  for (const image of document.querySelectorAll('img')) {
    image.scrollIntoView({ block: 'center', inline: 'nearest' })
    // Asked for, as the load event may be that of a file that was chosen before the picture had its width.
    while (!image.complete) await new Promise((resolve) => requestAnimationFrame(resolve))
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }
  return window.moved
}
