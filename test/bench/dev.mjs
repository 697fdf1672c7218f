// Measures `quoin dev` from saving a file to Chromium showing it: a Markdown file, a template and a style sheet, on sites
// of 20 and of 1,000 pages.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { folder, median, root, start } from './quoin.mjs'
import { note } from './table.mjs'

const SIZES = (process.argv[3] ?? '20,1000').split(',').map(Number)
const SAVES = Number(process.argv[4] ?? 15)
const GOAL_MS = 250
const BROWSER = process.env.QUOIN_CHROMIUM ?? '/usr/bin/chromium'

const PARAGRAPH =
  'A paragraph of *ordinary* text with a [link](/docs/page-1) and some `code`, as long as paragraphs mostly are.\n\n'
const CODE = '```js\nconst answer = 42\nconsole.log(answer)\n```\n\n'

export { makeSite }
export async function benchDev() {
  if (!existsSync(BROWSER)) throw new Error('Chromium was not found. Set QUOIN_CHROMIUM to its path.')
  const browser = await chromium.launch({
    executablePath: BROWSER,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'],
  })
  const medians = []
  for (const size of SIZES) medians.push([size, await benchSite(size, browser)])
  await browser.close()
  const [[, small] = []] = medians
  for (const [size, of] of medians) {
    for (const [what, ms] of Object.entries(of)) {
      const times =
        small === undefined ? '' : `, ${(ms / small[what]).toFixed(2)} times that of ${SIZES[0]} pages`
      note(
        `quoin dev, ${size} pages: from saving ${what} to the browser showing it`,
        `${ms.toFixed(0)} ms`,
        `at most ${GOAL_MS} ms`,
      )
      console.log(`${size} pages, ${what}: ${ms.toFixed(0)} ms (goal at most ${GOAL_MS})${times}`)
    }
  }
}

async function benchSite(size, browser) {
  const { site, theme } = await makeSite(size)
  const started = performance.now()
  const origin = await start([
    `${root}dist/cli.js`,
    'dev',
    site,
    '--port',
    '0',
    '--theme-folder',
    theme,
    '--trust',
  ])
  console.log(`${size} pages: served after ${(performance.now() - started).toFixed(0)} ms`)
  const page = await browser.newPage()
  await page.goto(`${origin}docs/page-7/`)
  await page.waitForSelector('h1')
  await sleep(2000 + size * 5)

  const markdown = join(site, 'docs/page-7.md')
  const text = readFileSync(markdown, 'utf8')
  const template = join(theme, 'partials/footer.eta')
  const footer = readFileSync(template, 'utf8')
  const style = join(theme, 'style.css')
  const css = readFileSync(style, 'utf8')
  const shows = (word) => becomes(page, `document.body?.textContent.includes('${word}') === true`)
  return {
    Markdown: await measure(async (n) => {
      writeFileSync(markdown, `${text}\nSaved as word${n}x.\n`)
      await shows(`word${n}x`)
    }),
    template: await measure(async (n) => {
      writeFileSync(template, `${footer}\n<p>Saved as foot${n}x.</p>\n`)
      await shows(`foot${n}x`)
    }),
    CSS: await measure(async (n) => {
      writeFileSync(style, `${css}\nh1 { outline: ${n}px solid; }\n`)
      const width = `getComputedStyle(document.querySelector('h1') ?? document.documentElement).outlineWidth`
      await becomes(page, `${width} === '${n}px'`)
    }),
  }
}

/** Polls through the driver, which the Content-Security-Policy of pages does not restrict. */
async function becomes(page, claim) {
  const isTrue = () => page.evaluate(claim).catch(() => false)
  for (const began = performance.now(); !(await isTrue()); await sleep(3))
    if (performance.now() - began > 60_000) throw new Error(`Never became true: ${claim}`)
}

async function measure(save) {
  const times = []
  for (let n = 1; n <= SAVES; n++) {
    const began = performance.now()
    await save(n)
    times.push(performance.now() - began)
    await sleep(400)
  }
  return median(times)
}

async function makeSite(size) {
  const site = join(folder, `site-${size}`)
  const theme = join(folder, `themes-${size}/mine`)
  await cp(join(root, 'themes/default'), theme, { recursive: true })
  await cp(join(root, 'themes/_shared/partials'), join(theme, 'partials'), { recursive: true })
  const manifest = JSON.parse(readFileSync(join(theme, 'theme.json'), 'utf8'))
  writeFileSync(join(theme, 'theme.json'), JSON.stringify({ ...manifest, name: 'mine' }))
  mkdirSync(join(site, 'docs'), { recursive: true })
  mkdirSync(join(site, 'blog'))
  writeFileSync(join(site, 'site.yaml'), 'name: Bench\ntypes:\n  blog: article\n')
  for (let n = 1; n <= size; n++) {
    const file = n % 10 === 0 ? `blog/post-${n}.md` : `docs/page-${n}.md`
    const body = `## Part ${n}\n\n${PARAGRAPH.repeat(8)}${CODE}## Another\n\n${PARAGRAPH.repeat(8)}`
    writeFileSync(
      join(site, file),
      `---\ntitle: Page ${n}\ndescription: What page ${n} is about.\n---\n\n${body}`,
    )
  }
  return { site, theme }
}
