// Publishes of a project that nobody hears of, and of the same one told to receivers that never answer, send a
// byte now and then, send without end, or redirect, in turn: what they do to publishing and to memory.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { performance } from 'node:perf_hooks'
import { median, startQuoin } from './quoin.mjs'

const ROUNDS = 6
const PUBLISHES = 60
const OF_EACH = 2

const CHUNK = Buffer.alloc(64 * 1024, 'x')
const RECEIVERS = {
  silent: () => {},
  slow(response) {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 1_000)
    response.on('close', () => clearInterval(timer))
  },
  endless(response) {
    response.writeHead(200)
    const fill = () => {
      while (!response.destroyed && response.write(CHUNK));
    }
    response.on('drain', fill)
    fill()
  },
  redirecting: (response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
}

export async function benchWebhooks() {
  const { call, pid } = await startQuoin(['--webhook-allow-private', 'true'])
  const project = (await call('POST', '/projects', { name: 'Bench' })).id
  const hooks = []
  for (const answer of Object.values(RECEIVERS)) {
    const url = await listen(answer)
    for (let i = 0; i < OF_EACH; i++)
      hooks.push((await call('POST', `/projects/${project}/webhooks`, { url, active: false })).id)
  }
  const fields = { project_id: project, title: 'A page', slug: 'a-page', subroute: '', type: 'article' }
  const page = (await call('POST', '/pages', fields)).id
  await round(call, page, 'warm-up')

  const times = { quiet: [], told: [] }
  const memory = { quiet: [], told: [] }
  for (let i = 0; i < ROUNDS * 2; i++) {
    const name = i % 2 === 0 ? 'quiet' : 'told'
    for (const hook of hooks)
      await call('PUT', `/projects/${project}/webhooks/${hook}`, { active: name === 'told' })
    times[name].push(...(await round(call, page, i)))
    memory[name].push(residentMb(pid()))
  }
  for (const [name, all] of Object.entries(times)) {
    const sorted = all.sort((a, b) => a - b)
    const p99 = sorted[Math.floor(sorted.length * 0.99)]
    console.log(
      `${name}: p50 ${median(all).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, at most ${Math.max(...memory[name]).toFixed(0)} MB`,
    )
  }
}

async function round(call, page, name) {
  const times = []
  for (let i = 0; i < PUBLISHES; i++) {
    await call('PUT', `/pages/${page}`, { markdown_content: `Round ${name}, text ${i}.` })
    const began = performance.now()
    await call('POST', `/pages/${page}/publish`)
    times.push(performance.now() - began)
  }
  return times
}

function listen(answer) {
  const server = createServer((request, response) => {
    response.on('error', () => {})
    request.resume().on('end', () => answer(response))
  })
  return new Promise((resolve) => {
    server.unref().listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}/`))
  })
}

function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
