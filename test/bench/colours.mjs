// Cost of syntax highlighting with a warm cache, as in a running service. Renders the same pages with and without
// languages in their code fences, alternating.
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { ordinaryPages } from './live-pages.mjs'
import { median, root } from './quoin.mjs'
import { note } from './table.mjs'

const ROUNDS = 15
/** Enough for both sides to reach their final speed. */
const WARM_ROUNDS = 5

export async function benchColours() {
  const { createInProcessRenderer } = await import(join(root, 'dist/renderer/in-process.js'))
  const { loadThemes } = await import(join(root, 'dist/theme/load-theme.js'))
  const settings = await import(join(root, 'dist/domain/settings.js'))
  const themes = await loadThemes({ themes: join(root, 'themes'), templates: join(root, 'themes/_shared') })
  const renderer = createInProcessRenderer(themes)
  const highlightedPages = ordinaryPages(settings, { languages: true })
  const plain = highlightedPages.map(withoutLanguages)

  for (let i = 0; i < WARM_ROUNDS; i++)
    for (const pages of [highlightedPages, plain]) await measure(renderer, pages)
  const pairs = []
  for (let i = 0; i < ROUNDS; i++) {
    const highlighted = await measure(renderer, highlightedPages)
    pairs.push({ highlighted, without: await measure(renderer, plain) })
  }
  const ratio = median(pairs.map(({ highlighted, without }) => highlighted / without)).toFixed(2)
  const [most, least] = ['highlighted', 'without'].map((key) => median(pairs.map((pair) => pair[key])))
  console.log(
    `${highlightedPages.length} pages of 4 KB, highlighted code against plain code, warm: ${ratio} (goal at most 1.30); ` +
      `${(most / highlightedPages.length).toFixed(2)} and ${(least / highlightedPages.length).toFixed(2)} ms a page`,
  )
  note('rendering pages with highlighted code against plain code, warm', ratio, 'at most 1.30')
}

async function measure(renderer, pages) {
  const began = performance.now()
  for (const page of pages) await renderer.renderPage(page)
  return performance.now() - began
}

function withoutLanguages(live) {
  const markdown = live.page.markdown.replace(/^```\w+$/gm, '```')
  return { ...live, page: { ...live.page, markdown } }
}
