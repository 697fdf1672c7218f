// Publishes the same pages with one request each and as one job, alternating.
import { performance } from 'node:perf_hooks'
import { median, startQuoin } from './quoin.mjs'

const PAGES = 1_000
const CONCURRENCY = 32
const ROUNDS = 5

export async function benchBulk() {
  const { call } = await startQuoin()
  const project = await call('POST', '/projects', { name: 'Bench' })
  const markdown = '## Heading\n\nA paragraph of *ordinary* text with a [link](/docs).\n\n'.repeat(30)
  const pages = []
  await forEachConcurrently(
    Array.from({ length: PAGES }, (_, i) => i),
    async (i) => {
      const page = {
        project_id: project.id,
        title: `Page ${i}`,
        slug: `page-${i}`,
        subroute: '',
        type: 'article',
      }
      pages.push((await call('POST', '/pages', { ...page, markdown_content: markdown })).id)
    },
  )

  let round = 0
  /** Changes a setting first, so that publishing changes every file. */
  const timed = async (publish) => {
    await call('PUT', `/projects/${project.id}/settings`, { footer_text: `Round ${++round}` })
    const started = performance.now()
    await publish()
    return (performance.now() - started) / 1000
  }
  const one = () => timed(() => forEachConcurrently(pages, (id) => call('POST', `/pages/${id}/publish`)))
  const many = () => timed(() => publishTogether(call, project.id, pages))

  await many()
  const pairs = []
  for (let i = 0; i < ROUNDS; i++) {
    const together = await many()
    const singly = await one()
    pairs.push({ together, singly })
    console.log(`round ${i + 1}: one job ${together.toFixed(1)} s, one request each ${singly.toFixed(1)} s`)
  }
  const ratio = median(pairs.map(({ together, singly }) => singly / together))
  console.log(
    `${PAGES} pages, one request each and ${CONCURRENCY} in parallel, against one job, median of ${ROUNDS} pairs:`,
  )
  console.log(`  time ${ratio.toFixed(2)} (goal at most 2.50)`)
}

/** @param pollMs time between two looks at the job. */
export async function publishTogether(call, project, pages, pollMs = 50) {
  let job = await call('POST', `/projects/${project}/publish`, { pages })
  while (job.finished_at === null) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    job = await call('GET', `/jobs/${job.id}`)
  }
  if (job.status !== 'succeeded') throw new Error(`The job failed: ${JSON.stringify(job.failed[0])}`)
}

export async function forEachConcurrently(items, act, atOnce = CONCURRENCY) {
  const queue = [...items]
  const work = Array.from({ length: atOnce }, async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await act(item)
  })
  await Promise.all(work)
}
