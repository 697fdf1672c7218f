import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finishedJob } from '../support/finished-job.ts'
import { LONG_FORM, some } from '../support/long-form.ts'
import { startService, type TestService } from '../support/service.ts'
import { CHROMIUM, launchChromium, leaveByEnter } from './chromium.ts'

const PAGES = [
  [
    'wedge',
    'The wedge',
    'A lead.\n\n## Locking up\n\nDrive the quoin home.\n\n## Unlocking\n\nTap it out.',
    'en',
  ],
  ['chase', 'The chase', 'An iron frame that the quoins hold the type in.', 'en'],
  [
    'proofs',
    'Proofs',
    'Before anything is printed for readers, every line of the text is read twice, by two people, on a sheet that was pulled from the galley by hand.',
    'en',
  ],
  ['ja', '全文検索', 'このサイトでは日本語の文章を探せます。', 'ja'],
  ['zh', '发布页面', '页面发布以后马上可以找到。', 'zh'],
  ['ko', '검색 안내', '데이터를 빠르게 찾습니다.', 'ko'],
  ['ar', 'دليل البحث', 'يمكنك العثور على كل صفحة.', 'ar'],
  ...Array.from(
    { length: 12 },
    (_, index) => [`case-${index}`, `Case ${index}`, 'It holds sorts.', 'en'] as const,
  ),
] as const

if (CHROMIUM === null)
  console.info('Skipped: search in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

describe.skipIf(CHROMIUM === null)('search in a browser', () => {
  let service: TestService
  let browser: Browser
  let axe: string
  let site: string

  beforeAll(async () => {
    service = await startService()
    browser = await launchChromium()
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const project = await service.newProject('Acme')
    site = `${service.url}/public/${project}`
    const ids: string[] = []
    for (const [slug, title, markdown_content, lang] of PAGES) {
      const body = { project_id: project, title, slug, subroute: 'docs', type: 'docs', markdown_content }
      const made = await service.call('POST', '/pages', { ...body, config: { lang } })
      ids.push(made.body.data.id)
    }
    // A job goes on where a request would run out of time on a busy machine.
    const job = await service.call('POST', `/projects/${project}/publish`, { pages: ids })
    expect(await finishedJob(service, job.body.data.id)).toMatchObject({ done: ids.length, failed: [] })
    for (let total = 0; total < PAGES.length; await new Promise((done) => setTimeout(done, 100))) {
      const manifest = await fetch(`${site}/_search.json`)
      total = manifest.ok ? ((await manifest.json()) as { total: number }).total : 0
    }
  })
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  test('works by keyboard, from the page to a hit', async () => {
    const { page, requests, problems } = await visit('/docs/wedge/')
    expect(requests.some((path) => path.includes('search'))).toBe(false)
    expect(await shifted(page)).toBe(0)

    await page.keyboard.press('/')
    await opened(page)
    expect(requests.some((path) => path.endsWith('_search.json'))).toBe(false)
    await page.keyboard.type('quoin')
    await hits(page, 2)
    expect(await page.textContent('[role=status]')).toBe('Results: 2')
    expect(await page.getAttribute('[role=combobox]', 'aria-expanded')).toBe('true')
    await page.keyboard.press('ArrowDown')
    expect(await activeHit(page)).toContain('The wedge')
    await page.keyboard.press('ArrowDown')
    expect(await activeHit(page)).toContain('Locking up')
    await page.keyboard.press('ArrowDown')
    expect(await activeHit(page)).toContain('The chase')
    await page.keyboard.press('ArrowUp')
    leaveByEnter(page)
    await page.waitForURL(`${site}/docs/wedge/#locking-up`)
    expect(await page.locator('dialog.search[open]').count()).toBe(0)

    await page.keyboard.press('Control+k')
    await opened(page)
    await dismiss(page)
    expect(problems).toEqual([])
  })

  test('lists sections under their page, and opens the best of them', async () => {
    const { page, problems } = await visit('/docs/chase/')
    await page.keyboard.press('/')
    await opened(page)
    await page.keyboard.insertText('lock')
    await hits(page, 1)
    const group = page.getByRole('listbox').getByRole('group', { name: 'The wedge' })
    expect(await group.getByRole('option').allTextContents()).toEqual([
      expect.stringContaining('The wedge'),
      'Locking up',
    ])
    leaveByEnter(page)
    await page.waitForURL(`${site}/docs/wedge/#locking-up`)
    expect(problems).toEqual([])
  })

  test('finds other forms of a word with the stemmer of the language, loaded with the dialog', async () => {
    const { page, requests, problems } = await visit('/docs/chase/')
    expect(requests.filter((path) => path.includes('stem'))).toEqual([])
    await page.keyboard.press('/')
    await opened(page)
    await page.keyboard.insertText('wedging')
    await hits(page, 1)
    expect(await page.textContent('.search-title')).toBe('The wedge')
    expect(await page.locator('.search-title mark').allTextContents()).toEqual(['wedge'])
    expect(requests.filter((path) => path.includes('stem'))).toEqual([
      expect.stringMatching(/\/_assets\/stem-en\.[0-9a-f]{16}\.js$/),
    ])
    expect(problems).toEqual([])
    await page.close()
  })

  test('offers the chapters around the page before anything is typed, and again when the query is cleared', async () => {
    const { page, requests, problems } = await visit('/docs/chase/')
    expect(await page.locator('.search-open kbd').textContent()).toMatch(/^(?:Ctrl K|⌘K)$/)
    await page.keyboard.press('/')
    await opened(page)
    const chapters = await page.locator('[role=option]').allTextContents()
    expect(chapters).toHaveLength(8)
    expect(chapters).toContain('Case 1')
    expect(await page.textContent('[role=status]')).toBe('Documentation')
    // Enter opens nothing that was not chosen.
    await page.keyboard.press('Enter')
    await page.keyboard.insertText('quoin')
    await hits(page, 2)
    await page.getByRole('button', { name: 'Clear' }).click()
    await hits(page, 8)
    expect(await page.inputValue('[role=combobox]:focus')).toBe('')
    await page.keyboard.press('ArrowDown')
    leaveByEnter(page)
    await page.waitForURL((url) => !url.pathname.endsWith('/chase/'))
    expect(requests.some((path) => path.endsWith('_search.json'))).toBe(true)
    expect(problems).toEqual([])
    await page.close()
  })

  test('the page that a hit opens marks the words, where the browser can', async () => {
    const { page, problems } = await visit('/docs/chase/')
    await page.keyboard.press('/')
    await opened(page)
    await page.keyboard.insertText('drive quoin')
    await page.locator('text=Drive the quoin home.').waitFor()
    expect(await page.locator('.search-section').getAttribute('href')).toMatch(
      /\/docs\/wedge\/#locking-up:~:text=Drive%20the%20quoin%20home\.$/,
    )
    expect(await page.textContent('.search-place')).toBe('Docs')
    expect(problems).toEqual([])
    await page.close()
  })

  test('shows no keys on a phone', async () => {
    const context = await browser.newContext({
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
    })
    const page = await context.newPage()
    await page.goto(`${site}/docs/chase/`)
    await page.locator('.search-open[data-ready]').click()
    await opened(page)
    expect(
      await page.locator('.search kbd:visible, .search-open kbd:visible, .search-settings:visible').count(),
    ).toBe(0)
    await context.close()
  })

  test('a hit shows the text around the match without a layout shift', async () => {
    const { page, requests, problems } = await visit('/docs/chase/')
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/docs/wedge/', (route) => released.then(() => route.continue()))
    await page.keyboard.press('/')
    await opened(page)
    const reading = page.waitForRequest('**/docs/wedge/')
    await page.keyboard.insertText('drive quoin')
    await hits(page, 1)
    const hit = page.locator('[role=option]').first()
    expect(await hit.locator('.search-about').textContent()).toBe('A lead.')
    const box = await hit.boundingBox()
    await reading
    release()
    await hit.locator('text=Drive the quoin home.').waitFor()
    expect(await hit.locator('.search-about mark').allTextContents()).toEqual(['Drive', 'quoin'])
    expect(await hit.boundingBox()).toEqual(box)

    // The description contains the match, so the page is not fetched.
    await page.fill('[role=combobox]', 'iron frame')
    await page.locator('[role=option] >> text=The chase').waitFor()
    await page.waitForTimeout(600)
    expect(requests.filter((path) => path.endsWith('/docs/chase/'))).toHaveLength(1)
    expect(problems).toEqual([])
    await page.close()
  })

  test('a hit deep in a description is seen on a narrow screen', async () => {
    const { page, problems } = await visit('/docs/chase/')
    await page.setViewportSize({ width: 400, height: 800 })
    await page.click('.search-open')
    await opened(page)
    await page.keyboard.insertText('galley')
    await hits(page, 1)
    const [mark, about] = await Promise.all([
      page.locator('.search-about mark').boundingBox(),
      page.locator('.search-about').boundingBox(),
    ])
    expect((mark?.y ?? Infinity) + (mark?.height ?? 0)).toBeLessThanOrEqual(
      (about?.y ?? 0) + (about?.height ?? 0) + 1,
    )
    expect(problems).toEqual([])
    await page.close()
  })

  test('corrects a typing error and says so', async () => {
    const { page, problems } = await visit('/docs/wedge/')
    await page.keyboard.press('/')
    await opened(page)
    await page.keyboard.insertText('farme')
    await hits(page, 1)
    const status = await page.textContent('[role=status]')
    expect(status).toBe('Nothing found for “farme”. Results for “frame”: 1')
    expect(await page.locator('[role=option] mark').allTextContents()).toEqual(['frame'])
    expect(problems).toEqual([])
    await page.close()
  })

  test('applies keys pressed during a search to the hits of the final query', async () => {
    const { page } = await visit('/docs/wedge/')
    await page.keyboard.press('/')
    await opened(page)
    await page.keyboard.type('quoin')
    await hits(page, 2)
    await page.keyboard.type(' chase')
    await page.keyboard.press('ArrowDown')
    leaveByEnter(page)
    await page.waitForURL(`${site}/docs/chase/**`)
  })

  test('discards a waiting key when the dialog closes', async () => {
    const { page } = await visit('/docs/wedge/')
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/_search.json', (route) => released.then(() => route.continue()))
    await page.keyboard.press('/')
    await opened(page)
    const searching = page.waitForRequest('**/_search.json')
    await page.keyboard.type('chase')
    await page.keyboard.press('Enter')
    await searching
    await dismiss(page)
    await page.keyboard.press('/')
    await opened(page)
    release()
    await hits(page, 1)
    expect(page.url()).toBe(`${site}/docs/wedge/`)
    expect(await page.locator('dialog.search[open]').count()).toBe(1)
    await page.close()
  })

  test.runIf(LONG_FORM)('every hit can be reached', async () => {
    const { page } = await visit('/docs/wedge/')
    await page.keyboard.press('/')
    await opened(page)
    // Inserted as a whole: typed letters may start a search for a prefix first.
    await page.keyboard.insertText('sorts')
    await hits(page, 10)
    expect(await page.textContent('[role=status]')).toBe('Results: 12')
    await page.locator('[role=option]').last().scrollIntoViewIfNeeded()
    await hits(page, 12)
    expect(new Set(await page.locator('.search-title').allTextContents()).size).toBe(12)
    await page.keyboard.press('ArrowUp')
    expect(await activeHit(page)).toBe(await page.locator('[role=option]').last().textContent())
    await page.close()
  })

  test.each(
    some<[string, string]>([
      ['検索', '全文検索'],
      ['日本', '全文検索'],
      ['发布', '发布页面'],
      ['데이터', '검색 안내'],
      ['البَحث', 'دليل البحث'],
      ['LOCKING', 'The wedge'],
    ]),
  )('finds for %s the page %s', async (query, title) => {
    const { page } = await visit('/docs/chase/')
    await page.click('.search-open')
    await opened(page)
    await page.keyboard.insertText(query)
    await hits(page, 1)
    expect(await page.textContent('.search-title')).toBe(title)
    leaveByEnter(page)
    await page.waitForURL((url) => url.pathname !== '/docs/chase/')
  })

  test.each(
    some([
      ['ja', 'けんさく', '検索', '検索結果：1 件'],
      ['ko', '데잍', '데이터', '검색 결과: 1개'],
    ]),
  )('waits for the end of an input method composition: %s', async (slug, composed, query, result) => {
    const { page, requests } = await visit(`/docs/${slug}/`)
    await page.keyboard.press('/')
    await opened(page)
    const devtools = await page.context().newCDPSession(page)
    const [selectionStart, selectionEnd] = [composed.length, composed.length]
    await devtools.send('Input.imeSetComposition', { text: composed, selectionStart, selectionEnd })
    await page.waitForTimeout(300)
    expect(requests.some((path) => path.endsWith('_search.json'))).toBe(false)
    await devtools.send('Input.insertText', { text: query })
    await hits(page, 1)
    expect(await page.textContent('[role=status]')).toBe(result)
    await page.close()
  })

  test.runIf(LONG_FORM)('search works on the 404 page at any depth', async () => {
    const { page } = await visit('/docs/no/such/page/at/all')
    await page.keyboard.press('/')
    await opened(page)
    await page.keyboard.type('chase')
    await hits(page, 1)
    leaveByEnter(page)
    await page.waitForURL(`${site}/docs/chase/`)
  })

  test.runIf(LONG_FORM)('reports when nothing was found, and when the index is missing', async () => {
    const { page } = await visit('/docs/wedge/')
    await page.keyboard.press('/')
    await opened(page)
    await page.keyboard.type('zzz $& zzz')
    await page.locator('text=Nothing found for “zzz $& zzz”.').waitFor()
    await page.close()

    const broken = await visit('/docs/wedge/')
    await broken.page.route('**/_search.json', (route) => route.fulfill({ status: 404 }))
    await broken.page.keyboard.press('/')
    await opened(broken.page)
    await broken.page.keyboard.type('quoin')
    await broken.page.locator('text=Search is not available right now.').waitFor()
    await broken.page.close()
  })

  test.runIf(LONG_FORM)('the shortcut key can be disabled, and does not act in text fields', async () => {
    const { page } = await visit('/docs/wedge/')
    await page.keyboard.press('/')
    await opened(page)
    await page.locator('.search-settings summary').click()
    await page.uncheck('.search-key input')
    await dismiss(page)
    await page.keyboard.press('/')
    expect(await page.locator('dialog.search[open]').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await opened(page)
    await page.keyboard.type('a/b')
    expect(await page.inputValue('[role=combobox]')).toBe('a/b')
    await page.close()
  })

  test.runIf(LONG_FORM)('without script no search button is visible', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false })
    await page.goto(`${site}/docs/wedge/`)
    expect(await page.locator('.search-open').isVisible()).toBe(false)
    await page.close()
  })

  test.each(
    some<[string, number, 'light' | 'dark', string]>([
      ['/docs/wedge/', 1440, 'light', 'quoin'],
      ['/docs/wedge/', 390, 'dark', 'quoin'],
      ['/docs/ar/', 390, 'light', 'البحث'],
    ]),
  )('passes axe: %s at %i px, %s', async (path, width, colorScheme, query) => {
    const { page } = await visit(path)
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.click('.search-open')
    await opened(page)
    await page.keyboard.insertText(query)
    await page.locator('[role=option] mark').first().waitFor()
    await page.keyboard.press('ArrowDown')
    // Through the driver, because the Content-Security-Policy blocks scripts in the page.
    await page.evaluate(axe)
    const { violations } = (await page.evaluate('axe.run("dialog.search")')) as AxeResults
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await page.close()
  })

  async function visit(path: string): Promise<{ page: Page; requests: string[]; problems: string[] }> {
    const page = await browser.newPage()
    const requests: string[] = []
    const problems: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    page.on('console', (message) => problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(site + path)
    await page.locator('.search-open[data-ready]').waitFor()
    return { page, requests, problems }
  }

  const opened = (page: Page) => page.locator('dialog.search[open] [role=combobox]:focus').waitFor()

  /** Closes the dialog. A browser may close it some time after the key, and moves the focus in the next frame. */
  async function dismiss(page: Page): Promise<void> {
    await page.keyboard.press('Escape')
    await page.locator('dialog.search:not([open])').waitFor({ state: 'attached' })
  }

  async function hits(page: Page, count: number): Promise<void> {
    await page.locator(`[role=listbox] li:nth-child(${count}):last-child`).waitFor()
  }

  async function activeHit(page: Page): Promise<string | null> {
    // A key that was pressed during a search is applied after it.
    await page.locator('[role=combobox][aria-activedescendant]').waitFor()
    const id = await page.getAttribute('[role=combobox]', 'aria-activedescendant')
    expect(await page.locator('[aria-selected=true]').count()).toBe(1)
    return page.textContent(`#${id}[aria-selected=true]`)
  }

  /** The layout shift of the header, as the browser measures it. */
  async function shifted(page: Page): Promise<unknown> {
    return page.evaluate(`new Promise((resolve) => {
      let sum = 0
      new PerformanceObserver((list) => { for (const { value, sources } of list.getEntries()) if (sources.some(({ node }) => node?.parentElement?.closest('.site-header'))) sum += value })
        .observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => resolve(sum), 200)
    })`)
  }
})
