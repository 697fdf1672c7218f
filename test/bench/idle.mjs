// A service of many projects that does nothing: how long its start takes, against that of an empty installation, and the
// memory that it holds with the processes that it starts.
// node test/bench/bench.mjs idle [projects] [starts]
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { forEachConcurrently } from './bulk.mjs'
import { folder, median, memoryMb, processorMs, startQuoin, startService } from './quoin.mjs'
import { note } from './table.mjs'

const PROJECTS = Number(process.argv[3] ?? 10_000)
const STARTS = Number(process.argv[4] ?? 9)
/** One page of so many is published: a publish writes some thirty files, the creation of a page none. */
const PAGES_PER_PUBLISHED = 50
const IDLE_MS = 10_000
const GOALS = { start: 'at most 1.0 s', memory: 'at most 250 MB' }

export async function benchIdle() {
  const empty = settingsOf('empty')
  const full = settingsOf('full')
  await (await startService(empty)).stop()
  await fill(full)

  const runs = []
  for (let n = 0; n < STARTS; n++) {
    const order = n % 2 === 0 ? { empty, full } : { full, empty }
    const run = {}
    for (const [name, settings] of Object.entries(order)) run[name] = await startAndStop(settings)
    runs.push(run)
  }
  const seconds = (name, key) => median(runs.map((run) => run[name][key] / 1_000)).toFixed(2)
  const ratio = (key) => median(runs.map((run) => run.full[key] / run.empty[key])).toFixed(2)
  const what = `start of a service of ${PROJECTS} projects`
  console.log(`${what}, median of ${STARTS}: ${seconds('full', 'wallMs')} s (goal ${GOALS.start})`)
  console.log(
    `  processor time ${seconds('full', 'cpuMs')} s; empty ${seconds('empty', 'wallMs')} s, processor time ${seconds('empty', 'cpuMs')} s`,
  )
  console.log(`  against an empty one: time ${ratio('wallMs')}, processor ${ratio('cpuMs')}`)
  note(what, `${seconds('full', 'wallMs')} s`, GOALS.start)
  note(`${what}, against an empty one`, ratio('wallMs'), '')

  const memory = { empty: await idleMemory(empty), full: await idleMemory(full) }
  console.log(
    `resident memory of it, ${IDLE_MS / 1_000} s after the start: ${memory.full.toFixed(0)} MB (goal ${GOALS.memory}); empty ${memory.empty.toFixed(0)} MB`,
  )
  note(
    `resident memory of a service of ${PROJECTS} projects, ${IDLE_MS / 1_000} s after its start`,
    `${memory.full.toFixed(0)} MB`,
    GOALS.memory,
  )
}

function settingsOf(name) {
  return {
    QUOIN_DATA: join(folder, name),
    QUOIN_ACCOUNT_LIMITS: 'enterprise.projects=unlimited',
    QUOIN_LOG_LEVEL: 'error',
  }
}

/** Creates the projects, each with a page. */
async function fill(settings) {
  const { call, stop } = await startQuoin([], settings)
  const markdown = '## Heading\n\nA paragraph of *ordinary* text with a [link](/docs).\n\n'.repeat(30)
  await forEachConcurrently(
    Array.from({ length: PROJECTS }, (_, n) => n),
    async (n) => {
      const project = await call('POST', '/projects', { name: `Project ${n}` })
      const page = { title: 'A page', slug: 'a-page', subroute: 'docs', type: 'docs' }
      const { id } = await call('POST', '/pages', {
        project_id: project.id,
        ...page,
        markdown_content: markdown,
      })
      if (n % PAGES_PER_PUBLISHED === 0) await call('POST', `/pages/${id}/publish`)
    },
  )
  await stop()
}

/** Until the service is ready. */
async function startAndStop(settings) {
  const began = performance.now()
  const { pid, stop } = await startService(settings)
  const run = { wallMs: performance.now() - began, cpuMs: processorMs(pid) }
  await stop()
  return run
}

async function idleMemory(settings) {
  const { pid, stop } = await startService(settings)
  await setTimeout(IDLE_MS)
  const { all } = memoryMb(pid)
  await stop()
  return all
}
