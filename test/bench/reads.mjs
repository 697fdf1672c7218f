// Reads one page over many connections, from a service and from a bare server with the same row, alternating.
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { median } from './quoin.mjs'
import { note } from './table.mjs'

const CONNECTIONS = 32
const REQUESTS_A_ROUND = 6_000
const ROUNDS = 7

/** @param driver the name of the database's driver, for the report. */
export async function compareReads({ url: quoin, headers, call }, bare, driver, requests = REQUESTS_A_ROUND) {
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
  const path = `/pages/${page.id}`
  await round(quoin + path, headers, requests)
  await round(bare + path, {}, requests)
  const pairs = []
  for (let i = 0; i < ROUNDS; i++) {
    const ours = await round(quoin + path, headers, requests)
    const theirs = await round(bare + path, {}, requests)
    pairs.push({ ours, theirs })
    console.log(
      `round ${i + 1}: Quoin ${ours.perSecond.toFixed(0)}/s p99 ${ours.p99.toFixed(1)} ms, ` +
        `bare ${theirs.perSecond.toFixed(0)}/s p99 ${theirs.p99.toFixed(1)} ms`,
    )
  }
  const rate = median(pairs.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond))
  const tail = median(pairs.map(({ ours, theirs }) => ours.p99 / theirs.p99))
  const against = `a bare Koa + Knex + ${driver}`
  console.log(`GET /pages/:id against ${against}, ${CONNECTIONS} connections, median of ${ROUNDS} pairs:`)
  note(`GET /pages/:id a second, against ${against}`, rate.toFixed(2), 'at least 0.60')
  note(
    driver === 'sqlite3' ? 'its p99, against the same' : `its p99, against ${against}`,
    tail.toFixed(2),
    'at most 2.00',
  )
  console.log(
    `  requests per second ${rate.toFixed(2)} (goal at least 0.60), p99 ${tail.toFixed(2)} (goal at most 2.00)`,
  )
}

/** Sends a fixed number of requests over a fixed number of connections. */
async function round(url, headers, requests) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const latencies = []
  let remaining = requests
  const started = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (remaining-- > 0) latencies.push(await one(url, headers, agent))
    }),
  )
  const seconds = (performance.now() - started) / 1000
  agent.destroy()
  latencies.sort((a, b) => a - b)
  return { perSecond: requests / seconds, p99: latencies[Math.floor(latencies.length * 0.99)] }
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
