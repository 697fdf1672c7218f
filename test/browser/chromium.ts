import { existsSync } from 'node:fs'

import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, chromium, type Page, type Request } from 'playwright-core'

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

/** How long a page sends nothing before it is quiet. */
const QUIET_MS = 500

export interface WatchedRequests {
  /** Waits until no request is under way and none was for half a second. Only the time limit of the test ends the wait. */
  quiet(): Promise<void>
}

/**
 * Watches the requests of a page from now on. Used instead of Playwright's `networkidle`, which may never come on a busy
 * machine (https://github.com/microsoft/playwright/issues/42598) and, once it came, is not taken back by later requests.
 */
export function watchRequests(page: Page): WatchedRequests {
  const underWay = new Set<Request>()
  let lastChange = performance.now()
  // A stream of events does not end while the page is open.
  const start = (request: Request) => {
    if (request.resourceType() !== 'eventsource') underWay.add(request)
    lastChange = performance.now()
  }
  const end = (request: Request) => {
    underWay.delete(request)
    lastChange = performance.now()
  }
  page.on('request', start).on('requestfinished', end).on('requestfailed', end)
  return {
    async quiet() {
      while (underWay.size > 0 || performance.now() - lastChange < QUIET_MS) await wait(20)
      page.off('request', start).off('requestfinished', end).off('requestfailed', end)
    },
  }
}

/** Opens an address and waits until the page has loaded and sends no more requests. */
export async function arrive(page: Page, address: string): Promise<void> {
  const requests = watchRequests(page)
  await page.goto(address, { timeout: 0 })
  await requests.quiet()
}

/**
 * Presses Enter to leave the page, without waiting: the browser may never acknowledge a key that navigates. Do not wait
 * for the page to close either, which waits for the key. Closing the browser closes it.
 */
export function leaveByEnter(page: Page): void {
  page.keyboard.press('Enter').catch(() => {})
}
