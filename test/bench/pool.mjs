// Cost of rendering ordinary pages in a child process against the same calls in this process, alternating: in parallel,
// as when a project is published, and in sequence.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { ordinaryPages } from './live-pages.mjs'
import { median, root } from './quoin.mjs'
import { note } from './table.mjs'

const CALLS_A_ROUND = 200
const ROUNDS = 25
/** Enough for both sides to reach their final speed. */
const WARM_ROUNDS = 20
const MS_PER_TICK = 10

export async function benchPool() {
  const { createRendererPool } = await import(join(root, 'dist/renderer/pool.js'))
  const { createInProcessRenderer } = await import(join(root, 'dist/renderer/in-process.js'))
  const { loadThemes } = await import(join(root, 'dist/theme/load-theme.js'))
  const folders = { themes: join(root, 'themes'), templates: join(root, 'themes/_shared') }
  const themes = await loadThemes(folders)
  const here = createInProcessRenderer(themes)
  const pool = createRendererPool({ themes, folders, entry: join(root, 'dist/child.js'), size: 1 })
  const pages = ordinaryPages(await import(join(root, 'dist/domain/settings.js')))
  const ways = [
    { name: 'in parallel', ask: inParallel, pairs: [] },
    { name: 'in sequence', ask: inSequence, pairs: [] },
  ]

  for (let i = 0; i < WARM_ROUNDS; i++) for (const renderer of [here, pool]) await inParallel(renderer, pages)
  for (let i = 0; i < ROUNDS; i++) {
    for (const { name, ask, pairs } of ways) {
      const inside = await round(() => ask(here, pages))
      const inChild = await round(() => ask(pool, pages))
      pairs.push({ inside, inChild })
      console.log(`round ${i + 1}, ${name}: in process ${shown(inside)}, in a child ${shown(inChild)}`)
    }
  }
  await pool.close()
  console.log(`${pages.length} pages of 4 KB in a child against in process, median of ${ROUNDS} pairs:`)
  for (const { name, pairs } of ways) {
    const wall = median(pairs.map(({ inside, inChild }) => inChild.wall / inside.wall))
    const cpu = median(pairs.map(({ inside, inChild }) => inChild.cpu / inside.cpu))
    console.log(`  ${name}: time ${wall.toFixed(2)}, CPU time of both processes ${cpu.toFixed(2)}`)
    const goal = name === 'in parallel' ? 'at most 1.30' : ''
    note(`rendering pages of 4 KB in a child process, ${name}, against in process`, wall.toFixed(2), goal)
  }
}

function shown({ wall, cpu }) {
  return `${wall.toFixed(2)} ms (CPU ${cpu.toFixed(2)} ms)`
}

/** Wall and CPU time per page, in ms. */
async function round(ask) {
  const [started, before] = [performance.now(), cpuMs()]
  await ask()
  return {
    wall: (performance.now() - started) / CALLS_A_ROUND,
    cpu: (cpuMs() - before) / CALLS_A_ROUND,
  }
}

function inParallel(renderer, pages) {
  return Promise.all(
    Array.from({ length: CALLS_A_ROUND }, (_, i) => renderer.renderPage(pages[i % pages.length])),
  )
}

async function inSequence(renderer, pages) {
  for (let i = 0; i < CALLS_A_ROUND; i++) await renderer.renderPage(pages[i % pages.length])
}

/** CPU time of this process and its children, in ms. */
function cpuMs() {
  const { user, system } = process.cpuUsage()
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => statOf(pid))
    .filter((stat) => stat !== null && stat.parent === process.pid)
  return (user + system) / 1000 + children.reduce((sum, { ticks }) => sum + ticks * MS_PER_TICK, 0)
}

function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    // The process has ended.
    return null
  }
}
