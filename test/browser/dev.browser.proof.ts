import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const PARAGRAPHS = Array.from({ length: 60 }, (_, n) => `Paragraph ${n}.`).join('\n\n')

if (CHROMIUM === null)
  console.info('Skipped: quoin dev in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

describe.skipIf(CHROMIUM === null)('quoin dev in a browser', () => {
  let browser: Browser
  let axe: string
  beforeAll(async () => {
    browser = await launchChromium()
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  })
  afterAll(() => browser.close())

  test('reloads a page after a save, keeps its scroll position, and shows diagnostics', async () => {
    const { folder, theme, origin } = await startDev()
    const page = await browser.newPage({ viewport: { width: 1000, height: 600 } })
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(`${origin}/a/`)
    await listening(page)
    await page.evaluate('scrollTo(0, 700)')

    await save(join(folder, 'a.md'), `Saved.\n\n${PARAGRAPHS}`)
    await shows(page, 'Saved.')
    await becomes(page, 'Math.abs(scrollY - 700) < 2')

    await listening(page)
    await page.evaluate(`document.body.setAttribute('data-same', '')`)
    await writeFile(join(theme, 'style.css'), 'h1 { outline: 7px solid }')
    await becomes(
      page,
      `document.querySelector('h1') !== null && getComputedStyle(document.querySelector('h1')).outlineWidth === '7px'`,
    )
    await becomes(page, `document.querySelectorAll('link[rel="stylesheet"]').length === 1`)
    expect(await page.locator('body[data-same]').count()).toBe(1)

    await writeFile(join(folder, 'a.md'), '---\ntitle: A\nnav_order: soon\n---\n\nBad.\n')
    const dialog = page.locator('quoin-dev dialog')
    await dialog.waitFor({ state: 'visible' })
    expect(await dialog.innerText()).toContain('a.md:3:1')
    expect(await dialog.innerText()).toContain('nav_order: soon')
    expect(await page.locator('body[data-same]').count()).toBe(1)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    const pill = page.locator('quoin-dev .pill')
    expect(await pill.innerText()).toBe('1 error')
    await pill.press('Enter')
    await dialog.waitFor({ state: 'visible' })

    await save(join(folder, 'a.md'), 'Fixed, to [B](/b).', 'draft: true\n')
    await shows(page, 'Fixed')
    await pill.waitFor({ state: 'visible' })
    expect(await dialog.isVisible()).toBe(false)
    await becomes(
      page,
      `document.querySelector('quoin-dev').shadowRoot.textContent.includes('Draft · 1 warning')`,
    )
    await pill.press('Enter')
    expect(await dialog.innerText()).toContain('The link "/b" is dead')
    await expectAccessible(page)
    expect(problems).toEqual([])

    // A page without a file appears after its file is saved.
    await page.goto(`${origin}/later/`)
    await listening(page)
    await save(join(folder, 'later.md'), 'Here.')
    await shows(page, 'Here.')
    await page.close()
  })

  test.runIf(LONG_FORM)('the tools show any page and any section, and work by keyboard', async () => {
    const { origin } = await startDev()
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(`${origin}/__quoin/`)
    await page.waitForSelector('iframe')
    expect(await page.locator('iframe').count()).toBe(3)
    expect(await page.locator('select[name=theme]').inputValue()).toBe('mine')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/__quoin/#sections')
    await page.selectOption('select[name=section]', 'hero')
    await page.selectOption('select[name=theme]', 'dark')
    await page.waitForURL('**section=hero&sample=*&theme=dark**')
    expect(await page.locator('h2').allInnerTexts()).toContain('hero-full · dark')
    const hero = page.frameLocator('iframe').first()
    await hero.locator('h1').first().waitFor()
    await page.selectOption('select[name=sample]', 'hero-minimal')
    await page.waitForURL('**sample=hero-minimal**')
    expect(await page.locator('iframe').count()).toBe(1)
    await expectAccessible(page)
    expect(problems).toEqual([])
    await page.close()
  })

  /** Runs axe in light and in dark mode. */
  async function expectAccessible(page: Page): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      // Through the driver, which the Content-Security-Policy of pages does not restrict.
      await page.evaluate(axe)
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run(of: object, how: object): Promise<AxeResults> } }).axe.run(
          // Frames contain pages, which have their own tests.
          (globalThis as unknown as { document: object }).document,
          { iframes: false },
        ),
      )
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)).toEqual([])
    }
  }
})

async function startDev() {
  const parent = await temporaryFolder()
  const folder = join(parent, 'site')
  const theme = join(parent, 'mine')
  await mkdir(folder)
  await cp(join(root, 'themes/minimal'), theme, { recursive: true })
  const manifest = JSON.parse(await readFile(join(theme, 'theme.json'), 'utf8'))
  await writeFile(join(theme, 'theme.json'), JSON.stringify({ ...manifest, name: 'mine' }))
  await writeFile(join(folder, 'site.yaml'), 'name: Notes\n')
  await save(join(folder, 'a.md'), PARAGRAPHS)
  const command = startCommand(['dev', folder, '--port', '0', '--theme-folder', theme, '--trust'])
  const [, origin = ''] = await command.line(/ready at (\S+)\/\n/)
  return { folder, theme, origin }
}

function save(file: string, body: string, more = ''): Promise<void> {
  return writeFile(file, `---\ntitle: A\n${more}---\n\n${body}\n`)
}

/** Waits until the script has fetched the state of the page. From then on it misses no change. */
async function listening(page: Page): Promise<void> {
  await becomes(
    page,
    `performance.getEntriesByType('resource').some(({ name }) => name.includes('/__quoin/state'))`,
  )
}

/** Polls through the driver, which the Content-Security-Policy of pages does not restrict. Survives navigation. */
async function becomes(page: Page, claim: string): Promise<void> {
  const isTrue = () =>
    page.evaluate<boolean>(claim).catch((error: Error) => {
      if (/context was destroyed|because of a navigation/.test(error.message)) return false
      throw error
    })
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10))
}

async function shows(page: Page, text: string): Promise<void> {
  await becomes(page, `document.body?.innerText.includes(${JSON.stringify(text)}) === true`)
}
