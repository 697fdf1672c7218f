// Effect of webhooks on publishing and memory: without webhooks, with receivers that answer immediately, and with as many
// that never answer, send a byte per second, send endlessly, or redirect.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { median, startQuoin } from './quoin.mjs'
import { note } from './table.mjs'

const ROUNDS = 6
const PUBLISHES = 60

export async function benchWebhooks() {
  const { call, pid } = await startQuoin(['--webhook-allow-private', 'true'])
  const project = (await call('POST', '/projects', { name: 'Bench' })).id
  const receivers = new Worker(new URL('receivers.mjs', import.meta.url))
  const [{ prompt, ...others }] = await once(receivers, 'message')
  receivers.unref()
  const bad = Object.values(others).flatMap((url) => [url, url])
  const hooks = {
    quiet: [],
    prompt: await hooksFor(call, project, Array(bad.length).fill(prompt)),
    bad: await hooksFor(call, project, bad),
  }
  const fields = { project_id: project, title: 'A page', slug: 'a-page', subroute: '', type: 'article' }
  const page = (await call('POST', '/pages', fields)).id
  await round(call, page, 'warm-up')

  const kinds = Object.keys(hooks)
  const times = Object.fromEntries(kinds.map((kind) => [kind, []]))
  const memory = Object.fromEntries(kinds.map((kind) => [kind, []]))
  for (let i = 0; i < ROUNDS; i++) {
    for (const kind of i % 2 === 0 ? kinds : kinds.toReversed()) {
      for (const [of, ids] of Object.entries(hooks))
        for (const id of ids)
          await call('PUT', `/projects/${project}/webhooks/${id}`, { active: of === kind })
      times[kind].push(...(await round(call, page, `${i}, ${kind}`)))
      memory[kind].push(residentMb(pid()))
    }
  }
  const p99 = (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length * 0.99)]
  note(
    'p99 of publishes with receivers that never answer or send endlessly, against prompt ones',
    (p99(times.bad) / p99(times.prompt)).toFixed(2),
    'about 1',
  )
  for (const [kind, all] of Object.entries(times)) {
    console.log(
      `${kind}, ${hooks[kind].length} webhooks: p50 ${median(all).toFixed(1)} ms, p99 ${p99(all).toFixed(1)} ms, at most ${Math.max(...memory[kind]).toFixed(0)} MB`,
    )
  }
}

async function hooksFor(call, project, urls) {
  const ids = []
  for (const url of urls)
    ids.push((await call('POST', `/projects/${project}/webhooks`, { url, active: false })).id)
  return ids
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

function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
