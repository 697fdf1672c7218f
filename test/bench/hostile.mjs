// Effect of Markdown that is crafted to be expensive: how long its own requests take, and the latency of another project
// during the attack and without it.
import { readdirSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { HOSTILE_KINDS } from '../support/hostile-markdown.mjs'
import { median, startQuoin } from './quoin.mjs'
import { note } from './table.mjs'

const SIZES = [4_096, 65_536, 524_288]
const ROUNDS = 3
const READ_EVERY_MS = 10
const PUBLISH_EVERY_MS = 250
const SLOWEST = 5
const REST_MS = 30_000

export async function benchHostile() {
  const service = await startQuoin()
  const { call } = service
  const [attacker, other] = [await newPage(call, 'Attacker'), await newPage(call, 'Other')]
  const attacks = SIZES.flatMap((bytes) => HOSTILE_KINDS.map((kind) => ({ kind, bytes })))

  await latencyDuring(service, other, attackAll(service, attacker, attacks.slice(0, 5)))
  console.log(`memory before: ${memory()}`)
  const pairs = []
  const answers = []
  for (let i = 0; i < ROUNDS; i++) {
    const attacking = attackAll(service, attacker, attacks)
    const hostile = await latencyDuring(service, other, attacking)
    const own = await attacking
    answers.push(...own)
    const calm = await latencyDuring(service, other, after(own.reduce((sum, { ms }) => sum + ms, 0) / 4))
    pairs.push({ hostile, calm })
    console.log(`round ${i + 1}: during attacks ${shown(hostile)}; calm ${shown(calm)}`)
  }
  console.log(`memory after: ${memory()}`)
  await after(REST_MS)
  console.log(`memory after ${REST_MS / 1000} s of rest: ${memory()}`)

  const statuses = [...new Set(answers.map(({ status }) => status))].sort()
  console.log(
    `${answers.length} hostile texts of ${SIZES.join(', ')} bytes, statuses ${statuses.join(' and ')}; the slowest:`,
  )
  for (const { kind, bytes, ms, status } of [...answers].sort((a, b) => b.ms - a.ms).slice(0, SLOWEST))
    console.log(`  ${kind}, ${bytes} bytes: ${(ms / 1000).toFixed(2)} s, ${status} (goal at most 3.00 s)`)
  const reads = median(pairs.map(({ hostile, calm }) => hostile.reads / calm.reads))
  const publishes = median(pairs.map(({ hostile, calm }) => hostile.publishes / calm.publishes))
  note('p99 of reads during hostile Markdown, against calm', reads.toFixed(2), 'at most 3.00')
  note('p99 of publishes during hostile Markdown, against calm', publishes.toFixed(2), 'at most 4.00')
  console.log(`p99 of another project, during attacks against calm, median of ${ROUNDS} pairs:`)
  console.log(
    `  reads ${reads.toFixed(2)} (goal at most 3.00), publishes ${publishes.toFixed(2)} (goal at most 4.00)`,
  )
}

async function newPage(call, name) {
  const project = await call('POST', '/projects', { name })
  const fields = { title: name, slug: 'a-page', subroute: '', type: 'article', markdown_content: 'Ordinary.' }
  const page = await call('POST', '/pages', { project_id: project.id, ...fields })
  await call('POST', `/pages/${page.id}/publish`)
  return { project: project.id, id: page.id }
}

/** Publishes the texts in sequence. Resolves with the status and the time of each. */
function attackAll({ url, headers }, { id }, attacks) {
  const attacker = new Worker(new URL('./attacker.mjs', import.meta.url), {
    workerData: { url, headers, id, attacks },
  })
  return new Promise((resolve, reject) => attacker.once('message', resolve).once('error', reject))
}

/** The p99 of reads and publishes of a page, sent at a steady pace until the promise settles. */
async function latencyDuring({ url, headers }, { id }, ending) {
  let running = true
  ending.finally(() => {
    running = false
  })
  const [reads, publishes] = [[], []]
  const every = async (ms, times, act) => {
    for (let turn = 0; running; turn++) {
      const started = performance.now()
      const answer = await act(turn)
      await answer.text()
      if (!answer.ok) throw new Error(`A request of the other project returned ${answer.status}`)
      times.push(performance.now() - started)
      await after(ms)
    }
  }
  await Promise.all([
    every(READ_EVERY_MS, reads, () => fetch(`${url}/pages/${id}`, { headers })),
    every(PUBLISH_EVERY_MS, publishes, async (turn) => {
      const body = JSON.stringify({ markdown_content: `Ordinary, for the ${turn}th time.` })
      await fetch(`${url}/pages/${id}`, { method: 'PUT', headers, body })
      return fetch(`${url}/pages/${id}/publish`, { method: 'POST', headers })
    }),
  ])
  return { reads: p99(reads), publishes: p99(publishes) }
}

function shown({ reads, publishes }) {
  return `reads p99 ${reads.toFixed(1)} ms, publishes p99 ${publishes.toFixed(0)} ms`
}

function p99(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)]
}

function after(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Resident memory of the service and of each of its renderers. */
function memory() {
  const processes = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? [statusOf(pid)] : []))
  const services = processes.filter(({ parent }) => parent === process.pid)
  const renderers = processes.filter(({ parent }) => services.some(({ pid }) => pid === parent))
  const shown = (list) => list.map(({ kilobytes }) => Math.round(kilobytes / 1024)).join(' + ') || '0'
  return `service ${shown(services)} MB, renderers ${shown(renderers)} MB`
}

function statusOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'latin1')
    const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
    return { pid: field('Pid'), parent: field('PPid'), kilobytes: field('VmRSS') }
  } catch {
    // The process has ended.
    return { pid: 0, parent: 0, kilobytes: 0 }
  }
}
