import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest'
import { PASSWORD, signedIn } from '../support/dashboard.ts'
import { startService } from '../support/service.ts'
import { codeOf } from '../support/totp.ts'
import { checkAxe } from './axe.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'

if (CHROMIUM === null)
  console.info(
    'Skipped: codes of an app in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.',
  )

describe.skipIf(CHROMIUM === null)('codes of an app in a browser', () => {
  let browser: Browser

  beforeAll(async () => {
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
      await checkAxe(page, 'account', width)
      await page.getByRole('link', { name: 'Manage codes' }).click()
      await checkAxe(page, 'begin', width)
      await page.getByLabel('Current password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Continue' }).click()
      const secret = (await page.locator('.secret').textContent()) ?? ''
      await page.getByLabel('Code').fill('12')
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByLabel('Code').fill(codeOf(secret, Date.now()))
      await checkAxe(page, 'add', width)
      await page.getByRole('button', { name: 'Turn on' }).click()
      await checkAxe(page, 'recovery', width)
      await page.getByRole('link', { name: 'I have them' }).click()
      await checkAxe(page, 'enabled', width)

      await context.clearCookies()
      await page.goto(`${service.url}/dashboard`)
      await page.getByLabel('E-mail address').fill('owner@localhost')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Code').waitFor()
      await checkAxe(page, 'sign-in', width)
      await page.getByLabel('Code').fill(codeOf(secret, Date.now() + 30_000))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`${service.url}/dashboard/start`)
      await context.close()
    },
    180_000,
  )
})
