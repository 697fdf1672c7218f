// Measures Quoin beside what people would use instead, interleaved, on this machine.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

const CONNECTIONS = 32
const REQUESTS_A_ROUND = 6_000
const ROUNDS = 7

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-'))
const children = []

try {
  console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})`)
  await benchGetPage()
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

async function benchGetPage() {
  const quoin = await start([
    `${root}dist/cli.js`,
    'serve',
    '--data',
    folder,
    '--port',
    '0',
    '--allow-http',
    'true',
  ])
  const { key } = await run([
    `${root}dist/cli.js`,
    'keys',
    'create',
    '--data',
    folder,
    '--name',
    'bench',
    '--plan',
    'enterprise',
    '--json',
  ])
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const post = async (path, body) =>
    (await (await fetch(quoin + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()).data
  const project = await post('/projects', { name: 'Bench' })
  const markdown = '## Heading\n\nA paragraph of *ordinary* text with a [link](/docs).\n\n'.repeat(30)
  const page = await post('/pages', {
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
  console.log(
    `  requests per second ${rate.toFixed(2)} (goal at least 0.60), p99 ${tail.toFixed(2)} (goal at most 2.00)`,
  )
}

/** A fixed number of requests over a fixed number of connections. */
async function round(url, headers) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const latencies = []
  let left = REQUESTS_A_ROUND
  const started = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) latencies.push(await one(url, headers, agent))
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
        else reject(new Error(`${url} was answered ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Starts a server; resolves with its address once it says that it is ready. */
function start(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)))
    child.stdout.on('data', (text) => {
      const [, address] = /ready at (\S+)/.exec(String(text)) ?? []
      if (address !== undefined) resolve(address)
    })
  })
}

async function run(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  return JSON.parse(text)
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
