// Publishes single pages of many projects for many concurrent clients.
import { performance } from 'node:perf_hooks'
import { forEachConcurrently, publishTogether } from './bulk.mjs'
import { median, startQuoin } from './quoin.mjs'
import { note } from './table.mjs'

const PROJECTS = 20
const PAGES = 500
const CLIENTS = 16
const PUBLISHES = 400
const ROUNDS = 3
const GOAL = 40

export async function benchManyProjects() {
  const { call } = await startQuoin()
  const markdown = '## Heading\n\nA paragraph of *ordinary* text with a [link](/docs).\n\n'.repeat(30)
  const projects = []
  for (let n = 0; n < PROJECTS; n++) {
    const project = (await call('POST', '/projects', { name: `Project ${n}` })).id
    const pages = []
    await forEachConcurrently(
      Array.from({ length: PAGES }, (_, i) => i),
      async (i) => {
        const page = { title: `Page ${i}`, slug: `page-${i}`, subroute: 'docs', type: 'docs' }
        pages.push(
          (await call('POST', '/pages', { project_id: project, ...page, markdown_content: markdown })).id,
        )
      },
    )
    await publishTogether(call, project, pages)
    projects.push(pages)
  }
  const rates = []
  for (let round = 0; round < ROUNDS; round++) rates.push(await publishMany(call, projects, markdown, round))
  const rate = median(rates).toFixed(0)
  console.log(
    `${PROJECTS} projects of ${PAGES} pages, ${CLIENTS} clients: ${rate} publishes a second (goal at least ${GOAL})`,
  )
  note(
    `publishes a second over ${PROJECTS} projects of ${PAGES} pages, ${CLIENTS} clients, to a folder`,
    rate,
    `at least ${GOAL}`,
  )
}

/** Publishes a second. The edits before are not part of the time. */
async function publishMany(call, projects, markdown, round) {
  const chosen = Array.from({ length: PUBLISHES }, (_, n) => {
    const pages = projects[n % PROJECTS]
    return pages[(Math.floor(n / PROJECTS) * 7 + round * 31) % pages.length]
  })
  await forEachConcurrently(chosen, (id) =>
    call('PUT', `/pages/${id}`, { markdown_content: `${markdown}Round ${round}.` }),
  )
  const queue = [...chosen]
  const began = performance.now()
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift())
        await call('POST', `/pages/${id}/publish`)
    }),
  )
  return PUBLISHES / ((performance.now() - began) / 1000)
}
