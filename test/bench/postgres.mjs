// Measures an installation on PostgreSQL: one publish against SQLite, two workers against one, and reads of a page.
// node test/bench/postgres.mjs [publish|workers|reads] [--table]
import { mkdtempSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { forEachConcurrently } from './bulk.mjs'
import { freePort, startPostgres } from './postgres-server.mjs'
import { cleanUp, folder, median, processorMs, root, start, startQuoin, startWorker } from './quoin.mjs'
import { compareReads } from './reads.mjs'
import { machine, note, writeTable } from './table.mjs'

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
const PAGES = 20
const PUBLISHES = 60
const WARM_UP = 10
const PROJECTS = 40
const WORKER_ROUNDS = 5
/** Enough for two workers, and few enough that no publish waits longer than it may. */
const CLIENTS = 6
const READS_A_ROUND = 2_000
const ORDINARY = '## Heading\n\nA paragraph of *ordinary* text with a [link](/docs).\n\n'.repeat(30)

const server = await startPostgres()
const benches = { publish: benchPublish, workers: benchWorkers, reads: benchReads }
const wanted = process.argv[2] === undefined ? Object.keys(benches) : [process.argv[2]]
try {
  console.log(`${machine()}, load ${loadavg()[0].toFixed(1)}`)
  for (const name of wanted) {
    await benches[name]()
    console.log(`  load ${loadavg()[0].toFixed(1)}`)
  }
  writeTable()
} finally {
  cleanUp()
  await server.stop()
}

/** One client publishes one page after the other, on both databases in turn. */
async function benchPublish() {
  const sites = {
    sqlite: await siteOn(await startQuoin([], { QUOIN_DATA: newFolder() })),
    postgres: await siteOn(await startQuoin([], await onPostgres('publish'))),
  }
  const times = { sqlite: [], postgres: [] }
  for (let round = 0; round < WARM_UP + PUBLISHES; round++)
    for (const name of round % 2 === 0 ? ['sqlite', 'postgres'] : ['postgres', 'sqlite']) {
      const { call, pages } = sites[name]
      const page = pages[round % PAGES]
      await call('PUT', `/pages/${page}`, { markdown_content: `${ORDINARY}Round ${round}.` })
      const started = performance.now()
      await call('POST', `/pages/${page}/publish`)
      if (round >= WARM_UP) times[name].push(performance.now() - started)
    }
  const [sqlite, postgres] = [median(times.sqlite), median(times.postgres)]
  const ratio = (postgres / sqlite).toFixed(2)
  console.log(
    `one publish, one client, median of ${PUBLISHES}: PostgreSQL ${postgres.toFixed(1)} ms, SQLite ${sqlite.toFixed(1)} ms: ${ratio} (goal at most 2.50)`,
  )
  note('one publish on PostgreSQL, against SQLite, median', ratio, 'at most 2.50')
}

async function siteOn({ call }) {
  const project = (await call('POST', '/projects', { name: 'Bench' })).id
  const pages = []
  for (let n = 0; n < PAGES; n++) {
    const page = {
      project_id: project,
      title: `Page ${n}`,
      slug: `page-${n}`,
      subroute: 'docs',
      type: 'docs',
    }
    pages.push((await call('POST', '/pages', { ...page, markdown_content: ORDINARY })).id)
    await call('POST', `/pages/${pages[n]}/publish`)
  }
  return { call, pages }
}

/**
 * Publishes pages of many projects at once, with one worker and with two. Each worker has a core to itself, as a machine
 * with one core would give it, and pages with much code make rendering the bottleneck.
 */
async function benchWorkers() {
  const port = String(await freePort())
  const settings = { ...(await onPostgres('workers')), QUOIN_BASE_URL: `http://127.0.0.1:${port}` }
  const { call, pid } = await startQuoin(['--role', 'api', '--port', port], settings)
  const first = await startWorker(settings, { core: 0 })
  const used = () => [first.pid, pid(), server.pid].map(processorMs)
  const code =
    '```js\nexport function sum(values) {\n  return values.reduce((a, b) => a + b, 0) // all\n}\n```\n\n'
  const markdown = `${ORDINARY}${code.repeat(30)}`
  const pages = await Promise.all(
    Array.from({ length: PROJECTS }, async (_, n) => {
      const project_id = (await call('POST', '/projects', { name: `Project ${n}` })).id
      const page = { project_id, title: 'A page', slug: 'page', subroute: '', type: 'article' }
      return (await call('POST', '/pages', { ...page, markdown_content: markdown })).id
    }),
  )
  let edits = 0
  const publishAll = async () => {
    const text = `${markdown}Edit ${++edits}.`
    await Promise.all(pages.map((page) => call('PUT', `/pages/${page}`, { markdown_content: text })))
    const started = performance.now()
    await forEachConcurrently(pages, (page) => call('POST', `/pages/${page}/publish`), CLIENTS)
    return PROJECTS / ((performance.now() - started) / 1000)
  }
  await publishAll()
  const rounds = []
  const costs = []
  for (let round = 0; round < WORKER_ROUNDS; round++) {
    const before = used()
    const one = await publishAll()
    costs.push(used().map((ms, n) => (ms - before[n]) / PROJECTS))
    const second = await startWorker(settings, { core: 1 })
    await publishAll()
    const two = await publishAll()
    await second.stop()
    rounds.push(two / one)
    console.log(`round ${round + 1}: one worker ${one.toFixed(1)}/s, two ${two.toFixed(1)}/s`)
  }
  await first.stop()
  const [worker, api, postgres] = [0, 1, 2].map((n) => median(costs.map((cost) => cost[n])).toFixed(0))
  console.log(
    `processor time of an edit and a publish, ms: worker ${worker}, API process ${api}, PostgreSQL ${postgres}; with two workers, both cores also run the last two`,
  )
  const ratio = median(rounds).toFixed(2)
  console.log(
    `publishes a second of ${PROJECTS} projects, two workers against one, median of ${WORKER_ROUNDS}: ${ratio} (goal at least 1.60)`,
  )
  note(
    `publishes a second of ${PROJECTS} projects, two workers on a core each against one`,
    ratio,
    'at least 1.60',
  )
}

async function benchReads() {
  const settings = await onPostgres('reads')
  const quoin = await startQuoin([], settings)
  const bare = await start([`${root}test/bench/bare-server.mjs`, settings.QUOIN_DATABASE_URL])
  await compareReads(quoin, bare, 'pg', READS_A_ROUND)
}

/** The settings of an installation with a database of its own. */
async function onPostgres(name) {
  const { default: knex } = await import('knex')
  const admin = knex({ client: 'pg', connection: server.url })
  await admin.raw('CREATE DATABASE ??', [name])
  await admin.destroy()
  const QUOIN_DATABASE_URL = server.url.replace(/postgres$/, name)
  return { QUOIN_DATA: newFolder(), QUOIN_DATABASE_URL, QUOIN_MASTER_KEY: MASTER_KEY }
}

function newFolder() {
  return mkdtempSync(join(folder, 'data-'))
}
