// What it costs to render a page of ordinary size in a child process beside the same call in this one, in turn.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { median, root } from './quoin.mjs'
import { note } from './table.mjs'

const CALLS_A_ROUND = 200
const ROUNDS = 15
const MS_PER_TICK = 10

export async function benchPool() {
  const { createRendererPool } = await import(join(root, 'dist/renderer/pool.js'))
  const { createInProcessRenderer } = await import(join(root, 'dist/renderer/in-process.js'))
  const { loadThemes } = await import(join(root, 'dist/theme/load-theme.js'))
  const folders = { themes: join(root, 'themes'), templates: join(root, 'templates') }
  const themes = await loadThemes(folders)
  const entry = join(root, 'dist/renderer/child.js')
  const here = createInProcessRenderer(themes)
  const pool = createRendererPool({ themes, folders, entry, size: 1 })
  const page = ordinaryPage(await import(join(root, 'dist/domain/settings.js')))

  await round(here, page)
  await round(pool, page)
  const pairs = []
  for (let i = 0; i < ROUNDS; i++) {
    const inside = await round(here, page)
    const beside = await round(pool, page)
    pairs.push({ inside, beside })
    console.log(`round ${i + 1}: in process ${shown(inside)}, in a child ${shown(beside)}`)
  }
  await pool.close()
  const wall = median(pairs.map(({ inside, beside }) => beside.wall / inside.wall))
  const cpu = median(pairs.map(({ inside, beside }) => beside.cpu / inside.cpu))
  note('rendering a page of 4 KB in a child process, against in process', wall.toFixed(2), 'at most 1.30')
  console.log(
    `A page of 4 KB in a child against in process, median of ${ROUNDS} pairs of ${CALLS_A_ROUND} calls:`,
  )
  console.log(`  time ${wall.toFixed(2)} (goal at most 1.30), CPU time of both processes ${cpu.toFixed(2)}`)
}

function shown({ wall, cpu }) {
  return `${wall.toFixed(2)} ms (CPU ${cpu.toFixed(2)} ms)`
}

/** Milliseconds a call takes at the median, and of CPU on average. */
async function round(renderer, page) {
  const took = []
  const before = cpuMs()
  for (let i = 0; i < CALLS_A_ROUND; i++) {
    const started = performance.now()
    await renderer.renderPage(page)
    took.push(performance.now() - started)
  }
  return { wall: median(took), cpu: (cpuMs() - before) / CALLS_A_ROUND }
}

/** Of this process and its children. */
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
    // It has ended meanwhile.
    return null
  }
}

function ordinaryPage({ DEFAULT_SETTINGS }) {
  const now = '2026-01-01T00:00:00.000Z'
  const part =
    '## A heading\n\nA paragraph of *ordinary* text with a [link](/docs), `code` and an ![image](/a.png).\n\n' +
    '- one item of a list\n- another with **strong** words\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> A quotation.\n\n'
  const markdown = part.repeat(Math.ceil(4096 / part.length)).slice(0, 4096)
  const page = {
    ...{
      id: 'pageaaaaaaaaaaaa',
      projectId: 'projaaaaaaaaaaaa',
      title: 'A page',
      slug: 'a-page',
      subroute: '',
    },
    ...{
      type: 'article',
      status: 'draft',
      description: '',
      ogImageUrl: null,
      meta: {},
      config: {},
      markdown,
    },
    ...{ ownFields: {}, contentDigest: '', wordCount: 600, publishedAt: null, firstPublishedAt: null },
    ...{ createdAt: now, updatedAt: now, version: 1 },
  }
  return {
    page,
    fields: { publishDate: now, author: null, navOrder: 0, parentPage: null, badge: null },
    settings: DEFAULT_SETTINGS,
    site: {
      ...{ projectId: page.projectId, name: 'Bench', origin: 'https://bench.example' },
      ...{ hostingMode: 'full_host', keyId: null, manifest: 'full' },
    },
    path: '/a-page',
    file: 'a-page/index.html',
    context: { docs: null, collections: new Map() },
  }
}
