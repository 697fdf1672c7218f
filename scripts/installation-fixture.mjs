// Makes an installation with the program of a version, for the tests of upgrades to later versions:
// `node scripts/installation-fixture.mjs <dist/cli.js> <name>` writes fixtures/installations/<name>.tar.gz. The archive
// has the data folder, a content folder with the state of a build, and `facts.json`: what clients and visitors read.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

const [program, name] = process.argv.slice(2)
if (program === undefined || !/^[\w.-]+$/.test(name ?? ''))
  throw new Error('Usage: node scripts/installation-fixture.mjs <dist/cli.js> <name>')

const folder = mkdtempSync(join(tmpdir(), 'quoin-fixture-'))
const data = join(folder, 'data')
const quoin = (...args) => execFileSync(process.execPath, [program, ...args], { encoding: 'utf8' })
const { key } = JSON.parse(
  quoin(
    'keys',
    'create',
    '--name',
    'fixture',
    '--plan',
    'enterprise',
    '--permissions',
    'read,write,publish,manage',
    '--json',
    '--data',
    data,
  ),
)
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const server = spawn(process.execPath, [
  ...[program, 'serve', '--data', data, '--port', String(port), '--allow-http', 'true'],
  ...['--domain-proof', 'off', '--base-url', 'https://quoin.example'],
])
const ended = new Promise((resolve) => server.once('exit', resolve))
process.on('exit', () => {
  server.kill()
  rmSync(folder, { recursive: true })
})
await new Promise((resolve, reject) => {
  server.stdout.on('data', (text) => {
    if (String(text).includes('ready at ')) resolve()
  })
  server.stderr.on('data', (text) => process.stderr.write(text))
  server.once('exit', () => reject(new Error('The server did not start.')))
})

/** @returns the data of an answer; throws unless it is one of success. */
async function call(method, path, body, type = 'application/json') {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body !== undefined && { 'Content-Type': type }) },
    ...(body !== undefined && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? null : JSON.parse(text).data
}

const PICTURE = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#a65' } })
  .png()
  .toBuffer()
const site = (await call('POST', '/projects', { name: 'Site' })).id
const sealed = (await call('POST', '/projects', { name: 'Sealed' })).id
const page = (project, fields) =>
  call('POST', '/pages', { project_id: project, subroute: '', type: 'page', ...fields })
const publish = (id) => call('POST', `/pages/${id}/publish`)

await call('PUT', `/projects/${site}/settings`, { nav_links: [{ label: 'Docs', href: '/docs/start' }] })
await call('POST', `/projects/${site}/assets?name=wall.png`, PICTURE, 'application/octet-stream')
await call(
  'POST',
  `/projects/${site}/assets?name=plan.pdf`,
  Buffer.from('%PDF-1.4\n%%EOF\n'),
  'application/octet-stream',
)
const docs = await page(site, {
  type: 'docs',
  subroute: 'docs',
  slug: 'start',
  title: 'Start',
  markdown_content:
    '# Start\n\n![A wall](/media/wall.png) and [its plan](/media/plan.pdf)\n\n```ts\nconst a = 1\n```\n',
})
const article = await page(site, {
  type: 'article',
  subroute: 'blog',
  slug: 'stones',
  title: 'Stones',
  markdown_content: '---\ntags: [stone, wall]\n---\nAbout stones. [Start](/docs/start)\n',
})
const landing = await page(site, {
  slug: 'index',
  title: 'Home',
  config: { sections: [{ type: 'hero', title: 'Walls', subtitle: 'Corners that hold' }] },
})
const draft = await page(site, { slug: 'draft', title: 'Draft', markdown_content: 'Not yet.' })
const long = await page(site, {
  slug: 'long',
  title: 'Long',
  markdown_content: 'A quoin in a wall. '.repeat(2_000),
})
for (const { id } of [docs, article, landing, long]) await publish(id)
// A page that moved, with a redirect and an earlier release.
await call('PUT', `/pages/${article.id}`, { slug: 'old-stones', title: 'Old stones' })
await publish(article.id)
await call('POST', `/pages/${draft.id}/publish`, { publish_at: '2099-01-01T00:00:00Z' })
const secret = await page(sealed, { slug: 'secret', title: 'Secret', markdown_content: 'For readers alone.' })
const { encryption_key: contentKey } = await call('POST', `/projects/${sealed}/data-mode/enable`)
await publish(secret.id)
await call('POST', `/projects/${site}/webhooks`, { url: 'https://192.5.6.30/', active: false })
await call('POST', `/projects/${site}/members`, { email: 'ada@example.com', role: 'editor' })

const paths = [
  ...['/', '/docs/start/', '/blog/stones/', '/blog/old-stones/', '/long/', '/draft/', '/_index.json'],
  ...['/sitemap.xml', '/feed.xml'],
].map((path) => `/public/${site}${path}`)
// Pictures and files are read at addresses with their digests.
const html = await (await fetch(`${url}/public/${site}/docs/start/`)).text()
for (const [, file] of html.matchAll(/(?:src|href)="(?:\.\.\/)+(_(?:assets|media)\/[^"]+)"/g))
  paths.push(`/public/${site}/${file}`)
const visits = []
for (const path of [...paths, `/public/${sealed}/secret.json`, `/public/${sealed}/_index.json`]) {
  const answer = await fetch(url + path, { redirect: 'manual' })
  const bytes = Buffer.from(await answer.arrayBuffer())
  visits.push({
    path,
    status: answer.status,
    location: answer.headers.get('location'),
    // An error names the request.
    sha256: answer.status === 200 ? createHash('sha256').update(bytes).digest('hex') : null,
  })
}
const pages = []
for (const { id } of [docs, article, landing, long, draft, secret]) {
  const releases = (await call('GET', `/pages/${id}/releases`)).map(({ id }) => id)
  pages.push({ page: await call('GET', `/pages/${id}`), releases })
}
server.kill('SIGTERM')
await ended

const content = join(folder, 'site')
quoin('init', content)
quoin('build', content, '--out', join(folder, 'built'))
const facts = { key, contentKey, site, sealed, moved: article.id, secret: secret.id, pages, visits }
writeFileSync(join(folder, 'facts.json'), `${JSON.stringify(facts, null, 2)}\n`)

const target = fileURLToPath(new URL('../fixtures/installations/', import.meta.url))
mkdirSync(target, { recursive: true })
execFileSync('tar', ['-czf', join(target, `${name}.tar.gz`), '-C', folder, ...readdirSync(folder)])
for (const { path, status } of visits) console.log(status, path)

function freePort() {
  const listener = createServer()
  return new Promise((resolve) => {
    listener.listen(0, '127.0.0.1', () => {
      const { port } = listener.address()
      listener.close(() => resolve(port))
    })
  })
}
