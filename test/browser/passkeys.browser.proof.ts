import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type DashboardClient, PASSWORD, signedIn, visitor } from '../support/dashboard.ts'
import { startService } from '../support/service.ts'
import { codeOf } from '../support/totp.ts'
import { checkAxe } from './axe.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'
import { addAuthenticator, addPasskey } from './passkey.ts'

if (CHROMIUM === null)
  console.info('Skipped: passkeys in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

const PASSKEYS = '/dashboard/account/passkeys'
const SIGN_IN = '/dashboard/sign-in/passkey'

describe.skipIf(CHROMIUM === null)('passkeys in a browser', () => {
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
    'are added, named, used for a sign-in and removed, in %s pixels, %s',
    async (width, colorScheme) => {
      const { page, at } = await openSite({ width, colorScheme, bypassCSP: true })
      await page.goto(at('/dashboard/account'))
      await page.getByRole('link', { name: 'Manage passkeys' }).click()
      await checkAxe(page, 'none', width)
      await addPasskey(page)
      await checkAxe(page, 'one', width)
      expect(await page.getByRole('status').textContent()).toContain('The passkey is added.')
      await page.getByLabel('Name of the passkey').fill('Key on my desk')
      await page.getByRole('button', { name: 'Rename' }).click()
      expect(await page.locator('.rows .name').textContent()).toBe('Key on my desk')

      await page.context().clearCookies()
      await page.goto(at('/dashboard/keys'))
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
      await checkAxe(page, 'sign-in', width)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.waitForURL(at('/dashboard/keys'))

      await page.goto(at(PASSKEYS))
      expect(await page.locator('.rows').textContent()).toContain('Last used')
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.getByText('No passkeys yet').waitFor()
      await page.goto(at('/dashboard/account/audit'))
      for (const act of ['can sign in with another passkey since then', 'A passkey of a user was removed'])
        await page.locator('.rows .name', { hasText: act }).waitFor()

      await page.context().clearCookies()
      await page.goto(at('/dashboard/sign-in'))
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByText('The passkey was refused.').waitFor()
      expect(await page.context().cookies()).toEqual([])
    },
    180_000,
  )

  test('replace the code of an app at the second step', async () => {
    const { owner, page, at } = await openSite()
    await page.goto(at(PASSKEYS))
    await addPasskey(page)
    await enableCodes(owner)
    await page.context().clearCookies()
    await page.goto(at('/dashboard/sign-in'))
    await page.getByLabel('E-mail address').fill('owner@localhost')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Code').waitFor()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(at('/dashboard/start'))
  }, 120_000)

  test('are refused when the answer was given to another site, or was used before, or is too old', async () => {
    const { service, page, at, clock } = await openSite()
    await page.goto(at(PASSKEYS))
    await addPasskey(page)
    await page.context().clearCookies()
    const options = async () => (await (await fetch(at(SIGN_IN))).json()) as object
    const answerOn = (tab: Page, given: object) =>
      tab.evaluate<string>(`(async () => {
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(given)})
        return JSON.stringify(await navigator.credentials.get({ publicKey }))
      })()`)
    const send = async (response: string) => {
      const { status, headers } = await visitor(service).post(SIGN_IN, { response })
      return [status, headers.get('set-cookie') !== null]
    }

    // The same host on another port: the authenticator signs for it, and only the origin differs.
    const other = await openOther()
    await page.goto(other)
    expect(await send(await answerOn(page, await options()))).toEqual([401, false])

    await page.goto(at('/dashboard/sign-in'))
    const good = await answerOn(page, await options())
    expect(await send(good)).toEqual([303, true])
    expect(await send(good)).toEqual([401, false])

    const late = await answerOn(page, await options())
    clock.offset += 11 * 60_000
    expect(await send(late)).toEqual([401, false])

    const made = { ...(await options()), challenge: Buffer.alloc(64).toString('base64url') }
    expect(await send(await answerOn(page, made))).toEqual([401, false])
    for (const text of ['', '{}', '[]', 'null', '{"id":"AAAA"}', 'x'.repeat(10_000)])
      expect(await send(text)).toEqual([401, false])
  }, 120_000)

  test('are accepted, when a person adds one, in the session that began it only', async () => {
    const { service, page, at } = await openSite()
    const stranger = await signedIn(service, await service.newUser())
    await page.goto(at(PASSKEYS))
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    const response = await page.evaluate<string>(`(async () => {
      const options = JSON.parse(document.querySelector('[data-passkey]').dataset.options)
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
      return JSON.stringify(await navigator.credentials.create({ publicKey }))
    })()`)
    const stolen = await stranger.post(PASSKEYS, { response, name: 'Mine' })
    expect([stolen.status, stolen.html.includes('No passkeys yet')]).toEqual([422, true])
    const [{ name = '', value = '' } = {}] = await page.context().cookies()
    const owner = visitor(service, `${name}=${value}`)
    const first = await owner.post(PASSKEYS, { response, name: 'Mine' })
    expect(first.location).toBe(`${PASSKEYS}?done=passkeyAdded`)
    const again = await owner.post(PASSKEYS, { response, name: 'Mine' })
    expect(again.status).toBe(400)

    const [, id = ''] = /passkeys\/(psk_\w{16})\/remove/.exec((await owner.get(PASSKEYS)).html) ?? []
    for (const act of ['name', 'remove'])
      expect((await stranger.post(`${PASSKEYS}/${id}/${act}`, { name: 'Stolen' })).status).toBe(404)
    expect((await owner.get(PASSKEYS)).html).toContain('Mine')
  }, 120_000)

  test('say where they work on a host that has none', async () => {
    const service = await startService()
    onTestFinished(() => service.close())
    const owner = await signedIn(service)
    expect((await owner.get(PASSKEYS)).html).toContain(`Open the dashboard at ${service.url}.`)
    expect((await owner.post(`${PASSKEYS}/begin`, { current_password: PASSWORD })).status).toBe(422)
    expect((await visitor(service).get(SIGN_IN)).status).toBe(404)
    expect((await visitor(service).get('/dashboard/sign-in')).html).not.toContain('data-passkey')
  }, 60_000)

  /** A signed-in page with an authenticator, on `localhost`: addresses have no passkeys. */
  async function openSite({
    width = 1280,
    colorScheme = 'light' as 'light' | 'dark',
    bypassCSP = false,
  } = {}) {
    const clock = { offset: 0 }
    const started = await startService({ now: () => new Date(Date.now() + clock.offset).toISOString() })
    onTestFinished(() => started.close())
    const service = { ...started, url: started.url.replace('127.0.0.1', 'localhost') }
    const owner = await signedIn(service)
    const [name = '', value = ''] = owner.cookie?.split('=') ?? []
    const at = (path: string) => service.url + path
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      bypassCSP,
    })
    onTestFinished(() => context.close())
    await context.addCookies([{ name, value, url: at('/') }])
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await addAuthenticator(page)
    return { service, owner, page, at, clock }
  }
})

/** From here on, the sign-ins of a person need a code. */
async function enableCodes(owner: DashboardClient): Promise<void> {
  const codes = '/dashboard/account/codes'
  await owner.submit(codes, `${codes}/begin`, { current_password: PASSWORD })
  const [, secret = ''] = /<code class="secret">([A-Z2-7 ]+)/.exec((await owner.get(codes)).html) ?? []
  const { status } = await owner.submit(codes, `${codes}/enable`, { code: codeOf(secret, Date.now()) })
  expect(status).toBe(200)
}

/** A site of another owner on the same host. */
async function openOther(): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>Other</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}
