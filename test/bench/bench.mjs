// Runs one benchmark on this machine. Measurements that are compared are interleaved.
// node test/bench/bench.mjs [name]
//   (none)    GET /pages/:id against a bare server
//   builds    builds of a site by Quoin, Eleventy and Hugo
//   pictures  builds of a site of photos by Quoin, and their pictures by Eleventy Image
//   own       builds by Quoin: sealed, highlighted, incremental
//   start     start of the command
//   bulk      one job for many pages against one request each
//   page      one page of a large site
//   projects  pages of many projects at once
//   search    size and update of the search index
//   indexes   navigation and indexes, in process
//   colours   syntax highlighting
//   pool      rendering in a child process
//   dev       from saving a file to the browser showing it
//   bystanders  effect of attacks with an ordinary key on another account
//   fairness  effect of many busy projects of one account on another account
//   hostile   effect of expensive Markdown on other projects
//   stalls    how long costly requests hold the main thread; a third argument selects some by name
//   webhooks  effect of hostile webhook receivers on publishing
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { benchBuilds } from './builds.mjs'
import { benchBulk } from './bulk.mjs'
import { benchBystanders } from './bystanders.mjs'
import { benchColours } from './colours.mjs'
import { benchDev } from './dev.mjs'
import { benchFairness } from './fairness.mjs'
import { benchHostile } from './hostile.mjs'
import { benchIndexes } from './indexes.mjs'
import { benchManyProjects } from './many-projects.mjs'
import { benchOnePage } from './one-page.mjs'
import { benchOwnBuilds, benchStart } from './own-builds.mjs'
import { benchPictures } from './pictures.mjs'
import { benchPool } from './pool.mjs'
import { cleanUp, folder, median, root, start, startQuoin } from './quoin.mjs'
import { benchSearch } from './search.mjs'
import { benchStalls } from './stalls.mjs'
import { machine, note, writeTable } from './table.mjs'
import { benchWebhooks } from './webhooks.mjs'

const CONNECTIONS = 32
const REQUESTS_A_ROUND = 6_000
const ROUNDS = 7

try {
  console.log(machine())
  const benches = {
    builds: benchBuilds,
    own: benchOwnBuilds,
    start: benchStart,
    bulk: benchBulk,
    bystanders: benchBystanders,
    colours: benchColours,
    dev: benchDev,
    indexes: benchIndexes,
    page: benchOnePage,
    pictures: benchPictures,
    projects: benchManyProjects,
    search: benchSearch,
    pool: benchPool,
    fairness: benchFairness,
    hostile: benchHostile,
    stalls: benchStalls,
    webhooks: benchWebhooks,
  }
  await (benches[process.argv[2]] ?? benchGetPage)()
  writeTable()
} finally {
  cleanUp()
}

async function benchGetPage() {
  const { url: quoin, headers, call } = await startQuoin()
  const project = await call('POST', '/projects', { name: 'Bench' })
  const markdown = '## Heading\n\nA paragraph of *ordinary* text with a [link](/docs).\n\n'.repeat(30)
  const page = await call('POST', '/pages', {
    project_id: project.id,
    title: 'A page',
    slug: 'a-page',
    subroute: 'docs',
    type: 'article',
    markdown_content: markdown,
  })
  const bare = await start([`${root}test/bench/bare-server.mjs`, join(folder, 'quoin.db')])

  const path = `/pages/${page.id}`
  await round(quoin + path, headers)
  await round(bare + path, {})
  const pairs = []
  for (let i = 0; i < ROUNDS; i++) {
    const ours = await round(quoin + path, headers)
    const theirs = await round(bare + path, {})
    pairs.push({ ours, theirs })
    console.log(
      `round ${i + 1}: Quoin ${ours.perSecond.toFixed(0)}/s p99 ${ours.p99.toFixed(1)} ms, ` +
        `bare ${theirs.perSecond.toFixed(0)}/s p99 ${theirs.p99.toFixed(1)} ms`,
    )
  }
  const rate = median(pairs.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond))
  const tail = median(pairs.map(({ ours, theirs }) => ours.p99 / theirs.p99))
  console.log(
    `GET /pages/:id against bare Koa + Knex + sqlite3, ${CONNECTIONS} connections, median of ${ROUNDS} pairs:`,
  )
  note('GET /pages/:id a second, against a bare Koa + Knex + sqlite3', rate.toFixed(2), 'at least 0.60')
  note('its p99, against the same', tail.toFixed(2), 'at most 2.00')
  console.log(
    `  requests per second ${rate.toFixed(2)} (goal at least 0.60), p99 ${tail.toFixed(2)} (goal at most 2.00)`,
  )
}

/** Sends a fixed number of requests over a fixed number of connections. */
async function round(url, headers) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const latencies = []
  let remaining = REQUESTS_A_ROUND
  const started = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (remaining-- > 0) latencies.push(await one(url, headers, agent))
    }),
  )
  const seconds = (performance.now() - started) / 1000
  agent.destroy()
  latencies.sort((a, b) => a - b)
  return { perSecond: REQUESTS_A_ROUND / seconds, p99: latencies[Math.floor(latencies.length * 0.99)] }
}

function one(url, headers, agent) {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - started)
        else reject(new Error(`${url} returned ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
