// Publishes one hostile text after the other, in a thread of its own: making and sending texts of half a
// megabyte must not hold up the clock of whoever measures other requests meanwhile.
import { performance } from 'node:perf_hooks'
import { parentPort, workerData } from 'node:worker_threads'
import { hostileMarkdown } from '../support/hostile-markdown.mjs'

const { url, headers, id, attacks } = workerData
const answers = []
for (const { kind, bytes } of attacks) {
  const body = JSON.stringify({ markdown_content: hostileMarkdown(kind, bytes) })
  const started = performance.now()
  const kept = await fetch(`${url}/pages/${id}`, { method: 'PUT', headers, body })
  await kept.text()
  const published = await fetch(`${url}/pages/${id}/publish`, { method: 'POST', headers })
  await published.text()
  answers.push({ kind, bytes, status: published.status, ms: performance.now() - started })
}
parentPort.postMessage(answers)
