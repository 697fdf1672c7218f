import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { objectHeaders } from '../../src/domain/artifact.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { temporarySite } from '../site-build/temporary-site.ts'
import { arrive, CHROMIUM, launchChromium } from './chromium.ts'

if (CHROMIUM === null)
  console.info('Skipped: icons in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

test.skipIf(CHROMIUM === null)(
  'a browser finds every icon of a site under any path, in each theme, and reports nothing',
  { timeout: 120_000 },
  async () => {
    const browser = await launchChromium()
    for (const theme of ['default', 'dark', 'minimal']) {
      const { folder, out } = await temporarySite()
      const args = [join(PACKAGE_ROOT, 'dist/cli.js'), 'build', folder, '--out', out, '--theme', theme]
      await promisify(execFile)(process.execPath, args)
      const missing: string[] = []
      const server = createServer(async ({ url = '' }, response) => {
        const path = new URL(url, 'http://x').pathname
          .replace(/^\/help\//, '')
          .replace(/(^|\/)$/, '$1index.html')
        const body = await readFile(join(out, path)).catch(() => null)
        if (body === null) missing.push(url)
        response
          .writeHead(body === null ? 404 : 200, { 'content-type': objectHeaders(path).contentType })
          .end(body)
      })
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const page = await browser.newPage()
      const reported: string[] = []
      page.on('console', (message) => reported.push(message.text()))
      page.on('pageerror', (error) => reported.push(String(error)))
      await arrive(page, `${origin}/help/docs/a/`)
      const hrefs: string[] = await page.$$eval(
        'link[rel*="icon"], link[rel="manifest"]',
        (links: unknown[]) => links.map((link) => (link as { href: string }).href),
      )
      expect(hrefs.map((href) => href.slice(origin.length))).toEqual([
        '/help/favicon.ico',
        '/help/_icons/icon.svg',
        '/help/apple-touch-icon.png',
        '/help/site.webmanifest',
      ])
      for (const href of hrefs) expect((await fetch(href)).status, href).toBe(200)
      const manifest = JSON.parse(await (await fetch(`${origin}/help/site.webmanifest`)).text())
      for (const { src } of manifest.icons)
        expect((await fetch(new URL(src, `${origin}/help/site.webmanifest`))).status, src).toBe(200)
      expect({ theme, reported, missing }).toEqual({ theme, reported: [], missing: [] })
      await page.close()
      await new Promise((done) => server.close(done).closeAllConnections())
    }
    await browser.close()
  },
)
