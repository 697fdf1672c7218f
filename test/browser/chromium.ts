import { existsSync } from 'node:fs'

import { type Browser, chromium } from 'playwright-core'

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
