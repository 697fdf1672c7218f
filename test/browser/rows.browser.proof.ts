import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { signedIn } from '../support/dashboard.ts'
import { startService } from '../support/service.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'

if (CHROMIUM === null)
  console.info('Skipped: rows in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

describe.skipIf(CHROMIUM === null)('the tree of the docs in a browser', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
  })

  test('is ordered with the mouse, and saved by one request', async () => {
    const { page, saved, requests } = await openTree()
    await dragTo(page, 'Install', 'Intro', 0)
    await dragTo(page, 'Deploy', 'Install', 30)
    expect(await titlesOf(page)).toEqual(['Install 0', 'Deploy 1', 'Intro 0'])
    expect(requests).toEqual([])
    await save(page)
    expect(requests).toEqual(['POST'])
    expect(await saved()).toEqual([{ title: 'Install', children: [{ title: 'Deploy' }] }, { title: 'Intro' }])
  }, 120_000)

  test('is ordered with the keyboard alone, and keeps the focus', async () => {
    const { page, saved } = await openTree()
    await handleOf(page, 'Deploy').focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowRight')
    expect(await titlesOf(page)).toEqual(['Intro 0', 'Deploy 1', 'Install 0'])
    expect(await handleOf(page, 'Deploy').textContent()).toMatch(/2$/)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowUp')
    expect(await titlesOf(page)).toEqual(['Deploy 0', 'Intro 0', 'Install 0'])
    await save(page)
    expect(await saved()).toEqual([{ title: 'Deploy' }, { title: 'Intro' }, { title: 'Install' }])
  }, 120_000)

  test('is ordered by buttons without JavaScript', async () => {
    const { page, saved } = await openTree({ javaScriptEnabled: false })
    expect(await page.locator('[data-handle]:visible').count()).toBe(0)
    await form(page).locator('[value="up.docs.2"]').click()
    await form(page).locator('[value="in.docs.1"]').click()
    await save(page)
    expect(await saved()).toEqual([{ title: 'Intro', children: [{ title: 'Deploy' }] }, { title: 'Install' }])
  }, 120_000)

  async function openTree({ javaScriptEnabled = true } = {}) {
    const service = await startService()
    onTestFinished(() => service.close())
    const project = await service.newProject('Docs')
    const titles = ['Intro', 'Install', 'Deploy']
    await service.call('PUT', `/projects/${project}/settings`, {
      docs_nav: titles.map((title) => ({ title })),
    })
    const { cookie } = await signedIn(service)
    const [name = '', value = ''] = cookie?.split('=') ?? []
    const context = await browser.newContext({ viewport: { width: 1280, height: 1400 }, javaScriptEnabled })
    onTestFinished(() => context.close())
    await context.addCookies([{ name, value, url: service.url }])
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(`${service.url}/dashboard/projects/${project}/navigation`)
    await page.locator('summary', { hasText: 'Docs' }).click()
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.method() === 'POST') requests.push(request.method())
    })
    const saved = async () =>
      (await service.call('GET', `/projects/${project}/settings`)).body.data.docs_nav as object[]
    return { page, requests, saved }
  }
})

const form = (page: Page) => page.locator('form:has(input[name="table"][value="docs"])')
const rowOf = (page: Page, title: string) =>
  form(page).locator(`li:has(input[name$=".title"][value="${title}"])`)
const handleOf = (page: Page, title: string) => rowOf(page, title).locator('[data-handle]')

async function save(page: Page): Promise<void> {
  await form(page).locator('.form-foot').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved.').waitFor()
}

/** Each row with how deep it is. */
function titlesOf(page: Page): Promise<string[]> {
  return form(page)
    .locator('ol > li')
    .evaluateAll((items) =>
      items.map((item) => {
        const value = (suffix: string) =>
          (item.querySelector(`[name$=".${suffix}"]`) as unknown as { value: string } | null)?.value
        return `${value('title')} ${value('depth')}`
      }),
    )
}

/** Drags a row onto the upper half of another one, or sideways below it. */
async function dragTo(page: Page, title: string, target: string, deeper: number): Promise<void> {
  const from = (await handleOf(page, title).boundingBox()) ?? expect.unreachable()
  const to = (await rowOf(page, target).boundingBox()) ?? expect.unreachable()
  const [x, y] = [from.x + from.width / 2, from.y + from.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + deeper, deeper === 0 ? to.y + 2 : to.y + to.height - 2, { steps: 8 })
  await page.mouse.up()
}
