// What code in colours adds to rendering a page where the same code was coloured before, as it is in a service
// that runs: the same pages with names of languages after the fences of their code and without, in turn.
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { ordinaryPages } from './live-pages.mjs'
import { median, root } from './quoin.mjs'
import { note } from './table.mjs'

const ROUNDS = 15
/** Until neither side becomes faster. */
const WARM_ROUNDS = 5

export async function benchColours() {
  const { createInProcessRenderer } = await import(join(root, 'dist/renderer/in-process.js'))
  const { loadThemes } = await import(join(root, 'dist/theme/load-theme.js'))
  const settings = await import(join(root, 'dist/domain/settings.js'))
  const themes = await loadThemes({ themes: join(root, 'themes'), templates: join(root, 'themes/_shared') })
  const renderer = createInProcessRenderer(themes)
  const coloured = ordinaryPages(settings, { languages: true })
  const plain = coloured.map(withoutLanguages)

  for (let i = 0; i < WARM_ROUNDS; i++) for (const pages of [coloured, plain]) await taken(renderer, pages)
  const pairs = []
  for (let i = 0; i < ROUNDS; i++) {
    const inColours = await taken(renderer, coloured)
    pairs.push({ inColours, without: await taken(renderer, plain) })
  }
  const ratio = median(pairs.map(({ inColours, without }) => inColours / without)).toFixed(2)
  const [most, least] = ['inColours', 'without'].map((key) => median(pairs.map((pair) => pair[key])))
  console.log(
    `${coloured.length} pages of 4 KB, code in colours against none, warm: ${ratio} (goal at most 1.30); ` +
      `${(most / coloured.length).toFixed(2)} and ${(least / coloured.length).toFixed(2)} ms a page`,
  )
  note('rendering pages with code in colours against none, warm', ratio, 'at most 1.30')
}

async function taken(renderer, pages) {
  const began = performance.now()
  for (const page of pages) await renderer.renderPage(page)
  return performance.now() - began
}

function withoutLanguages(live) {
  const markdown = live.page.markdown.replace(/^```\w+$/gm, '```')
  return { ...live, page: { ...live.page, markdown } }
}
