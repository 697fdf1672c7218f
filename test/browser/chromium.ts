import { existsSync } from 'node:fs'

import { type Browser, chromium, type Page } from 'playwright-core'

const EXECUTABLE = process.env['QUOIN_CHROMIUM'] ?? '/usr/bin/chromium'

/** Path of the browser. Null if it is not installed. */
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
 * Opens an address and waits until the page has loaded and sends no more requests. Both are needed: Playwright calls the
 * network idle after half a second without a request, which on a busy machine happens before the document is parsed. Only
 * the time limit of the test ends the wait.
 */
export async function arrive(page: Page, address: string): Promise<void> {
  await page.goto(address, { timeout: 0 })
  await page.waitForLoadState('networkidle', { timeout: 0 })
}

/**
 * Presses Enter to leave the page, without waiting: the browser may never acknowledge a key that navigates. Do not wait
 * for the page to close either, which waits for the key. Closing the browser closes it.
 */
export function leaveByEnter(page: Page): void {
  page.keyboard.press('Enter').catch(() => {})
}
