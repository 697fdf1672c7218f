// Search on a site of 10,000 pages: what a visitor loads, and the cost of updating the index.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateRawSync, gzipSync } from 'node:zlib'
import knex from 'knex'
import { searchEntry } from '../../dist/render/search/search-entry.js'
import { createFinder } from '../../themes/_shared/scripts/search/find.js'
import { folder, startQuoin } from './quoin.mjs'

const PAGES = Number(process.argv[3] ?? 10_000)
const VOCABULARY = 40_000
/** Median size of a page's Markdown. The mean is higher, because some pages are long. */
const MEDIAN_BYTES = 4_096

export async function benchSearch() {
  const { url, call, pid } = await startQuoin()
  const project = await call('POST', '/projects', { name: 'Bench' })
  const page = await call('POST', '/pages', {
    project_id: project.id,
    title: 'Zymurgy',
    slug: 'zymurgy',
    subroute: '',
    type: 'docs',
    markdown_content: 'The first text.',
  })
  await call('POST', `/pages/${page.id}/publish`)
  const site = `${url}/public/${project.id}`
  await until(async () => (await total(site)) === 1)

  const { vocabulary, bytes } = await fill(project.id.slice('proj_'.length))
  console.log(`${PAGES} pages, median ${(bytes[bytes.length >> 1] / 1024).toFixed(1)} KB of Markdown,`)
  console.log(`  ${(bytes.reduce((sum, one) => sum + one, 0) / 2 ** 20).toFixed(0)} MB in total`)

  const whole = await measured(pid, url, async () => {
    await call('PUT', `/pages/${page.id}`, { markdown_content: 'The second text.' })
    await call('POST', `/pages/${page.id}/publish`)
    await until(async () => (await total(site)) === PAGES + 1)
  })
  console.log(`whole index: searchable ${whole}`)
  const before = files(project.id)
  const size = [...before.values()].reduce((sum, one) => sum + one.size, 0)
  console.log(
    `  ${before.size} files, ${(size / 2 ** 20).toFixed(1)} MB; a search loads (raw / gzip, in KB):`,
  )

  const queries = [
    ['a rare word', vocabulary[30_000]],
    ['a usual word', vocabulary[2_000]],
    ['a common word', vocabulary[20]],
    ['the commonest word', vocabulary[0]],
    ['two words', `${vocabulary[300]} ${vocabulary[3_000]}`],
    ['three common words', `${vocabulary[10]} ${vocabulary[11]} ${vocabulary[12]}`],
    ['one letter', vocabulary[2_000].slice(0, 1)],
    ['two letters', vocabulary[2_000].slice(0, 2)],
    ['nothing', 'qqqqqq'],
  ]
  const typed = (text) => Array.from(text, (_, index) => text.slice(0, index + 1))
  for (const [name, query] of queries) console.log(`  ${await loaded(site, name, [query])}`)
  console.log(`  ${await loaded(site, 'a word, letter by letter', typed(vocabulary[2_000]))}`)
  const two = `${vocabulary[700]} ${vocabulary[5_000]}`
  console.log(`  ${await loaded(site, 'two words, letter by letter', typed(two))}`)

  const fresh = await measured(pid, url, async () => {
    await call('PUT', `/pages/${page.id}`, { markdown_content: 'The third text, xylographically.' })
    await call('POST', `/pages/${page.id}/publish`)
    await until(async () => (await find(site)('xylographically', 1)).total === 1)
  })
  console.log(`one page published: searchable ${fresh}`)
  const after = files(project.id)
  const written = [...after].filter(([name, { time }]) => before.get(name)?.time !== time)
  console.log(`  files of the index written: ${written.length} (goal at most 4)`)
  console.log(`  ${await loaded(site, 'two words, with a new page', [two])}`)

  const began = performance.now()
  await call('POST', `/pages/${page.id}/unpublish`)
  console.log(
    `unpublished in ${(performance.now() - began).toFixed(0)} ms, removed from results: ${
      (await find(site)('xylographically', 1)).total === 0
    }`,
  )
}

/** Inserts live pages into the database, as publishing would have stored them. */
async function fill(projectId) {
  const random = mulberry(7)
  const vocabulary = words(random)
  const weights = cumulated(vocabulary.map((_, rank) => 1 / (rank + 2.7)))
  const word = () => vocabulary[lowest(weights, random() * weights.at(-1))]
  const db = knex({
    client: 'sqlite3',
    connection: { filename: join(folder, 'quoin.db') },
    useNullAsDefault: true,
  })
  const [model] = await db('live_pages').where({ project_id: projectId })
  const bytes = []
  await db.transaction(async (trx) => {
    for (let number = 0; number < PAGES; number++) {
      const { html, size, title } = document(random, word)
      bytes.push(size)
      const slug = `page-${number}`
      const path = `/docs/part-${number % 40}/${slug}`
      const id = `b${String(number).padStart(15, 'x')}`
      const entry = searchEntry({ title, path, description: '' }, html)
      const own = { page_id: id, release_id: id }
      // Not docs pages, because navigation is not measured here.
      await trx('live_pages').insert({
        ...model,
        ...own,
        type: 'item',
        subroute: `docs/part-${number % 40}`,
        slug,
        path,
      })
      await trx('search_entries').insert({
        ...own,
        project_id: projectId,
        entry: packed(entry),
      })
    }
  })
  await db.destroy()
  return { vocabulary, bytes: bytes.sort((a, b) => a - b) }
}

/** As stored in the database. */
function packed(entry) {
  return deflateRawSync(JSON.stringify({ ...entry, words: entry.words.join(' ') }))
}

function document(random, word) {
  const target = MEDIAN_BYTES * Math.exp(0.7 * normal(random))
  const text = (count) => Array.from({ length: count }, word).join(' ')
  const title = text(2 + Math.floor(random() * 4))
  let html = `<main><h1>${title}</h1>`
  let size = 0
  for (let section = 0; size < target && section < 60; section++) {
    const heading = text(3)
    const body = text(40 + Math.floor(random() * 120))
    size += heading.length + body.length + 8
    html += `<h2 id="section-${section}">${heading}</h2><p>${body}</p>`
  }
  return { html: `${html}</main>`, size, title }
}

/** Common words are short, as in any language. */
function words(random) {
  const [onsets, vowels] = [
    'b c d f g h k l m n p r s t v w st tr pl ch'.split(' '),
    'a e i o u ai ea ou'.split(' '),
  ]
  const created = new Set()
  while (created.size < VOCABULARY) {
    const syllables = 1 + Math.floor(random() * (created.size < 200 ? 2 : created.size < 5_000 ? 3 : 4))
    const parts = Array.from(
      { length: syllables },
      () => onsets[Math.floor(random() * onsets.length)] + vowels[Math.floor(random() * vowels.length)],
    )
    created.add(parts.join('') + (random() < 0.4 ? 'nrst'[Math.floor(random() * 4)] : ''))
  }
  return [...created]
}

/** The files that one visitor loads for these queries in sequence. */
async function loaded(site, name, queries) {
  const sizes = []
  const search = find(site, (body) => sizes.push([body.length, gzipSync(body).length]))
  let result
  const started = performance.now()
  for (const query of queries) result = await search(query, 10)
  const took = performance.now() - started
  const sum = (at) => sizes.reduce((total, one) => total + one[at], 0) / 1024
  return `${name.padEnd(30)} ${sum(0).toFixed(0).padStart(4)} / ${sum(1).toFixed(0).padStart(3)}   ${String(sizes.length).padStart(3)} files, ${took.toFixed(0)} ms, ${result.total} found`
}

function find(site, onLoad = () => {}) {
  return createFinder(async (name) => {
    const response = await fetch(`${site}/${name}`)
    if (!response.ok) throw new Error(`${name} returned ${response.status}`)
    const body = Buffer.from(await response.arrayBuffer())
    onLoad(body)
    return JSON.parse(body.toString())
  })
}

async function total(site) {
  const response = await fetch(`${site}/_search.json`)
  return response.ok ? (await response.json()).total : 0
}

function files(projectId) {
  const root = join(folder, 'cdn', projectId)
  const names = ['_search.json', ...readdirSync(join(root, '_search')).map((name) => `_search/${name}`)]
  return new Map(
    names.map((name) => {
      const { size, mtimeMs } = statSync(join(root, name))
      return [name, { size, time: mtimeMs }]
    }),
  )
}

/** Duration of the work, peak memory of the service, and latency of other requests meanwhile. */
async function measured(pid, url, work) {
  let peak = 0
  const waits = []
  let isOver = false
  const sampling = (async () => {
    while (!isOver) {
      const sent = performance.now()
      await (await fetch(`${url}/healthz`)).text()
      waits.push(performance.now() - sent)
      peak = Math.max(peak, Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid()}/status`, 'utf8'))?.[1]))
      await sleep(5)
    }
  })()
  const started = performance.now()
  const busy = cpuSeconds(pid())
  await work()
  const took = performance.now() - started
  const cpu = cpuSeconds(pid()) - busy
  isOver = true
  await sampling
  waits.sort((a, b) => a - b)
  const p99 = waits[Math.floor(waits.length * 0.99)]
  return `after ${(took / 1000).toFixed(1)} s (2 s of it waiting for further changes), ${cpu.toFixed(1)} s of CPU time, at most ${(peak / 1024).toFixed(0)} MB; other requests p99 ${p99.toFixed(0)} ms, at most ${waits.at(-1).toFixed(0)} ms`
}

/** CPU time from `/proc`, which counts in hundredths of a second. */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function until(claim) {
  while (!(await claim())) await sleep(20)
}

function cumulated(weights) {
  let sum = 0
  return weights.map((weight) => (sum += weight))
}

function lowest(sums, value) {
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sums[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function mulberry(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
