import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DashboardClient, signedIn } from '../support/dashboard.ts'
import { flatPng } from '../support/pictures.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'
import { expectNoShift } from './layout-shift.ts'

if (CHROMIUM === null)
  console.info(
    'Skipped: the live editor in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.',
  )

const TEXT = 'Along the sea.\n\n## Boats\n\nThere are boats.'

const RICH = '**Boats** and [nets](/nets).\n\n## At sea\n\n- [ ] Cast off\n- Sail\n'

const LONG = Array.from(
  { length: 560 },
  (_, at) =>
    `## Part ${at}\n\nA paragraph of **bold** and _italic_ words with [a link](/page-${at}), and \`code\` at its end. It goes on for a while.\n\n- An entry\n- [ ] A task of the list\n\n> A quotation.\n`,
).join('\n')

const WORD_LIST = ['One', 'Two']
  .map(
    (text) =>
      `<p class=MsoListParagraph style='text-indent:-18pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp;</span></span><![endif]>${text}<o:p></o:p></p>`,
  )
  .join('\n')

const PASTES: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  [
    'headings, lists and quotes',
    {
      'text/html':
        '<h1>Boats</h1><p>Some <b>bold</b>, <i>italic </i>and <a href="https://a.example/x">linked</a> text.</p><ul><li>One<ul><li>In one</li></ul></li><li>Two</li></ul><ol><li>First</li><li>Second</li></ol><blockquote><p>Quoted</p></blockquote><script>alert(1)</script>',
    },
    '## Boats\n\nSome **bold**, _italic_ and [linked](https://a.example/x) text.\n\n- One\n  - In one\n- Two\n\n1. First\n2. Second\n\n> Quoted',
  ],
  [
    'a text of Word',
    {
      'text/html': `<html><head><style>p {}</style></head><body><p class=MsoNormal><b><span lang=EN-US>Bold</span></b> text<o:p></o:p></p>${WORD_LIST}</body></html>`,
    },
    '**Bold** text\n\n- One\n- Two',
  ],
  [
    'a text of Google Docs',
    {
      'text/html':
        '<b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:700">Bold</span><span style="font-weight:400"> and </span><span style="font-style:italic">italic</span></p><br><ul><li dir="ltr"><p role="presentation"><span>One</span></p></li><ul><li><p><span>Deeper</span></p></li></ul></ul></b>',
    },
    '**Bold** and _italic_\n\n- One\n  - Deeper',
  ],
  [
    'a table and code',
    {
      'text/html':
        '<table><tr><th>Plan</th><th>Price</th></tr><tr><td>small|big</td><td>5</td></tr></table><pre><code class="language-js">let a = 1\nlet b</code></pre><p>Call <code>a</code>. <img src="https://a.example/b.png" alt="A boat"></p>',
    },
    '| Plan | Price |\n| --- | --- |\n| small\\|big | 5 |\n\n```js\nlet a = 1\nlet b\n```\n\nCall `a`. ![A boat](https://a.example/b.png)',
  ],
  [
    'rows of a spreadsheet',
    { 'text/plain': 'Plan\tPrice\nsmall\t5\n' },
    '| Plan | Price |\n| --- | --- |\n| small | 5 |',
  ],
  ['the address of a video', { 'text/plain': 'https://youtu.be/dQw4w9WgXcQ?t=3' }, '::youtube[dQw4w9WgXcQ]'],
  ['signs that are no Markdown', { 'text/html': '<p>1. <b>2</b> * 3_4 [x]</p>' }, '1\\. **2** \\* 3_4 \\[x]'],
]

/** Types letters into the text, and returns how long the page works on each, in ms, in blocks of 40. */
const MEASURE = `(async () => {
  document.querySelector('.cm-content').focus()
  const blocks = []
  for (let block = 0; block < 6; block += 1) {
    const times = []
    for (let at = 0; at < 40; at += 1) {
      const start = performance.now()
      document.execCommand('insertText', false, at % 7 === 6 ? ' ' : 'x')
      await Promise.resolve()
      times.push(performance.now() - start)
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    }
    blocks.push(times)
  }
  return blocks
})()`

/** What is done with a tab before it opens the editor. */
type Prepare = (page: Page) => Promise<void>

describe.skipIf(CHROMIUM === null)('the live editor in a browser', () => {
  let service: TestService
  let browser: Browser
  let owner: DashboardClient
  let project: string

  beforeAll(async () => {
    service = await startService()
    browser = await launchChromium()
    owner = await signedIn(service)
    project = await service.newProject('Field notes')
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  test('draws what is typed next to it, and stores it as the draft by itself', async () => {
    const { page, id, messages } = await open({ viewport: { width: 1440, height: 900 } })
    await write(page, 'Typed now. ')
    await expect.poll(() => shownIn(page)).toContain('Typed now.')
    await page.getByText('Saved as a draft').waitFor()
    expect(await stored(id)).toContain('Typed now.')
    expect(messages).toEqual([])
    await page.context().close()
  })

  test.each([
    ['CRLF', 'Along the sea.\r\n\r\n## Boats\r\n\r\n\tNets  \r\n'],
    ['mixed ends and no last one', '\ufeffAlong\r\n\n- the sea\r\r> Boats\n\nand nets'],
  ])(
    'stores one letter as a change of one line, by itself and by the form, in a text with %s',
    async (_, text) => {
      for (const javaScriptEnabled of [true, false]) {
        const fields = { slug: `ends-${Math.random().toString(36).slice(2)}`, markdown_content: text }
        const known = (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
        const { page, id } = await open({ javaScriptEnabled }, known)
        await page.locator(javaScriptEnabled ? '.cm-content' : 'textarea[name=markdown_content]').focus()
        await page.keyboard.press('Control+End')
        await page.keyboard.type('x')
        if (javaScriptEnabled) await page.getByText('Saved as a draft').waitFor()
        else await page.getByRole('button', { name: 'Save', exact: true }).click()
        await expect.poll(() => stored(id)).toBe(`${text}x`)
        await page.context().close()
      }
    },
  )

  test('shows the page over its source, whose marks appear in the line of the caret', async () => {
    const { page, id, messages } = await openText(RICH)
    const line = (at: number) => page.locator('.cm-line').nth(at)
    expect(await line(0).innerText()).toBe('Boats and nets.')
    expect(await line(2).innerText()).toBe('At sea')
    expect(await page.evaluate(`getComputedStyle(document.querySelectorAll('.cm-line')[2]).fontSize`)).toBe(
      '24px',
    )
    await line(2).click()
    await expect.poll(() => line(2).innerText()).toBe('## At sea')
    expect(await line(0).innerText()).toBe('Boats and nets.')
    await page.getByRole('checkbox', { name: 'Done' }).click()
    await expect.poll(() => stored(id)).toBe(RICH.replace('[ ]', '[x]'))
    await page.getByRole('button', { name: 'Source' }).click()
    await expect.poll(() => line(0).innerText()).toBe('**Boats** and [nets](/nets).')
    expect(await page.getByRole('button', { name: 'Source' }).getAttribute('aria-pressed')).toBe('true')
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('shows a table in columns, whose cells are edited in their place', async () => {
    const table = '| Plan | Price |\n| --- | ---: |\n| **small** and a\\|b | 5 |\n| large | 50 |'
    const { page, id, messages } = await openText(`Prices\n\n${table}`)
    const cells = page.locator('.md-cell')
    expect((await cells.allInnerTexts()).map((text) => text.trim())).toEqual([
      'Plan',
      'Price',
      'small and a\\|b',
      '5',
      'large',
      '50',
    ])
    const places = await Promise.all((await cells.all()).map((cell) => cell.boundingBox()))
    expect(new Set([1, 3, 5].map((at) => Math.round(places[at]?.x ?? at))).size).toBe(1)
    expect(await cells.nth(3).getAttribute('class')).toContain('md-right')
    await cells.nth(4).click()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('0')
    await expect.poll(() => stored(id)).toContain('| large | 500 |')
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('finds words in lines that are not on the screen, forwards and backwards', async () => {
    const { page, messages } = await openText(`${'Sea.\n\n'.repeat(300)}The harbour.\n\nTwo harbours.`)
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+f')
    await page.keyboard.type('HARBOUR')
    await page.getByText('1 of 2').waitFor()
    await expect.poll(() => page.locator('.md-found').allInnerTexts()).toEqual(['harbour'])
    await page.keyboard.press('Enter')
    await page.getByText('2 of 2').waitFor()
    await page.keyboard.press('Shift+Enter')
    await page.getByText('1 of 2').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.evaluate('getSelection().toString()')).toBe('harbour')
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('colours boxes, closes code blocks and loads pictures of the library alone', async () => {
    const { page, messages } = await openText(
      '# Start\n\n:::tip Read on\nInside.\n:::\n\n```js\nlet a\n```\n\n![Far](https://other.example/a.png)\n',
    )
    expect(await page.locator('.md-in-callout.md-tone-tip').allInnerTexts()).toEqual([
      'Read on',
      'Inside.',
      '',
    ])
    expect(await page.locator('.md-pre').allInnerTexts()).toEqual(['js', 'let a', ''])
    await page.locator('.md-picture.is-missing').waitFor()
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('is a page of at most 688 pixels, whose text begins in the upper part of a phone', async () => {
    const { page } = await openText(RICH, { viewport: { width: 1440, height: 900 } })
    const place = () => page.locator('.cm-content').boundingBox()
    expect((await place())?.width).toBeLessThanOrEqual(688)
    expect((await page.locator('.writing-bar').boundingBox())?.height).toBe(48)
    await page.setViewportSize({ width: 390, height: 844 })
    expect((await place())?.y).toBeLessThan(320)
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.cm-content')).fontSize`)).toBe(
      '16px',
    )
    await page.getByRole('button', { name: 'Preview' }).click()
    await expect.poll(() => shownIn(page)).toContain('At sea')
    expect(await page.locator('.cm-content').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Write' }).click()
    expect(await page.locator('.cm-content').isVisible()).toBe(true)
    await page.context().close()
  })

  test.each([
    [1440, 1],
    [390, 1],
    [1440, 10],
    [390, 10],
  ])(
    'moves nothing that is shown while it opens, at %s pixels on a processor %s times slower',
    async (width, slowness) => {
      const { page } = await openText(
        RICH.repeat(9),
        { viewport: { width, height: 844 } },
        async (opened) => {
          const session = await opened.context().newCDPSession(opened)
          await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
        },
      )
      await page.locator('[data-counts]:not(:empty)').waitFor()
      await expectNoShift(page, `The editor at ${width} pixels`)
      await page.context().close()
    },
  )

  test('opens the drawer of details by keys, and at the field of the address', async () => {
    const { page, id } = await openText(RICH)
    await page.locator('[data-drawer] > summary').press('Enter')
    await page.getByLabel('Tags').fill('Sea, Nets')
    await page.getByLabel('Tags').press('Escape')
    expect(await page.getByLabel('Tags').isVisible()).toBe(false)
    await page.locator('[data-address]').click()
    expect(await page.evaluate('document.activeElement.id')).toBe('field-slug')
    await page.getByRole('button', { name: 'Save details' }).click()
    await page.waitForURL(/done=pageSaved/)
    expect((await service.call('GET', `/pages/${id}`)).body.data.tags).toEqual(['Sea', 'Nets'])
    await page.context().close()
  })

  test.each([
    ['the next item', '- One', '\nTwo', '- One\n- Two'],
    ['the next task, which is not done', '- [x] One', '\nTwo', '- [x] One\n- [ ] Two'],
    ['the next line of a quote', '> One', '\nTwo', '> One\n> Two'],
    ['the end of a list from an empty item', '- One', '\n\nText', '- One\nText'],
    ['the higher level from an empty item', '- One\n  - Two', '\n\nThree', '- One\n  - Two\n- Three'],
    ['a plain line in code, also after a slash', '```\n- One', '\n/\nTwo', '```\n- One\n/\nTwo'],
  ])('Enter writes %s', async (_, text, typed, expected) => {
    const { page, id } = await openText(text)
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+End')
    for (const letter of typed) await page.keyboard.press(letter === '\n' ? 'Enter' : letter)
    await expect.poll(() => stored(id)).toBe(expected)
    await page.context().close()
  })

  test('keys number a list, move its items with what is in them, and leave the text by Escape and Tab', async () => {
    const { page, id } = await openText('1. One\n2. Two\n   - In two\n3. Three')
    await page.locator('.cm-line').nth(0).click()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('New')
    await expect.poll(() => stored(id)).toBe('1. One\n2. New\n3. Two\n   - In two\n4. Three')
    await page.locator('.cm-line').nth(2).click()
    await page.keyboard.press('Tab')
    await expect.poll(() => stored(id)).toBe('1. One\n2. New\n   1. Two\n      - In two\n3. Three')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => stored(id)).toBe('1. One\n2. New\n3. Two\n   - In two\n4. Three')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.className')).not.toContain('cm-content')
    await page.context().close()
  })

  test('keys store the text at once, and lead to the plan of its publish', async () => {
    const { page, id, messages } = await openText('Along the sea.')
    await page.locator('.cm-content').focus()
    await page.keyboard.type('Now. ')
    await page.keyboard.press('Control+s')
    await expect.poll(() => stored(id), { timeout: 2_000 }).toBe('Now. Along the sea.')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/publish$/)
    expect(await stored(id)).toBe('Now. Along the sea.')
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('inserts blocks from a menu by keyboard alone', async () => {
    const { page, id, messages } = await openText('')
    await page.locator('.cm-content').focus()
    await page.keyboard.type('/tab')
    await page.getByRole('option', { name: 'Table' }).waitFor()
    expect(await page.locator('.cm-content').getAttribute('aria-activedescendant')).toBe('slash-table')
    await page.keyboard.press('Enter')
    await expect.poll(() => stored(id)).toBe('| Column 1 | Column 2 |\n| --- | --- |\n|  |  |')
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('option').count()).toBe(0)
    await page.keyboard.press('Backspace')
    await page.keyboard.type('/call')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Read this.')
    await expect.poll(() => stored(id)).toContain('\n\n:::note\nRead this.\n:::')
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('shows the menu of blocks next to its line, also at the end of a long text', async () => {
    const { page } = await openText('Sea.\n\n'.repeat(60), { viewport: { width: 390, height: 844 } })
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('/')
    await page.getByRole('option', { name: 'Heading', exact: true }).waitFor()
    const isInside = async () => {
      const { y = 0, height = 0 } = (await page.locator('#slash-menu').boundingBox()) ?? {}
      return y > 0 && y + height < 844
    }
    await expect.poll(isInside).toBe(true)
    await page.context().close()
  })

  test.each(PASTES)('pastes %s as Markdown', async (_, clipboard, expected) => {
    const { page, id, messages } = await openText('')
    await paste(page, clipboard)
    await page.getByText('Saved as a draft').waitFor()
    expect(await stored(id)).toBe(expected)
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('pastes an address as a link of the selection, and HTML as text into code', async () => {
    const { page, id } = await openText('Boats\n\n```\nlet a\n```')
    await page.locator('.cm-line').nth(0).dblclick()
    await paste(page, { 'text/plain': 'https://boats.example/' })
    await expect.poll(() => stored(id)).toContain('[Boats](https://boats.example/)\n')
    await page.locator('.cm-line').nth(3).click()
    await page.keyboard.press('Home')
    await paste(page, { 'text/plain': 'b', 'text/html': '<b>b</b>' })
    await expect.poll(() => stored(id)).toContain('```\nblet a\n```')
    await page.context().close()
  })

  test('answers a key within a frame in a text of 100 KB', async () => {
    const { page } = await openText(LONG, { viewport: { width: 1440, height: 900 } })
    const blocks = (await page.evaluate(MEASURE)) as number[][]
    // Other tests run at the same time, so the quietest block tells what the editor itself takes.
    const p95 = Math.min(
      ...blocks.map((times) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 1_000),
    )
    console.info(`The editor answers a key in ${p95.toFixed(1)} ms (p95, ${LONG.length} characters).`)
    expect(p95).toBeLessThan(16)
    await page.context().close()
  })

  test('leaves typing alone while a preview is drawn, and the history of the browser without entries', async () => {
    const { page, messages } = await open({ viewport: { width: 1440, height: 900 } })
    const before = await page.evaluate('history.length')
    await write(page, 'One sentence that is typed at the speed of a person who is in a hurry. ')
    await expect.poll(() => shownIn(page)).toContain('in a hurry.')
    expect(await page.evaluate('history.length')).toBe(before)
    expect(await page.evaluate(`document.activeElement.className`)).toContain('cm-content')
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('uploads a picture that is pasted, and writes it into the text', async () => {
    const { page, id } = await open({})
    const bytes = [...flatPng(12, 9)]
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(${JSON.stringify(bytes)})], 'harbour.png', { type: 'image/png' }))
      document.querySelector('.cm-content').dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    })()`)
    await expect.poll(() => textOf(page)).toContain('![harbour](/media/harbour.png)')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/done=pageSaved/)
    expect(await stored(id)).toContain('![harbour](/media/harbour.png)')
    await page.context().close()
  })

  test('writes pictures that are dropped below a list as paragraphs after it', async () => {
    const fields = { slug: 'below-a-list', markdown_content: '- Boats\n- Nets' }
    const list = (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
    const { page, id } = await open({}, list)
    const files = ['dawn', 'dusk'].map((name, at) => ({
      name: `${name}.png`,
      bytes: [...flatPng(13 + at, 9)],
    }))
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+End')
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      for (const { name, bytes } of ${JSON.stringify(files)})
        data.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
      const content = document.querySelector('.cm-content')
      const { right, bottom } = content.lastElementChild.getBoundingClientRect()
      content.dispatchEvent(new DragEvent('drop', {
        dataTransfer: data, bubbles: true, cancelable: true, clientX: right - 5, clientY: bottom - 2 }))
    })()`)
    await expect.poll(() => textOf(page)).toContain('/media/dusk.png')
    await expect.poll(() => textOf(page)).toContain('/media/dawn.png')
    await page.getByText('Saved as a draft').waitFor()
    await expect
      .poll(() => stored(id))
      .toBe('- Boats\n- Nets\n\n![dawn](/media/dawn.png)\n\n![dusk](/media/dusk.png)\n')
    await page.context().close()
  })

  test('finds pages to link to by keyboard alone', async () => {
    await service.call('POST', '/pages', pageBody(project, { title: 'High tide', slug: 'high-tide' }))
    const { page } = await open({})
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('tide')
    await page.getByRole('button', { name: /High tide/ }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => textOf(page)).toContain('[High tide](/high-tide)')
    await page.context().close()
  })

  test('puts a picture of the library into the text by keyboard alone', async () => {
    await owner.upload(`/dashboard/projects/${project}/media`, 'lighthouse.png', flatPng(30, 20), {
      alt: 'The lighthouse',
    })
    const { page, id, messages } = await open({})
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+Home')
    await page.getByRole('button', { name: 'Picture' }).press('Enter')
    await page.getByLabel('Name of the picture').fill('lighth')
    await page.getByRole('button', { name: 'The lighthouse' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => textOf(page)).toContain('![The lighthouse](/media/lighthouse.png)')
    await page.getByText('Saved as a draft').waitFor()
    expect(await stored(id)).toContain('![The lighthouse](/media/lighthouse.png)')
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('says when another person was faster, and shows both texts at the next save', async () => {
    const { page, id } = await open({ viewport: { width: 390, height: 844 } })
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'Theirs' })
    await write(page, 'Mine. ')
    await page.getByText(/Another person has changed/).waitFor()
    expect(await stored(id)).toBe('Theirs')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Text as it is stored now').waitFor()
    expect(await textOf(page)).toContain('Mine.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/done=pageSaved/)
    expect(await stored(id)).toContain('Mine.')
    await page.context().close()
  })

  test('is a text area where no script runs', async () => {
    const { page, id } = await open({ javaScriptEnabled: false })
    await page.getByLabel('Text', { exact: true }).fill('Without a script.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/done=pageSaved/)
    expect(await stored(id)).toBe('Without a script.')
    await page.context().close()
  })

  test('previews sections while their fields are typed', async () => {
    const config = { sections: [{ type: 'hero', title: 'Along the sea' }] }
    const body = pageBody(project, { type: 'page', slug: `s-${Date.now()}`, config })
    const id: string = (await service.call('POST', '/pages', body)).body.data.id
    const { page, messages } = await open({ viewport: { width: 1440, height: 900 } }, id, '/sections')
    await page.getByLabel('Title', { exact: true }).first().fill('Over the hills')
    await expect.poll(() => shownIn(page)).toContain('Over the hills')
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('shows the layout of a desktop, scaled, or that of a phone, and remembers which', async () => {
    const { page, messages } = await open({ viewport: { width: 1440, height: 900 } })
    const widths = async () => {
      const frame = page.frames().at(-1) ?? expect.unreachable()
      const place = page.locator('[data-preview-frame]')
      const room = (await place.boundingBox())?.width ?? 0
      const shown = (await place.locator('iframe').last().boundingBox())?.width ?? Number.POSITIVE_INFINITY
      return { inside: await frame.evaluate('innerWidth'), fits: shown <= room && room < 1280 }
    }
    await expect.poll(() => shownIn(page)).toContain('There are boats.')
    expect(await widths()).toEqual({ inside: 1280, fits: true })
    await page.getByRole('button', { name: 'As on a phone' }).focus()
    await page.keyboard.press('Enter')
    expect(await widths()).toEqual({ inside: 390, fits: true })
    await page.reload()
    await expect.poll(() => shownIn(page)).toContain('There are boats.')
    expect(await page.getByRole('button', { name: 'As on a phone' }).getAttribute('aria-pressed')).toBe(
      'true',
    )
    expect(await widths()).toEqual({ inside: 390, fits: true })
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('draws the theme as its fields are typed and a colour is picked', async () => {
    const { page, messages } = await open({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${service.url}/dashboard/projects/${project}/theme`)
    await expect.poll(() => shownIn(page)).toContain('Along the sea.')
    await page.getByLabel('Text', { exact: true }).fill('We have moved')
    await expect.poll(() => shownIn(page)).toContain('We have moved')
    await page.locator('input[type=color]').fill('#0b6e4f')
    expect(await page.getByLabel('Colour', { exact: true }).last().inputValue()).toBe('#0b6e4f')
    await expect
      .poll(() =>
        page
          .frames()
          .at(-1)
          ?.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--brand')`),
      )
      .toBe('#0b6e4f')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/done=settingsSaved/)
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('shows the progress of a job until it ends, and loads no page for it', async () => {
    const site = await service.newProject('Many')
    for (let index = 0; index < 12; index++)
      await service.call('POST', '/pages', pageBody(site, { slug: `page-${index}` }))
    const { page, messages } = await open({ viewport: { width: 390, height: 844 } })
    await page.goto(`${service.url}/dashboard/projects/${site}/pages`)
    for (const box of await page.getByRole('checkbox', { name: /^Choose / }).all()) await box.check()
    await page.getByRole('button', { name: 'Publish chosen pages' }).click()
    await page.waitForURL(/\/jobs\//)
    await page.evaluate('window.isSame = true')
    await page.getByText('12 of 12 pages').first().waitFor()
    // The last page is counted before the job has ended.
    await expect.poll(() => page.locator('[data-running]').count()).toBe(0)
    await page.getByRole('link', { name: 'Pages', exact: true }).last().waitFor()
    expect(await page.evaluate('window.isSame')).toBe(true)
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('shows two versions of a page next to each other, and below each other on a phone', async () => {
    const { page, id, messages } = await open({ viewport: { width: 1440, height: 900 } })
    await service.call('POST', `/pages/${id}/publish`)
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'Over the mountains.' })
    await page.goto(`${service.url}/dashboard/projects/${project}/pages/${id}/compare`)
    await expect.poll(() => shownIn(page)).toContain('Over the mountains.')
    await expect.poll(() => shownIn(page)).toContain('There are boats.')
    const places = async () => {
      const boxes = await Promise.all(
        (await page.locator('main iframe').all()).map((frame) => frame.boundingBox()),
      )
      return boxes.map((box) => [Math.round(box?.x ?? 0), Math.round(box?.y ?? 0)] as const)
    }
    const [[left = 0, top = 0] = [], [right = 0, level = 0] = []] = await places()
    expect([right > left, level]).toEqual([true, top])
    await page.setViewportSize({ width: 390, height: 844 })
    const [[first = 0, upper = 0] = [], [second = 0, lower = 0] = []] = await places()
    expect([second, lower > upper]).toEqual([first, true])
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('uploads several files that are dropped on the library, and names those that are refused', async () => {
    const { page, messages } = await open({})
    await page.goto(`${service.url}/dashboard/projects/${project}/media`)
    const drop = (files: Readonly<Record<string, readonly number[]>>) =>
      page.evaluate(`(() => {
        const data = new DataTransfer()
        for (const [name, bytes] of Object.entries(${JSON.stringify(files)}))
          data.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
        document.body.dispatchEvent(
          new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
      })()`)
    await drop({ 'east.png': [...flatPng(11, 7)], 'west.png': [...flatPng(7, 11)] })
    await page.waitForURL('**/media?done=filesUploaded')
    await page.getByRole('link', { name: 'east.png' }).waitFor()
    await page.getByRole('link', { name: 'west.png' }).waitFor()
    expect(messages).toEqual([])
    await drop({ 'empty.png': [] })
    await page.getByText('empty.png: ').waitFor()
    await page.context().close()
  })

  test('schedules a page in the time zone of the browser', async () => {
    const { page, id, messages } = await open({ timezoneId: 'America/New_York', locale: 'en-US' })
    await page.locator('[data-drawer] > summary').click()
    const field = page.getByLabel('Publish at (America/New_York)')
    await field.fill('2031-01-15T09:30')
    await Promise.all([
      page.waitForURL('**/*?done=pageScheduled'),
      page.getByRole('button', { name: 'Schedule', exact: true }).click(),
    ])
    expect((await service.call('GET', `/pages/${id}`)).body.data.scheduled_at).toBe(
      '2031-01-15T14:30:00.000Z',
    )
    await page.getByText('Goes live Jan 15, 2031, 9:30 AM').waitFor()
    expect(messages).toEqual([])
    await page.context().close()
  })

  test('takes the part of a picture that crops keep from a click, and stores it with the form', async () => {
    const { location } = await owner.upload(
      `/dashboard/projects/${project}/media`,
      'wide.png',
      flatPng(640, 320),
    )
    const [path = ''] = (location ?? '').split('?')
    const { page, messages } = await open({ viewport: { width: 1440, height: 900 } })
    await page.goto(service.url + path)
    const picture = page.locator('[data-focus] img')
    await expect
      .poll(() => picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth))
      .toBeGreaterThan(0)
    const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {}
    // The picture is twice as wide as high, in a frame of three to two.
    await picture.click({ position: { x: width * 0.25, y: height / 2 + width * 0.125 } })
    await page.locator('[data-mark]').waitFor()
    expect(await page.getByLabel('What crops keep').inputValue()).toMatch(/^0\.25,0\.7[456]$/)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL('**/*?done=fileSaved')
    const { focus } = (await service.call('GET', `/assets/${path.split('/').at(-1)}`)).body.data
    expect([focus.x, Math.round(focus.y * 20)]).toEqual([0.25, 15])
    expect(messages).toEqual([])
    await page.context().close()
  })

  /** A page with the editor, and everything that its console says. */
  async function open(
    options: BrowserContextOptions,
    known?: string,
    rest = '',
    shown: 'source' | 'rich' = 'source',
    prepare: Prepare = async () => undefined,
  ) {
    const fields = { slug: `page-${Math.random().toString(36).slice(2)}`, markdown_content: TEXT }
    const id: string = known ?? (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
    const context = await browser.newContext(options)
    const [name = '', value = ''] = owner.cookie?.split('=') ?? []
    await context.addCookies([{ name, value, url: service.url }])
    await context.addInitScript(`
      localStorage['quoin-preview-shown'] ??= '${shown === 'source' ? 'yes' : 'no'}'
      localStorage['quoin-source-shown'] ??= '${shown === 'source' ? 'yes' : 'no'}'`)
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await prepare(page)
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    await page.goto(`${service.url}/dashboard/projects/${project}/pages/${id}${rest}`)
    if (options.javaScriptEnabled !== false && rest === '') await page.locator('.cm-content').waitFor()
    return { page, id, messages }
  }

  /** The editor with a text of its own, which it shows as a page. */
  async function openText(text: string, options: BrowserContextOptions = {}, prepare?: Prepare) {
    const fields = { slug: `text-${Math.random().toString(36).slice(2)}`, markdown_content: text }
    const id = (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
    return open(options, id, '', 'rich', prepare)
  }

  async function paste(page: Page, clipboard: Readonly<Record<string, string>>): Promise<void> {
    await page.locator('.cm-content').focus()
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      for (const [type, text] of Object.entries(${JSON.stringify(clipboard)})) data.setData(type, text)
      document.querySelector('.cm-content').dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    })()`)
  }

  async function write(page: Page, text: string): Promise<void> {
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type(text)
  }

  const textOf = (page: Page) => page.locator('.cm-content').innerText()
  const stored = async (id: string) =>
    (await service.call('GET', `/pages/${id}`)).body.data.markdown_content as string

  async function shownIn(page: Page): Promise<string> {
    const texts = await Promise.all(
      page
        .frames()
        .slice(1)
        .map((frame) => frame.evaluate('document.body.innerText').catch(() => '')),
    )
    return texts.join('\n')
  }
})
