// How long the publish of a small page takes while another account keeps many of its projects busy with costly pages.
import { performance } from 'node:perf_hooks'
import { hostileMarkdown } from '../support/hostile-markdown.mjs'
import { median, startQuoin } from './quoin.mjs'
import { note } from './table.mjs'

const ATTACKERS = [4, 8, 16, 24]
const SECONDS = Number(process.env.QUOIN_BENCH_SECONDS ?? 20)
const PUBLISH_EVERY_MS = 250
const GOAL_MS = 3_000
/** Takes a renderer nearly the two seconds that a page may take. */
const COSTLY = hostileMarkdown('HTML that is adopted', 524_288)

/** What each attacking project does without a pause. */
const ATTACKS = {
  previews: async ({ url, headers }, { id }) => (await fetch(`${url}/render/${id}`, { headers })).text(),
  publishes: async ({ url, headers }, { id }, turn) => {
    const body = JSON.stringify({ markdown_content: `${COSTLY} ${turn}` })
    await (await fetch(`${url}/pages/${id}`, { method: 'PUT', headers, body })).text()
    await (await fetch(`${url}/pages/${id}/publish`, { method: 'POST', headers })).text()
  },
}

export async function benchFairness() {
  const { url, ...attacker } = await startQuoin()
  const bystander = await newPage(
    await attacker.newAccount('bystander@example.com'),
    'Bystander',
    'Ordinary.',
  )
  const pages = []
  for (let n = 0; n < Math.max(...ATTACKERS); n++)
    pages.push(await newPage(attacker, `Attacker ${n}`, COSTLY))
  await publishesDuring(url, bystander, 3)

  const calm = { count: 0, turns: 0, ...(await publishesDuring(url, bystander, SECONDS)) }
  for (const [name, attack] of Object.entries(ATTACKS)) {
    const rows = [calm]
    console.log(shown(name, calm, calm))
    for (const count of ATTACKERS) {
      rows.push({ count, ...(await underAttack(url, attacker, pages.slice(0, count), attack, bystander)) })
      console.log(shown(name, rows.at(-1), calm))
    }
    const worst = Math.max(...rows.map(({ slowest }) => slowest))
    const failed = rows.reduce((sum, row) => sum + row.failed, 0)
    note(
      `slowest publish of another account while 0 to ${Math.max(...ATTACKERS)} projects of one account have costly ${name} under way, s`,
      `${(worst / 1000).toFixed(2)}, ${failed} failed`,
      `at most ${(GOAL_MS / 1000).toFixed(2)}, 0 failed`,
    )
  }
}

async function underAttack(url, attacker, pages, attack, bystander) {
  let running = true
  let turns = 0
  const attacks = pages.map(async (page) => {
    while (running) await attack({ url, ...attacker }, page, turns++)
  })
  // Time to fill the queue.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const result = await publishesDuring(url, bystander, SECONDS)
  running = false
  await Promise.all(attacks)
  return { ...result, turns }
}

/** Publishes the page at a steady pace for some seconds. */
async function publishesDuring(url, { id, headers }, seconds) {
  const times = []
  let failed = 0
  const end = performance.now() + seconds * 1_000
  for (let turn = 0; performance.now() < end; turn++) {
    const body = JSON.stringify({ markdown_content: `Ordinary, for the ${turn}th time.` })
    await (await fetch(`${url}/pages/${id}`, { method: 'PUT', headers, body })).text()
    const started = performance.now()
    const answer = await fetch(`${url}/pages/${id}/publish`, { method: 'POST', headers })
    await answer.text()
    times.push(performance.now() - started)
    if (!answer.ok) failed += 1
    await new Promise((resolve) => setTimeout(resolve, PUBLISH_EVERY_MS))
  }
  return { times, failed, typical: median(times), slowest: Math.max(...times) }
}

function shown(name, { count, times, failed, typical, slowest, turns }, calm) {
  const ratio = (typical / calm.typical).toFixed(1)
  return (
    `${count} projects with costly ${name} (${turns} of them): publishes of the other account ` +
    `median ${typical.toFixed(0)} ms (${ratio} of calm), slowest ${(slowest / 1000).toFixed(2)} s ` +
    `(goal at most ${(GOAL_MS / 1000).toFixed(2)} s), ${failed} of ${times.length} failed`
  )
}

async function newPage({ call, headers }, name, markdown) {
  const project = await call('POST', '/projects', { name })
  const fields = { title: name, slug: 'a-page', subroute: '', type: 'article', markdown_content: markdown }
  const page = await call('POST', '/pages', { project_id: project.id, ...fields })
  return { id: page.id, headers }
}
