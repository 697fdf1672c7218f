// Publishes one page of a small project and one of a large one, alternating. Reports the number of writes and the time.
import { performance } from 'node:perf_hooks'
import { forEachConcurrently, publishTogether } from './bulk.mjs'
import { median, startQuoin } from './quoin.mjs'
import { note } from './table.mjs'

const SMALL = 10
const LARGE = 10_000
const ROUNDS = 25
/** Docs pages of one tree are the most expensive: they share navigation and link to each other. */
const A_FOLDER = 50

export async function benchOnePage() {
  const { call } = await startQuoin()
  const small = await publishedProject(call, SMALL)
  const large = await publishedProject(call, LARGE)
  const writes = { small: await writesOfOne(call, small), large: await writesOfOne(call, large) }
  const pairs = []
  for (let round = 0; round < ROUNDS; round++) {
    pairs.push({ small: await publishOne(call, small, round), large: await publishOne(call, large, round) })
  }
  const times = (of) => median(pairs.map((pair) => pair[of]))
  console.log(`one page of ${SMALL}: ${times('small').toFixed(0)} ms, ${writes.small} objects written`)
  console.log(`one page of ${LARGE}: ${times('large').toFixed(0)} ms, ${writes.large} objects written`)
  note(
    `publishing one page of ${LARGE} over HTTP to a folder, median`,
    `${times('large').toFixed(0)} ms`,
    'at most 100 ms',
  )
  const ratio = median(pairs.map(({ small, large }) => large / small))
  console.log(
    `objects of the large project against the small one: ${(writes.large / writes.small).toFixed(1)}`,
  )
  note(
    `publishing one page of ${LARGE} over HTTP to a folder, against one of ${SMALL}`,
    ratio.toFixed(2),
    'at most 2.50',
  )
}

async function publishedProject(call, count) {
  const project = await call('POST', '/projects', { name: `${count} pages` })
  const markdown = '## Heading\n\nA paragraph of *ordinary* text with a [link](/docs).\n\n'.repeat(30)
  const pages = []
  await forEachConcurrently(
    Array.from({ length: count }, (_, i) => i),
    async (i) => {
      const page = { title: `Page ${i}`, slug: `page-${i}`, type: 'docs', markdown_content: markdown }
      const subroute = `docs/part-${Math.floor(i / A_FOLDER)}`
      pages.push((await call('POST', '/pages', { project_id: project.id, subroute, ...page })).id)
    },
  )
  await publishTogether(call, project.id, pages)
  return { pages, markdown }
}

async function publishOne(call, { pages, markdown }, round) {
  const page = pages[(round * 7) % pages.length]
  await call('PUT', `/pages/${page}`, { markdown_content: `${markdown}Round ${round}.` })
  const started = performance.now()
  await call('POST', `/pages/${page}/publish`)
  return performance.now() - started
}

async function writesOfOne(call, { pages, markdown }) {
  await call('PUT', `/pages/${pages[1]}`, { title: 'Renamed', markdown_content: `${markdown}Other.` })
  const { objects } = await call('POST', `/pages/${pages[1]}/publish?dry_run=true`)
  return objects.filter(({ action }) => action === 'put').length
}
