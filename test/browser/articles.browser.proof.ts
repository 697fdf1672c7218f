import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LONG_FORM } from '../support/long-form.ts'
import { THEME_NAMES } from '../theme/load-built-in.ts'
import { ARTICLE_PATHS, serveArticleSite } from './article-site.ts'
import type { BuiltSite } from './built-site.ts'
import { arrive, CHROMIUM, launchChromium } from './chromium.ts'

const LOOKS = [
  { width: 1280, colorScheme: 'light' },
  { width: 400, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'dark' },
  { width: 400, colorScheme: 'light' },
] as const
/** Folder for screenshots; none by default. */
const SHOTS = process.env['QUOIN_SHOTS'] ?? ''

if (CHROMIUM === null)
  console.info('Skipped: articles in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

describe.skipIf(CHROMIUM === null)('articles, their lists and media', () => {
  let browser: Browser
  let axe: string

  beforeAll(async () => {
    browser = await launchChromium()
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  })
  afterAll(() => browser.close())

  describe.each(LONG_FORM ? THEME_NAMES : THEME_NAMES.slice(1, 2))('in the theme %s', (theme) => {
    let site: BuiltSite

    beforeAll(async () => {
      site = await serveArticleSite(theme)
    })
    afterAll(() => site.close())

    test.each(Object.entries(ARTICLE_PATHS))('%s passes axe and fits its window', async (name, path) => {
      const page = await browser.newPage({ reducedMotion: 'reduce' })
      await arrive(page, site.origin + path)
      await page.evaluate(axe)
      for (const { width, colorScheme } of LONG_FORM ? LOOKS : LOOKS.slice(0, 2)) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        expect.soft(await violationsIn(page), `${width} px, ${colorScheme}`).toEqual([])
        expect.soft(await page.evaluate('document.documentElement.scrollWidth'), `${width} px`).toBe(width)
        if (SHOTS !== '') await shoot(page, `${theme} ${name} ${width} ${colorScheme}`)
      }
      await page.close()
    })

    test('the search dialog passes axe with hits', async () => {
      const page = await browser.newPage({ reducedMotion: 'reduce' })
      await arrive(page, `${site.origin}/blog/a5/`)
      await page.evaluate(axe)
      await page.locator('.search-open').click()
      await page.getByRole('combobox').fill('wedge')
      await page.locator('[role="option"]').first().waitFor()
      for (const { width, colorScheme } of LOOKS) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        expect.soft(await violationsIn(page), `${width} px, ${colorScheme}`).toEqual([])
        if (SHOTS !== '') await shoot(page, `${theme} search ${width} ${colorScheme}`)
      }
      await page.close()
    })
  })
})

async function violationsIn(page: Page): Promise<string[]> {
  const options = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
  )
}

async function shoot(page: Page, name: string): Promise<void> {
  await mkdir(SHOTS, { recursive: true })
  await page.screenshot({ path: join(SHOTS, `${name.replaceAll(' ', '-')}.png`), fullPage: true })
}
