import { existsSync } from 'node:fs'

import { type Browser, chromium, type Page } from 'playwright-core'

const EXECUTABLE = process.env['QUOIN_CHROMIUM'] ?? '/usr/bin/chromium'

/** The browser to test in, or null where there is none. */
export const CHROMIUM = existsSync(EXECUTABLE) ? EXECUTABLE : null

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/**
 * Opens an address and waits until the page has loaded and asks for nothing more. Both are needed:
 * the network is idle for Playwright as soon as nothing was asked for half a second, which on a busy
 * machine happens before the browser has parsed the document.
 */
export async function arrive(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.waitForLoadState('networkidle')
}

/**
 * A key that leads away from its page may never be acknowledged by the browser, so nobody waits for
 * that; nor for such a page to close, which waits for the key: the browser's end closes it.
 */
export function leaveByEnter(page: Page): void {
  page.keyboard.press('Enter').catch(() => {})
}
