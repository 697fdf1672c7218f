// Works out what an installation on PostgreSQL and S3 costs: rows, bytes, objects, requests, connections and money, from
// a small real run. With --check, a larger real run shows how far the predictions are off. It may take hours: --minutes
// ends it earlier, and --state names a folder that keeps it, so that the same command continues it.
// node test/bench/cost.mjs [--projects 10000] [--pages 1000000] [--json]
//   [--check [--check-projects 200] [--check-pages 200000] [--minutes 10] [--state /var/tmp/quoin-cost]]
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import knex from 'knex'
import { publishTogether } from './bulk.mjs'
import { startPostgres } from './postgres-server.mjs'
import { cleanUp, folder, startQuoin } from './quoin.mjs'
import { machine } from './table.mjs'

/**
 * US dollars, before taxes and discounts: on-demand prices of Amazon Web Services, region us-east-1, around January 2025.
 * Compare them with today's price list before relying on a sum. Each can be replaced with a flag, for example
 * `--put 0.0000054`.
 */
const PRICES = {
  /** A GB a month in S3 Standard. */
  'store-gb': 0.023,
  /** One PUT, COPY or LIST of S3; a DELETE costs nothing. */
  put: 0.005 / 1_000,
  /** One GET or HEAD of S3. */
  get: 0.0004 / 1_000,
  /** An hour of RDS for PostgreSQL, db.m6g.large (2 cores, 8 GB), in one zone. */
  'database-hour': 0.159,
  /** A GB a month of RDS's gp3 storage. */
  'database-gb': 0.115,
  /** An hour of EC2, m6g.large (2 cores, 8 GB), for each process. */
  'process-hour': 0.077,
  /** One HTTPS request that CloudFront answers. */
  request: 1 / 1_000_000,
  /** A GB that CloudFront sends, of the first 10 TB. */
  'sent-gb': 0.085,
}

/** What the parts of such an installation hold before something has to change. Flags replace these too. */
const LIMITS = {
  /** The default `max_connections` of PostgreSQL, less three that it reserves. */
  'max-connections': 97,
  /** PUTs a second and prefix, as Amazon documents for S3; each project is a prefix. */
  'puts-a-second': 3_500,
  /** GB of a database whose indexes and hot rows still fit into 8 GB of memory: about a fifth of it. */
  'max-database-gb': 40,
  /** Hours that publishing all pages again, after a new version of a theme, may take. */
  'max-hours': 24,
}

const HOURS_A_MONTH = 730
const SECONDS_A_MONTH = HOURS_A_MONTH * 3600
const GB = 1024 ** 3
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
/** Two sizes of projects, so that what a project costs and what a page costs can be told apart. */
const SHAPES = [
  { projects: 5, pages: 20 },
  { projects: 5, pages: 100 },
]
const SINGLE_PUBLISHES = 200
const AT_ONCE = 4
/** Between two looks at a job of hundreds of pages: each look takes processor time from it. */
const POLL_MS = 500
const TRIES = 20
const RETRY_MS = 5_000
const TOLERANCE = 0.25
/** Counted by a process, and lost with it. */
const REQUESTS = { puts: 0, gets: 0, deletes: 0 }
/** What happens for fewer of the pages than this is too little to be predicted from a small run. */
const RARE = 0.05

const number = (value) => ({ type: 'string', default: String(value) })
const { values } = parseArgs({
  options: {
    projects: number(10_000),
    pages: number(1_000_000),
    /** Single publishes after the first one of each page, a month. */
    publishes: number(2_000_000),
    /** Months for which their releases are stored. */
    months: number(3),
    /** Pages that visitors open in a month, with the requests and bytes of each. */
    views: number(10_000_000),
    'view-requests': number(4),
    'view-kb': number(40),
    /** The busiest second against the average one. */
    peak: number(10),
    check: { type: 'boolean', default: false },
    'check-projects': number(200),
    'check-pages': number(200_000),
    /** No project is begun after them; 0 for no end. */
    minutes: number(0),
    state: { type: 'string' },
    json: { type: 'boolean', default: false },
    ...Object.fromEntries(
      Object.entries({ ...PRICES, ...LIMITS }).map(([name, value]) => [name, number(value)]),
    ),
  },
})
const { state: kept, ...flags } = values
const given = Object.fromEntries(
  Object.entries(flags).map(([name, value]) => [name, typeof value === 'string' ? Number(value) : value]),
)
for (const [name, value] of Object.entries(given))
  if (typeof value === 'number' && !(value >= 0)) throw new Error(`--${name}: must be a number from 0.`)

const home = kept ?? mkdtempSync(join(folder, 'cost-'))
mkdirSync(home, { recursive: true })
const stateFile = join(home, 'state.json')
/** What earlier runs found. */
let state = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {}

const server = await startPostgres(kept === undefined ? null : join(home, 'postgres'))
try {
  if (state.costs === undefined) save({ costs: await measureCosts(await startInstallation('small')) })
  const { costs } = state
  const report = { machine: machine(), load: loadavg()[0], costs, ...predictAll(costs) }
  if (given.check) report.check = await check(costs)
  if (given.json) console.log(JSON.stringify(report, null, 2))
  else print(report)
  if (report.check?.parts.some(({ off }) => Math.abs(off) > TOLERANCE)) process.exitCode = 1
} finally {
  cleanUp()
  await server.stop()
}

function save(more) {
  state = { ...state, ...more }
  writeFileSync(stateFile, JSON.stringify(state))
}

async function startInstallation(name) {
  const admin = knex({ client: 'pg', connection: server.url })
  const isNew = (await admin('pg_database').where({ datname: name }).first()) === undefined
  if (isNew) await admin.raw('CREATE DATABASE ??', [name])
  await admin.destroy()
  const url = server.url.replace(/postgres$/, name)
  const data = join(home, name)
  mkdirSync(data, { recursive: true })
  const settings = {
    QUOIN_DATA: data,
    QUOIN_DATABASE_URL: url,
    QUOIN_MASTER_KEY: MASTER_KEY,
    QUOIN_LOG_LEVEL: 'error',
  }
  const quoin = await startQuoin([], settings)
  const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 1 } })
  return { ...quoin, db, store: join(data, 'cdn') }
}

/** What a project, a page with its first publish, and a later publish cost. */
async function measureCosts(installation) {
  const start = await measure(installation)
  const [small, large] = SHAPES
  const pages = await fill(installation, small.projects, small.pages)
  const afterSmall = await measure(installation)
  const began = performance.now()
  await fill(installation, large.projects, large.pages)
  const perSecond = (large.projects * large.pages) / ((performance.now() - began) / 1000)
  const afterLarge = await measure(installation)
  for (let n = 0; n < SINGLE_PUBLISHES; n++) {
    const page = pages[n % pages.length]
    await installation.call('PUT', `/pages/${page}`, { markdown_content: textOf(n, 'Edited.') })
    await installation.call('POST', `/pages/${page}/publish`)
  }
  const afterPublishes = await measure(installation)

  const a = difference(afterSmall, start)
  const b = difference(afterLarge, afterSmall)
  const pageCost = each(b, (name) => {
    const more = large.projects * large.pages - small.projects * small.pages
    return Math.max(0, (b[name] - a[name]) / more)
  })
  return {
    project: each(a, (name) =>
      Math.max(0, (a[name] - small.projects * small.pages * pageCost[name]) / small.projects),
    ),
    page: pageCost,
    publish: each(a, (name) => Math.max(0, (afterPublishes[name] - afterLarge[name]) / SINGLE_PUBLISHES)),
    connections: await connectionsOf(installation),
    /** By one process, while pages are created and published as jobs. */
    perSecond,
  }
}

/** Creates and publishes pages: half of them docs in folders of ten, half articles with tags. */
async function fill(installation, projects, pages, { until = Number.POSITIVE_INFINITY, onProject } = {}) {
  const call = patiently(installation.call)
  const created = []
  const queue = Array.from({ length: projects }, (_, n) => n)
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, projects) }, async () => {
      for (let n = queue.shift(); n !== undefined && performance.now() < until; n = queue.shift()) {
        const project = (await call('POST', '/projects', { name: `Project ${n}` })).id
        const ids = []
        for (let i = 0; i < pages; i++) {
          const kind =
            i % 2 === 0
              ? { type: 'docs', subroute: `docs/part-${Math.floor(i / 20)}` }
              : { type: 'article', subroute: 'blog', tags: [`Tag ${i % 5}`] }
          const page = { project_id: project, title: `Page ${i}`, slug: `page-${i}`, ...kind }
          ids.push((await call('POST', '/pages', { ...page, markdown_content: textOf(i, '') })).id)
        }
        await publishTogether(call, project, ids, POLL_MS)
        created.push(ids)
        onProject?.()
      }
    }),
  )
  return created.flat()
}

/** Repeats a request that a busy machine refuses, as clients do: a run of hours shares its machine. */
function patiently(call) {
  return async (...request) => {
    for (let tries = 1; ; tries++) {
      try {
        return await call(...request)
      } catch (error) {
        if (error.status !== 503 || tries === TRIES) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
}

/** About 3 KB, of other words on each page. */
function textOf(n, end) {
  const words = ['quoin', 'wall', 'stone', 'mortar', 'corner', 'house', 'lime', 'brick', 'arch', 'lintel']
  const sentence = (k) =>
    Array.from(
      { length: 12 },
      (_, i) => `${words[(n * 7 + k * 3 + i) % words.length]}${(n * k + i) % 90}`,
    ).join(' ')
  const paragraphs = Array.from(
    { length: 30 },
    (_, k) => `${k % 6 === 0 ? `## Part ${k}\n\n` : ''}${sentence(k)}.\n\n`,
  )
  return paragraphs.join('') + end
}

/** After all jobs have ended: the search index follows a publish. */
async function measure({ url, db, store }) {
  let metrics = ''
  for (let isQuiet = false; !isQuiet; ) {
    metrics = await (await fetch(`${url}/metrics`)).text()
    isQuiet = [...metrics.matchAll(/^quoin_jobs\{(.*)\} (\d+)$/gm)].every(
      ([, labels, jobs]) => jobs === '0' || labels.includes('"waiting"'),
    )
    if (!isQuiet) await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const calls = (operations) =>
    operations
      .map(
        (name) =>
          new RegExp(`^quoin_store_call_duration_seconds_count\\{operation="${name}"\\} (\\d+)$`, 'm'),
      )
      .reduce((sum, pattern) => sum + Number(pattern.exec(metrics)?.[1] ?? 0), 0)
  const all = [...metrics.matchAll(/^quoin_store_call_duration_seconds_count\{operation="(\w+)"\}/gm)]
  const operations = all.map(([, name]) => name)
  const isRead = (name) => /^(get|read|head|stat|has|open)/i.test(name)
  const isDelete = (name) => /^(delete|remove)/i.test(name)
  const tables = await db('pg_class')
    .join('pg_namespace', 'pg_namespace.oid', 'relnamespace')
    .where({ nspname: 'public', relkind: 'r' })
    .pluck('relname')
  let rows = 0
  for (const name of tables) rows += Number((await db(name).count({ rows: '*' }).first()).rows)
  // What the last vacuum left depends on its time.
  await db.raw('VACUUM FULL')
  return {
    rows,
    databaseBytes: await sizeOf(db),
    ...filesIn(store),
    puts: calls(operations.filter((name) => !isRead(name) && !isDelete(name))),
    gets: calls(operations.filter(isRead)),
    deletes: calls(operations.filter(isDelete)),
  }
}

async function sizeOf(db) {
  return Number((await db.raw('SELECT pg_database_size(current_database()) AS bytes')).rows[0].bytes)
}

function filesIn(root) {
  let [objects, storeBytes] = [0, 0]
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      objects += 1
      storeBytes += statSync(join(entry.parentPath, entry.name)).size
    }
  return { objects, storeBytes }
}

async function connectionsOf({ db }) {
  const answer = await db('pg_stat_activity')
    .whereRaw('datname = current_database()')
    .where('pid', '<>', db.raw('pg_backend_pid()'))
    .count({ connections: '*' })
    .first()
  return Number(answer.connections)
}

function predict({ project, page, publish }, { projects, pages, publishes }) {
  return each(project, (name) => project[name] * projects + page[name] * pages + publish[name] * publishes)
}

function predictAll(costs) {
  const { projects, pages, publishes, months, views, peak } = given
  const first = predict(costs, { projects, pages, publishes: 0 })
  const stored = predict(costs, { projects, pages, publishes: publishes * months })
  const monthly = each(costs.publish, (name) => costs.publish[name] * publishes)
  const peakPublishes = (publishes / SECONDS_A_MONTH) * peak
  const processes = 2 + Math.ceil(peakPublishes / costs.perSecond)
  const connections = processes * Math.max(costs.connections, 14)
  const [databaseGb, storeGb] = [stored.databaseBytes / GB, stored.storeBytes / GB]
  const dollars = {
    database: given['database-hour'] * HOURS_A_MONTH + given['database-gb'] * databaseGb,
    processes: given['process-hour'] * HOURS_A_MONTH * processes,
    store: given['store-gb'] * storeGb + given.put * monthly.puts + given.get * monthly.gets,
    visitors:
      given.request * views * given['view-requests'] +
      (given['sent-gb'] * views * given['view-kb']) / 1024 ** 2,
  }
  const firstUpload = given.put * first.puts + given.get * first.gets
  const hours = pages / costs.perSecond / processes / 3600
  const strain = [
    {
      part: 'connections of PostgreSQL',
      used: connections,
      limit: given['max-connections'],
      advice: 'Put PgBouncer in transaction mode in front (QUOIN_DATABASE_URL), or raise max_connections.',
    },
    {
      part: 'GB of the database',
      used: databaseGb,
      limit: given['max-database-gb'],
      advice:
        'Take a larger database server; then shorten the retention of releases, or split accounts over two installations.',
    },
    {
      part: 'hours of publishing all pages again',
      used: hours,
      limit: given['max-hours'],
      advice: 'Run more workers (`quoin worker`): projects are published side by side.',
    },
    {
      part: 'PUTs a second in the busiest second',
      used: peakPublishes * costs.publish.puts,
      limit: given['puts-a-second'],
      advice: 'Nothing to change: the store splits by prefix, and each project has its own.',
    },
  ].sort((a, b) => b.used / b.limit - a.used / a.limit)
  return {
    wanted: { projects, pages, publishes, views },
    first,
    stored,
    monthly,
    processes,
    connections,
    dollars,
    firstUpload,
    strain,
  }
}

/** A real run of another size, or the next part of it, against what the small one predicts. */
async function check(costs) {
  const pagesEach = Math.max(1, Math.round(given['check-pages'] / given['check-projects']))
  const installation = await startInstallation('large')
  const began = await measure(installation)
  if (state.check === undefined)
    save({ check: { pagesEach, projects: 0, start: began, requests: each(REQUESTS, () => 0) } })
  const { start, requests: earlier } = state.check
  if (state.check.pagesEach !== pagesEach)
    throw new Error(`The folder holds a run with ${state.check.pagesEach} pages a project.`)
  const until = given.minutes === 0 ? Number.POSITIVE_INFINITY : performance.now() + given.minutes * 60_000
  const isTerminal = process.stderr.isTTY === true
  await fill(installation, Math.max(0, given['check-projects'] - state.check.projects), pagesEach, {
    until,
    onProject() {
      state.check.projects += 1
      const pages = state.check.projects * pagesEach
      process.stderr.write(`${pages} of ${given['check-pages']} pages${isTerminal ? '\r' : '\n'}`)
    },
  })
  const sizeBefore = await sizeOf(installation.db)
  const ended = await measure(installation)
  const requests = each(REQUESTS, (name) => earlier[name] + ended[name] - began[name])
  save({ check: { ...state.check, requests } })
  const loose = sizeBefore / ended.databaseBytes
  const measured = { ...difference(ended, start), ...requests }
  const { projects } = state.check
  const pages = projects * pagesEach
  const predicted = predict(costs, { projects, pages, publishes: 0 })
  const parts = Object.keys(measured)
    .filter((name) => measured[name] > pages * RARE)
    .map((name) => ({
      name,
      predicted: Math.round(predicted[name]),
      measured: measured[name],
      off: predicted[name] / measured[name] - 1,
    }))
  return { projects, pages, loose, parts }
}

function difference(after, before) {
  return each(after, (name) => after[name] - before[name])
}

function each(of, value) {
  return Object.fromEntries(Object.keys(of).map((name) => [name, value(name)]))
}

function print({
  machine,
  load,
  costs,
  wanted,
  first,
  stored,
  monthly,
  processes,
  connections,
  dollars,
  firstUpload,
  strain,
  check,
}) {
  const whole = (value) => Math.round(value).toLocaleString('en')
  console.log(`${machine}, load ${load.toFixed(1)}`)
  console.log('\nMeasured cost of each:')
  for (const kind of ['project', 'page', 'publish'])
    console.log(
      `  ${kind.padEnd(8)}${Object.entries(costs[kind])
        .map(([name, value]) => `${name} ${value < 10 ? value.toFixed(1) : whole(value)}`)
        .join(', ')}`,
    )
  console.log(
    `  a process holds ${costs.connections} connections and publishes ${costs.perSecond.toFixed(1)} pages a second`,
  )
  console.log(
    `\n${whole(wanted.pages)} pages in ${whole(wanted.projects)} projects, ${whole(wanted.publishes)} publishes and ${whole(wanted.views)} page views a month:`,
  )
  console.log(`  database: ${whole(stored.rows)} rows, ${(stored.databaseBytes / GB).toFixed(1)} GB`)
  console.log(`  store: ${whole(stored.objects)} objects, ${(stored.storeBytes / GB).toFixed(1)} GB`)
  console.log(
    `  requests to the store: ${whole(first.puts + first.gets + first.deletes)} for the first publish ($${firstUpload.toFixed(2)}), then ${whole(monthly.puts + monthly.gets + monthly.deletes)} a month`,
  )
  console.log(`  processes: ${processes}, connections: ${connections}`)
  const total = Object.values(dollars).reduce((sum, value) => sum + value, 0)
  console.log(
    `  cost a month: $${total.toFixed(0)} (${Object.entries(dollars)
      .map(([name, value]) => `${name} $${value.toFixed(0)}`)
      .join(', ')})`,
  )
  console.log('\nWhat breaks first, as a share of its limit:')
  for (const { part, used, limit, advice } of strain)
    console.log(
      `  ${((100 * used) / limit).toFixed(0).padStart(4)} %  ${part}: ${used < 10 ? used.toFixed(1) : whole(used)} of ${whole(limit)}. ${advice}`,
    )
  if (check === undefined) return
  console.log(
    `\nPredictions against a real run of ${whole(check.pages)} pages in ${check.projects} projects (goal: within ${100 * TOLERANCE} %):`,
  )
  for (const { name, predicted, measured, off } of check.parts)
    console.log(
      `  ${name.padEnd(14)} predicted ${whole(predicted)}, measured ${whole(measured)}: ${(100 * off).toFixed(0)} %`,
    )
  console.log(
    `  PostgreSQL took ${check.loose.toFixed(2)} times the room of the database, before VACUUM FULL.`,
  )
}
