import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SITE_TEMPLATES } from '../../src/cli/init.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { THEME_NAMES } from '../theme/load-built-in.ts'
import { checkAxe } from './axe.ts'
import { type BuiltSite, quoin, serveFolder } from './built-site.ts'
import { arrive, CHROMIUM, launchChromium, watchRequests } from './chromium.ts'
import { expectNoShift } from './layout-shift.ts'

/* What a person sees who has created a site from a template and changed nothing yet. */

if (CHROMIUM === null)
  console.info('Skipped: templates in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

const KB = 1000
/** Without pictures, after gzip. */
const MAX_BYTES = { landing: 45 * KB, docs: 30 * KB }
/** Without pictures. */
const MAX_REQUESTS = 6

interface Look {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
}
const LOOKS: readonly Look[] = [
  { width: 390, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
  { width: 820, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 820, colorScheme: 'light' },
]

/** The layout shift of a row or of a hero of which a busy machine painted a part first. */
const PARTLY_PAINTED = 0.02

/** The controls of a page whose font no text of the page has. Browsers give them one of their own. */
const OTHER_FONTS = `(() => {
  const controls = 'button, input:not([type="checkbox"], [type="radio"]), select, textarea, summary'
  const fontOf = (element) => getComputedStyle(element).fontFamily
  const fonts = new Set([...document.querySelectorAll('main :not(' + controls + ')')].map(fontOf))
  const shown = [...document.querySelectorAll(controls)].filter((control) => control.checkVisibility())
  return shown.filter((control) => !fonts.has(fontOf(control))).map((control) => control.outerHTML)
})()`

/** Set to test every template in every theme and look, which takes hours. */
const ALL = process.env['QUOIN_TEMPLATES'] === 'all'

/** Otherwise in the theme that it is written for. */
const CASES = Object.keys(SITE_TEMPLATES).flatMap((name) =>
  (ALL ? [null, ...THEME_NAMES] : [null]).map((theme) => ({ name, theme, in: theme ?? 'its own' })),
)

/** Otherwise one, in the long form light and dark at one width; another for the next template. */
function looksOf(name: string): readonly Look[] {
  const every = LONG_FORM ? LOOKS.length / 2 : LOOKS.length
  const turn = Object.keys(SITE_TEMPLATES).indexOf(name) % every
  return LOOKS.filter((_, index) => ALL || index % every === turn)
}

describe.skipIf(CHROMIUM === null).each(CASES)(
  'a site from the template $name in the theme $in',
  ({ name, theme }) => {
    let browser: Browser
    let site: BuiltSite
    let paths: readonly string[]
    const turn = Object.keys(SITE_TEMPLATES).indexOf(name)
    let folder: string

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'quoin-template-'))
      const content = join(folder, 'site')
      const out = join(folder, 'dist')
      await quoin(folder, 'init', content, '--template', name)
      const chosen = theme === null ? [] : ['--theme', theme]
      expect(await quoin(folder, 'build', content, '--out', out, '--strict', ...chosen)).not.toMatch(/QN-/)
      const all = await pagesOf(out)
      // Others for the next template; each has its front page.
      paths = LONG_FORM || ALL ? all : all.filter((path, index) => path === '/' || index % 3 === turn % 3)
      ;[browser, site] = await Promise.all([launchChromium(), serveFolder(out)])
    })
    afterAll(async () => {
      await browser?.close()
      await site?.close()
      await rm(folder, { recursive: true, force: true })
    })

    test.each(looksOf(name))(
      'is accessible, light and silent, and requests nothing of others, at $width px, $colorScheme',
      async ({ width, colorScheme }) => {
        const context = await browser.newContext({
          viewport: { width, height: 900 },
          colorScheme,
          bypassCSP: true,
        })
        for (const path of paths) {
          const page = await context.newPage()
          const { messages, foreign, loading } = listenTo(page)
          await arrive(page, site.origin + path)
          // A closed page has no bodies left to read: those of all responses are read before.
          page.removeAllListeners('response')
          const loaded = await Promise.all(loading)
          const bytes = loaded.reduce((sum, each) => sum + each.bytes, 0)
          const limit = MAX_BYTES[path.startsWith('/docs/') ? 'docs' : 'landing']
          expect([path, loaded, bytes <= limit]).toEqual([path, loaded, true])
          expect(loaded.length, path).toBeLessThanOrEqual(MAX_REQUESTS)
          await showAll(page)
          await expectNoShift(page, path, PARTLY_PAINTED)
          await checkAxe(page, path, width)
          expect([path, messages, foreign]).toEqual([path, [], []])
          await page.close()
        }
        await context.close()
      },
    )

    test('shows its text, and no control that does nothing, without JavaScript', async () => {
      const context = await browser.newContext({
        viewport: { width: 390, height: 900 },
        javaScriptEnabled: false,
      })
      const page = await context.newPage()
      for (const path of paths) {
        await arrive(page, site.origin + path)
        expect([path, await page.locator('h1').first().isVisible()]).toEqual([path, true])
        const controls = await page
          .locator('button:not([type="submit"]):visible, [role="tab"]:visible')
          .count()
        expect([path, 'controls that do nothing', controls]).toEqual([path, 'controls that do nothing', 0])
        expect([path, await page.evaluate(OTHER_FONTS)]).toEqual([path, []])
      }
      await context.close()
    })
  },
)

async function pagesOf(out: string): Promise<readonly string[]> {
  const entries = await readdir(out, { recursive: true })
  return entries
    .filter((file) => /(^|\/)index\.html$/.test(file))
    .map((file) => `/${file.replace(/index\.html$/, '')}`)
    .sort()
}

function listenTo(page: Page) {
  const messages: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(error.message))
  /** What is loaded besides pictures. */
  const loading: Promise<{ readonly path: string; readonly bytes: number }>[] = []
  page.on('response', (response) => {
    if (/^image\//.test(response.headers()['content-type'] ?? '')) return
    const { pathname } = new URL(response.url())
    loading.push(response.body().then((body) => ({ path: pathname, bytes: gzipSync(body).length })))
  })
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') foreign.push(request.url())
  })
  return { messages, foreign, loading }
}

/** Scrolls through the page, so that late pictures load. */
async function showAll(page: Page): Promise<void> {
  const requests = watchRequests(page)
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  for (let top = 0; top < height; top += 800) {
    await page.evaluate(`window.scrollTo({ top: ${top}, behavior: 'instant' })`)
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    )
  }
  await requests.quiet()
  await page.evaluate("window.scrollTo({ top: 0, behavior: 'instant' })")
}
