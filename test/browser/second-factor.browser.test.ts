import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { totpCode } from '../../src/secrets/totp.ts'
import { PASSWORD, signedIn } from '../support/dashboard.ts'
import { startService } from '../support/service.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'

if (CHROMIUM === null)
  console.info(
    'Skipped: codes of an app in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.',
  )

describe.skipIf(CHROMIUM === null)('codes of an app in a browser', () => {
  let browser: Browser
  let axe: string

  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
  })

  test.each([
    [390, 'dark'],
    [1280, 'light'],
  ] as const)(
    'lead from the account page to a sign-in with a code, in %s pixels, %s',
    async (width, colorScheme) => {
      const service = await startService()
      onTestFinished(() => service.close())
      const { cookie } = await signedIn(service)
      const [name = '', value = ''] = cookie?.split('=') ?? []
      const viewport = { width, height: 900 }
      const context = await browser.newContext({ viewport, colorScheme, bypassCSP: true })
      await context.addCookies([{ name, value, url: service.url }])
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)

      await page.goto(`${service.url}/dashboard/account`)
      await check(page, width, 'account')
      await page.getByRole('link', { name: 'Manage codes' }).click()
      await check(page, width, 'begin')
      await page.getByLabel('Current password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Continue' }).click()
      const secret = (await page.locator('.secret').textContent()) ?? ''
      await page.getByLabel('Code').fill('12')
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByLabel('Code').fill(codeOf(secret, 0))
      await check(page, width, 'add')
      await page.getByRole('button', { name: 'Turn on' }).click()
      await check(page, width, 'recovery')
      await page.getByRole('link', { name: 'I have them' }).click()
      await check(page, width, 'enabled')

      await context.clearCookies()
      await page.goto(`${service.url}/dashboard`)
      await page.getByLabel('E-mail address').fill('owner@localhost')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Code').waitFor()
      await check(page, width, 'sign-in')
      await page.getByLabel('Code').fill(codeOf(secret, 1))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`${service.url}/dashboard/start`)
      await context.close()
    },
    180_000,
  )

  async function check(page: Page, width: number, name: string): Promise<void> {
    await page.addScriptTag({ content: axe })
    const { violations } = (await page.evaluate('axe.run(document)')) as AxeResults
    expect([name, violations.map(({ id, nodes }) => [id, nodes[0]?.html])]).toEqual([name, []])
    expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width])
  }
})

/** The code that an app with this key shows, or will show some steps later. */
function codeOf(secret: string, later: number): string {
  const bits = [...secret.replaceAll(' ', '')].map((one) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'),
  )
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  return totpCode(Buffer.from(bytes), Math.floor(Date.now() / 30_000) + later)
}
