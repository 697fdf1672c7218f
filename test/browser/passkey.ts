import type { Page } from 'playwright-core'
import { PASSWORD } from '../support/dashboard.ts'

/** An authenticator as a phone has one, which says yes to everything. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Adds a passkey on the page of passkeys, with the password of the tests. */
export async function addPasskey(page: Page): Promise<void> {
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Name of the passkey').fill('Phone')
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.locator('.rows .name').waitFor()
}
