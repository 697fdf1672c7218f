// Worker thread that publishes hostile texts in sequence. It is a thread because creating and sending texts of half a
// megabyte would delay the timers of the measuring thread.
import { performance } from 'node:perf_hooks'
import { parentPort, workerData } from 'node:worker_threads'
import { hostileMarkdown } from '../support/hostile-markdown.mjs'

const { url, headers, id, attacks } = workerData
const answers = []
for (const { kind, bytes } of attacks) {
  const body = JSON.stringify({ markdown_content: hostileMarkdown(kind, bytes) })
  const started = performance.now()
  const updated = await fetch(`${url}/pages/${id}`, { method: 'PUT', headers, body })
  await updated.text()
  const published = await fetch(`${url}/pages/${id}/publish`, { method: 'POST', headers })
  await published.text()
  answers.push({ kind, bytes, status: published.status, ms: performance.now() - started })
}
parentPort.postMessage(answers)
