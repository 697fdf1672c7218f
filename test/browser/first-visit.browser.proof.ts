import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { SAMPLE_SITES } from '../support/sample-sites.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startSite } from '../support/visited-site.ts'
import { arrive, CHROMIUM, launchChromium } from './chromium.ts'

if (CHROMIUM === null)
  console.info('Skipped: first visits in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

const KB = 1000
const WIDE = { width: 1440, height: 900 }
const NARROW = { width: 390, height: 844 }

/** A response that a browser loads to show a page for the first time. */
interface Loaded {
  readonly path: string
  readonly type: string
  /** Size after gzip. */
  readonly bytes: number
}

describe.skipIf(CHROMIUM === null)('the first visit', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  // Docs pages have 30 KB, landings 45. The landing and the two long references, which have more text than fits into a
  // page of 30 KB, have limits of their own that keep them from growing unnoticed.
  test.each([
    ['/', 31, WIDE],
    ['/', 31, NARROW],
    ['/docs/', 30, WIDE],
    ['/docs/reference/content-folders/', 31, WIDE],
    ['/docs/reference/command-line/', 36, WIDE],
    ['/docs/reference/operator-commands/', 33, WIDE],
  ])('loads for %s at most %d KB by 6 requests, at %o', async (path, most, size) => {
    const visit = await startSite({ site: await demoSite(), sandboxed: false })
    const loaded = await load(visit.site + path, size)
    const bytesOf = (kind: string) =>
      loaded.filter(({ type }) => type.includes(kind)).reduce((sum, { bytes }) => sum + bytes, 0)
    expect(bytesOf('html')).toBeGreaterThan(0)
    // The browser loads the icon of the site once more, for the tab.
    const addresses = new Set(loaded.map(({ path }) => path))
    expect(addresses.size, JSON.stringify(loaded)).toBeLessThanOrEqual(6)
    expect(bytesOf('')).toBeLessThan(most * KB)
    expect(bytesOf('javascript')).toBeLessThan(8 * KB)
    expect(bytesOf('css')).toBeLessThan(18.5 * KB)
  })

  async function load(url: string, viewport: typeof WIDE): Promise<readonly Loaded[]> {
    const page = await browser.newPage({ viewport })
    const loading: Promise<Loaded>[] = []
    page.on('response', (response) =>
      loading.push(
        response.body().then((body) => ({
          path: new URL(response.url()).pathname,
          type: response.headers()['content-type'] ?? '',
          bytes: gzipSync(body).length,
        })),
      ),
    )
    await arrive(page, url)
    // A closed page has no bodies left to read: those of all responses are read before.
    page.removeAllListeners('response')
    const loaded = await Promise.all(loading)
    await page.close()
    return loaded
  }
})

/** The files of the documentation site, built with the default theme. */
async function demoSite(): Promise<Record<string, Buffer>> {
  const out = join(await temporaryFolder(), 'dist')
  const built = startCommand(['build', SAMPLE_SITES.quoin, '--out', out, '--url', 'https://docs.example.com'])
  expect(await built.ended).toMatchObject({ code: 0 })
  const entries = await readdir(out, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const bodies = files.map(async (file) => [file.slice(out.length + 1), await readFile(file)] as const)
  return Object.fromEntries(await Promise.all(bodies))
}
