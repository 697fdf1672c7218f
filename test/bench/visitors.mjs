// Published pages for visitors: answers a second and their p99 against nginx, which serves the same folder with one
// worker, and the memory of the service with many idle connections.
// node test/bench/bench.mjs visitors [rounds] [seconds] [connections]
// Needs wrk and nginx. In the first comparison visitors accept gzip: nginx compresses each answer, as it does in its usual
// configuration, and Quoin once. In the second they accept no compression.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { forEachConcurrently, publishTogether } from './bulk.mjs'
import { writeCorpus } from './corpus.mjs'
import { folder, median, memoryMb, processorMs, root, start, startQuoin, startService } from './quoin.mjs'
import { note } from './table.mjs'

const [, , , rounds = '5', seconds = '10', idle = '10000'] = process.argv
const PAGES = 200
const CONNECTIONS = 64
const WARM_SECONDS = 2
const SETTLE_MS = 5_000
const NGINX = ['nginx', '/usr/sbin/nginx'].find((command) => runs(command, '-v'))
const ENCODINGS = { gzip: 'visitors that accept gzip', identity: 'visitors that accept no compression' }
const GOALS = { rate: 'at least 0.35', memory: 'at most 150 MB' }

export async function benchVisitors() {
  const settings = {
    QUOIN_DATA: join(folder, 'visitors'),
    QUOIN_LOG_LEVEL: 'error',
    QUOIN_TRUST_PROXY: '127.0.0.1',
    QUOIN_MAX_CONNECTIONS: '20000',
  }
  const service = await startQuoin([], settings)
  const paths = await publishPages(service.call)
  if (NGINX === undefined || !runs('wrk', '-v'))
    console.log('The comparison is skipped: it needs wrk and nginx.')
  else {
    const nginx = await startNginx(join(settings.QUOIN_DATA, 'cdn'))
    try {
      const servers = { quoin: { url: service.url, pid: service.pid() }, nginx }
      for (const encoding of Object.keys(ENCODINGS)) await compare(servers, paths, encoding)
    } finally {
      nginx.stop()
    }
  }
  await service.stop()
  await measureIdleConnections(settings, paths)
}

function runs(command, flag) {
  return spawnSync(command, [flag]).error === undefined
}

/** Publishes pages of 1 to 15 KB of Markdown. Resolves with their paths on a server of the folder of published files. */
async function publishPages(call) {
  const corpus = join(folder, 'visitors-corpus')
  const files = writeCorpus(corpus, { pages: PAGES, languages: true })
  const { id: project } = await call('POST', '/projects', { name: 'Visited' })
  const pages = []
  await forEachConcurrently([...files.entries()], async ([n, path]) => {
    const markdown = readFileSync(join(corpus, `${path}.md`), 'utf8').replace(/^---\n.*?\n---\n/s, '')
    const page = { title: `Page ${n}`, slug: `page-${n}`, subroute: 'docs', type: 'docs' }
    pages.push(
      (await call('POST', '/pages', { project_id: project, ...page, markdown_content: markdown })).id,
    )
  })
  await publishTogether(call, project, pages)
  return files.map((_, n) => `/public/${project}/docs/page-${n}/`)
}

async function startNginx(published) {
  const at = join(folder, 'nginx')
  mkdirSync(at)
  const port = await freePort()
  const ofBodies = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    join(at, 'nginx.conf'),
    `daemon off;
master_process off;
pid nginx.pid;
error_log error.log;
events { worker_connections 1024; }
http {
  types { text/html html; }
  sendfile on;
  tcp_nopush on;
  gzip on;
  access_log off;
  keepalive_requests 1000000;
${ofBodies.map((name) => `  ${name}_temp_path ${name};\n`).join('')}  server {
    listen 127.0.0.1:${port};
    location /public/ { alias ${published}/; }
  }
}
`,
  )
  const child = spawn(NGINX, ['-p', at, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(readFileSync(join(at, 'error.log'), 'utf8'))
    await setTimeout(50)
  }
  return { url, pid: child.pid, stop: () => child.kill('SIGKILL') }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

async function compare(servers, paths, encoding) {
  const list = join(folder, 'paths')
  writeFileSync(list, paths.join('\n'))
  for (const server of Object.values(servers)) await visit(server, list, encoding, WARM_SECONDS)
  const pairs = []
  for (let round = 0; round < Number(rounds); round++) {
    const order = Object.entries(servers)
    const pair = {}
    for (const [name, server] of round % 2 === 0 ? order : order.toReversed())
      pair[name] = await visit(server, list, encoding, seconds)
    pairs.push(pair)
    const shown = ({ perSecond, p99, failed }) =>
      `${perSecond.toFixed(0)}/s p99 ${p99.toFixed(1)} ms, ${failed} failed`
    console.log(`round ${round + 1}, ${encoding}: Quoin ${shown(pair.quoin)}; nginx ${shown(pair.nginx)}`)
  }
  const ratio = (key) => median(pairs.map(({ quoin, nginx }) => quoin[key] / nginx[key])).toFixed(2)
  const of = (name, key) => median(pairs.map((pair) => pair[name][key]))
  const what = `published pages a second against nginx with one worker, ${ENCODINGS[encoding]}`
  console.log(`${what}: ${ratio('perSecond')} (goal ${GOALS.rate}); p99 ${ratio('p99')}`)
  console.log(
    `  processor time an answer: ${of('quoin', 'cpuMs').toFixed(3)} ms and ${of('nginx', 'cpuMs').toFixed(3)} ms`,
  )
  note(what, ratio('perSecond'), GOALS.rate)
  note(`p99 of published pages against nginx with one worker, ${ENCODINGS[encoding]}`, ratio('p99'), '')
}

async function visit({ url, pid }, list, encoding, duration) {
  const flags = [
    '-t',
    '2',
    '-c',
    String(CONNECTIONS),
    '-d',
    `${duration}s`,
    '-s',
    `${root}test/bench/visit.lua`,
  ]
  const before = processorMs(pid)
  const child = spawn('wrk', [...flags, url, '--', list, encoding], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  const [line = ''] = /^\{.*\}$/m.exec(text) ?? []
  if (line === '') throw new Error(`wrk printed ${text}`)
  const { answers, ...result } = JSON.parse(line)
  return { ...result, cpuMs: (processorMs(pid) - before) / answers }
}

async function measureIdleConnections(settings, [path]) {
  const { url, pid, stop } = await startService(settings)
  await (await fetch(url + path)).text()
  await setTimeout(SETTLE_MS)
  const before = memoryMb(pid).own
  await start([`${root}test/bench/idle-connections.mjs`, url + path, idle])
  await setTimeout(SETTLE_MS)
  const open = readdirSync(`/proc/${pid}/fd`).length
  if (open < Number(idle)) throw new Error(`Only ${open} files of the service are open.`)
  const { own } = memoryMb(pid)
  const what = `resident memory of a service with ${idle} idle connections`
  console.log(`${what}: ${own.toFixed(0)} MB (goal ${GOALS.memory}); ${before.toFixed(0)} MB before`)
  note(what, `${own.toFixed(0)} MB`, GOALS.memory)
  note(`resident memory of ${idle} idle connections`, `${(own - before).toFixed(0)} MB`, '')
  await stop()
}
