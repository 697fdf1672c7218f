// Effect of attacks with one ordinary key on another account: the p99 of its reads, the median of its publishes and its
// failed requests, in pairs of an attacked and a calm window, and the delay of the service's event loop. The attacks run
// in a worker, so that they do not delay the measurement itself. Each window has a new key of the plan `standard`, or of
// `QUOIN_BENCH_PLAN`: one of `enterprise` is never refused. `QUOIN_BENCH_DATABASE=postgres` runs on PostgreSQL, and
// `QUOIN_BENCH_ATTACKS` names the attacks to run by a part of their names.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { hostileMarkdown } from '../support/hostile-markdown.mjs'

const WINDOW_MS = 1_000 * Number(process.env.QUOIN_BENCH_SECONDS ?? 6)
const PAIRS = 3
const PLAN = process.env.QUOIN_BENCH_PLAN ?? 'standard'
const CHOSEN = process.env.QUOIN_BENCH_ATTACKS ?? ''
const READ_EVERY_MS = 10
const PUBLISH_EVERY_MS = 500
const LARGE = 'x'.repeat(5_000_000)
/** Shapes within shapes: as costly as a drawing may be. */
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${'<g opacity=".9" filter="url(#a)">'.repeat(200)}<path d="M0 0h9v9z"/>${'</g>'.repeat(200)}<filter id="a"><feGaussianBlur stdDeviation="9"/></filter></svg>`

/** What one worker does again and again, with the connections that it keeps open. */
const ATTACKS = {
  'lists of large pages that are never read': ({ url, key, project }) =>
    neverRead(url, 24, get(`/pages?project_id=${project}&include_content=true&limit=60`, key)),
  'answers without a key that are never read': ({ url }) => neverRead(url, 150, get('/reference')),
  'bodies without their last byte': ({ url, key }) =>
    neverRead(url, 40, `${post('/pages', key, 1_000_000)}${'x'.repeat(999_999)}`),
  'large pages': together(8, ({ request, large }) => request('GET', `/pages/${large}`)),
  'large pages as Markdown': together(4, ({ request, large }) =>
    request('GET', `/pages/${large}?format=markdown`),
  ),
  'bodies of 400,000 fields': together(4, ({ request, page, fields }) =>
    request('PUT', `/pages/${page}`, fields),
  ),
  'costly previews': together(8, ({ request, costly }) => request('GET', `/render/${costly}`)),
  'pages that include 200 others': together(8, ({ request, including }) =>
    request('GET', `/render/${including}`),
  ),
  'nested drawings': together(8, ({ url, key, project }, turn) =>
    fetch(`${url}/projects/${project}/assets?name=${turn}.svg`, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'image/svg+xml' },
      body: DRAWING.replace('9 9', `9 9${' '.repeat(1 + (Number.parseInt(turn, 10) % 1_000))}`),
    }).then((answer) => answer.text()),
  ),
  'bodies of 5 MB that are refused': together(8, ({ url }) =>
    fetch(`${url}/pages`, {
      method: 'POST',
      headers: { authorization: 'Bearer none', 'content-type': 'application/json' },
      body: LARGE,
    }).then((answer) => answer.text()),
  ),
  'jobs of costly pages': together(4, ({ request, project, costly }) =>
    request('POST', `/projects/${project}/publish`, JSON.stringify({ pages: [costly] })),
  ),
  'large drafts': together(4, async ({ request, project }, turn) => {
    const body = { ...newPage(project, `draft-${turn}`), markdown_content: LARGE.slice(0, 2_000_000) }
    const answer = await request('POST', '/pages', JSON.stringify(body))
    const { data } = JSON.parse(answer)
    if (data !== undefined) await request('DELETE', `/pages/${data.id}`)
  }),
}

if (!isMainThread) await attack()

export async function benchBystanders() {
  const { folder, median, root, start, startQuoin } = await import('./quoin.mjs')
  const { startPostgres } = await import('./postgres-server.mjs')
  const { note } = await import('./table.mjs')
  const database = process.env.QUOIN_BENCH_DATABASE === 'postgres' ? await startPostgres() : null
  const delays = join(folder, 'event-loop')
  const { url, ...attacker } = await startQuoin([], {
    NODE_OPTIONS: `--import ${new URL('event-loop.mjs', import.meta.url)}`,
    QUOIN_BENCH_EVENT_LOOP: delays,
    ...(database !== null && {
      QUOIN_DATABASE_URL: database.url,
      QUOIN_MASTER_KEY: randomBytes(32).toString('base64'),
    }),
  })
  const ownTarget = await targetOf(url, attacker)
  const target =
    process.env.QUOIN_BENCH_ELSEWHERE === undefined
      ? ownTarget
      : { ...ownTarget, url: await start([`${root}test/bench/refusing-server.mjs`]) }
  const bystander = await bystanderOf(await attacker.newAccount('bystander@example.com'))
  await windowOf(url, bystander)

  for (const name of Object.keys(ATTACKS).filter((one) => one.includes(CHOSEN))) {
    const ratios = []
    const publishes = []
    let failed = 0
    let loopMs = 0
    for (let pair = 0; pair < PAIRS; pair++) {
      const calm = await windowOf(url, bystander)
      const { headers } = await attacker.newKey(PLAN)
      const hostile = { ...target, headers, key: headers.authorization }
      const worker = new Worker(new URL(import.meta.url), { workerData: { name, target: hostile } })
      await once(worker, 'message')
      rmSync(delays, { force: true })
      const attacked = await windowOf(url, bystander)
      loopMs = Math.max(
        loopMs,
        ...(existsSync(delays) ? readFileSync(delays, 'utf8').trim().split('\n').map(Number) : []),
      )
      await worker.terminate()
      ratios.push(attacked.p99 / calm.p99)
      publishes.push(attacked.publish / calm.publish)
      failed += attacked.failed
      // What the attack left under way ends before the next calm window.
      await after(WINDOW_MS / 2)
    }
    console.log(
      `${name}: p99 of reads of another account ${shown(ratios)} of calm, median of its publishes ${shown(publishes)} (goals at most 2.00), ${failed} failed; p99 of the event loop at most ${loopMs.toFixed(0)} ms (goal 50)`,
    )
    note(
      `p99 of reads of another account during ${name}, against calm`,
      `${median(ratios).toFixed(2)}, ${failed} failed`,
      'at most 2.00, 0 failed',
    )
    note(
      `median of publishes of another account during ${name}, against calm; worst p99 of the event loop in a second, ms`,
      `${median(publishes).toFixed(2)}; ${loopMs.toFixed(0)}`,
      'at most 2.00; 50',
    )
  }
  await database?.stop()
}

function shown(ratios) {
  return ratios.map((ratio) => ratio.toFixed(2)).join(', ')
}

function newPage(project, slug) {
  return { project_id: project, title: slug, slug, subroute: '', type: 'article' }
}

async function targetOf(url, { call }) {
  const { id: project } = await call('POST', '/projects', { name: 'Attacker' })
  const create = async (slug, markdown_content) =>
    (await call('POST', '/pages', { ...newPage(project, slug), markdown_content })).id
  for (let n = 0; n < 7; n++) await create(`large-${n}`, LARGE)
  return {
    url,
    project,
    page: await create('small', 'Text.'),
    large: await create('large', LARGE),
    including: await includingOf(create, call),
    costly: await create('costly', hostileMarkdown('HTML that is adopted', 524_288)),
  }
}

/** A page with 200 lines that include a published page of links. */
async function includingOf(create, call) {
  const part = await create('part', '[a](/b) '.repeat(300))
  await call('POST', `/pages/${part}/publish`)
  return create('including', '::include{page="/part"}\n\n'.repeat(200))
}

async function bystanderOf({ call, headers }) {
  const { id: project } = await call('POST', '/projects', { name: 'Bystander' })
  const { id } = await call('POST', '/pages', {
    ...newPage(project, 'a-page'),
    markdown_content: 'Ordinary.',
  })
  return { id, headers }
}

/** The p99 of reads of the bystander, the median of its publishes, and how many of its requests failed. */
async function windowOf(url, { id, headers }) {
  const end = performance.now() + WINDOW_MS
  const times = []
  const publishes = []
  let failed = 0
  const every = async (ms, act) => {
    while (performance.now() < end) {
      const answer = await act()
      await answer.text()
      if (!answer.ok) failed += 1
      await after(ms)
    }
  }
  await Promise.all([
    every(READ_EVERY_MS, async () => {
      const started = performance.now()
      const answer = await fetch(`${url}/pages/${id}`, { headers })
      times.push(performance.now() - started)
      return answer
    }),
    every(PUBLISH_EVERY_MS, async () => {
      const body = JSON.stringify({ markdown_content: `Ordinary, at ${performance.now()}.` })
      await (await fetch(`${url}/pages/${id}`, { method: 'PUT', headers, body })).text()
      const started = performance.now()
      const answer = await fetch(`${url}/pages/${id}/publish`, { method: 'POST', headers })
      publishes.push(performance.now() - started)
      return answer
    }),
  ])
  const [reads, published] = [times, publishes].map((each) => each.sort((a, b) => a - b))
  return { p99: reads[Math.floor(reads.length * 0.99)], publish: published[published.length >> 1], failed }
}

async function attack() {
  const { name, target } = workerData
  const request = async (method, path, body) => {
    const answer = await fetch(target.url + path, { method, headers: target.headers, body })
    return answer.text()
  }
  const fields = `{${Array.from({ length: 400_000 }, (_, n) => `"a${n}":0`).join(',')}}`
  void ATTACKS[name]({ ...target, request, fields })
  await after(500)
  parentPort.postMessage('under way')
}

/** Repeats a request of so many clients. */
function together(clients, act) {
  return (target) =>
    Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let turn = client; ; turn += clients) await act(target, `${turn}-${Date.now()}`)
      }),
    )
}

/** Keeps connections open that send a text and read nothing. */
function neverRead(url, count, text) {
  for (let n = 0; n < count; n++) open()

  function open() {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {}).once('close', () => setTimeout(open, 200))
    socket.pause()
    socket.write(text)
  }
}

function get(path, key) {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${key === undefined ? '' : `Authorization: ${key}\r\n`}\r\n`
}

function post(path, key, length) {
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
}

function after(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
