// A docs page with a photo of 12 megapixels on a phone: the same text and photo by Quoin, by Eleventy with Eleventy Image
// and by Astro. Bytes, requests, layout shift and the time until the largest content is drawn, over a slow network. The
// others have a bare page with a few lines of CSS, Quoin its own page with navigation, search and theme.
// node test/bench/bench.mjs phone [rounds]
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { drawPhoto } from './photos.mjs'
import { folder, median, root } from './quoin.mjs'
import { note } from './table.mjs'

const [, , , rounds = '5'] = process.argv
const PACKAGES = { '@11ty/eleventy': '3.1.8', '@11ty/eleventy-img': '6.0.4', astro: '5.18.2' }
const SIZE = { width: 4000, height: 3000 }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true }
/** The network of a phone in Lighthouse. Bytes each second. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 }
const PAGE = 'docs/photo/'
const TIME_LIMIT_MS = 60_000

const TEXT = 'Herons wait in shallow water for as long as a fish takes to come near. '.repeat(6)
/** The photo is first, so that it is the largest content of each of the pages. */
const markdown = (photo) => `![A heron in the rain](${photo})\n\n${TEXT}\n`
const DESCRIPTION = 'How herons wait for fish.'

export async function benchPhone() {
  const photo = await sharp(await drawPhoto(0, SIZE), { raw: { ...SIZE, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer()
  const sites = [buildQuoin(photo), buildEleventy(photo), buildAstro(photo)]
  const browser = await chromium.launch({
    executablePath: process.env.QUOIN_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const visits = new Map(sites.map(({ name }) => [name, []]))
  try {
    for (let round = 0; round < Number(rounds); round++)
      for (const site of round % 2 === 0 ? sites : sites.toReversed())
        visits.get(site.name).push(await visit(browser, site))
  } finally {
    await browser.close()
  }
  show(visits)
}

/** Opens the page as a first visitor does. Times are in ms. */
async function visit(browser, site) {
  const server = createServer((request, response) => serve(site.out, request, response))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const context = await browser.newContext(PHONE)
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(TIME_LIMIT_MS)
    await page.addInitScript(OBSERVE)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', NETWORK)
    const received = new Map()
    const at = (id) => received.get(id) ?? received.set(id, { bytes: 0, isPicture: false }).get(id)
    devtools.on('Network.responseReceived', ({ requestId, type, response }) => {
      // A part of a style sheet is no request.
      if (!response.url.startsWith('data:')) at(requestId).isPicture = type === 'Image'
    })
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (received.has(requestId)) received.get(requestId).bytes = encodedDataLength
    })
    await page.goto(`http://127.0.0.1:${server.address().port}/${PAGE}`, { waitUntil: 'load' })
    // Late pictures and scripts count, too.
    await page.waitForFunction('[...document.images].every((image) => image.complete)')
    await page.waitForLoadState('networkidle')
    const { shift, largest } = await page.evaluate('globalThis.observed')
    const file = await page.evaluate('document.querySelector("main img, article img")?.currentSrc')
    const all = [...received.values()]
    const sum = (some) => some.reduce((bytes, each) => bytes + each.bytes, 0)
    return {
      file,
      bytes: sum(all),
      picture: sum(all.filter(({ isPicture }) => isPicture)),
      requests: all.length,
      pictures: all.filter(({ isPicture }) => isPicture).length,
      shift,
      largest,
    }
  } finally {
    await context.close()
    server.closeAllConnections()
    server.close()
  }
}

const OBSERVE = `
globalThis.observed = { shift: 0, largest: 0 }
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) observed.shift += entry.value
}).observe({ type: 'layout-shift', buffered: true })
new PerformanceObserver((list) => {
  observed.largest = list.getEntries().at(-1).startTime
}).observe({ type: 'largest-contentful-paint', buffered: true })
`

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
}

/** A server of files, as the others need one: texts are compressed. */
function serve(out, request, response) {
  const { pathname } = new URL(request.url, 'http://localhost')
  const file = join(out, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
  let body
  try {
    body = readFileSync(file)
  } catch {
    response.writeHead(404).end()
    return
  }
  const type = TYPES[extname(file)] ?? 'application/octet-stream'
  const isText = /^text|json|svg/.test(type)
  const sent = isText ? gzipSync(body) : body
  response
    .writeHead(200, {
      'Content-Type': type,
      'Content-Length': sent.byteLength,
      ...(isText && { 'Content-Encoding': 'gzip' }),
    })
    .end(sent)
}

function buildQuoin(photo) {
  const at = join(folder, 'phone-quoin')
  writeFiles(at, {
    'content/site.yaml': 'name: Herons\nurl: https://herons.example\n',
    'content/index.md': '# Herons\n\n[Photo](docs/photo.md)\n',
    'content/docs/photo.md': `---\ntitle: Photo\ndescription: ${DESCRIPTION}\n---\n${markdown('photo.jpg')}`,
    'content/docs/photo.jpg': photo,
  })
  run(at, process.execPath, [`${root}dist/cli.js`, 'build', 'content', '--out', 'out'])
  return { name: 'Quoin', out: join(at, 'out') }
}

const STYLE =
  'body{max-width:44rem;margin:0 auto;padding:0 1.25rem;font:1rem/1.6 system-ui}img{max-width:100%;height:auto}'
const bare = (title, description, content) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<meta name="description" content="${description}">
<style>${STYLE}</style>
</head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>
`

/** The transform of Eleventy Image, with the widths and the format that Quoin has. The photo is not lazy. */
function buildEleventy(photo) {
  const at = join(folder, 'phone-eleventy')
  writeFiles(at, {
    'package.json': manifestOf('@11ty/eleventy', '@11ty/eleventy-img'),
    'eleventy.config.js': `import { eleventyImageTransformPlugin } from '@11ty/eleventy-img'
export default (config) => {
  config.addPlugin(eleventyImageTransformPlugin, {
    formats: ['webp', 'jpeg'],
    widths: [320, 640, 960, 1280, 1920, 2560],
    htmlOptions: { imgAttributes: { sizes: '100vw', decoding: 'async' } },
  })
}
export const config = { dir: { input: 'content', output: 'out' } }
`,
    'content/_includes/page.njk': bare('{{ title }}', '{{ description }}', '{{ content | safe }}'),
    'content/docs/photo.md': `---\ntitle: Photo\ndescription: ${DESCRIPTION}\nlayout: page.njk\n---\n${markdown('photo.jpg')}`,
    'content/docs/photo.jpg': photo,
  })
  install(at)
  run(at, 'npx', ['--no-install', 'eleventy'])
  return { name: `Eleventy Image ${PACKAGES['@11ty/eleventy-img']}`, out: join(at, 'out') }
}

/** The pictures of Markdown, in the responsive layout. */
function buildAstro(photo) {
  const at = join(folder, 'phone-astro')
  writeFiles(at, {
    'package.json': manifestOf('astro'),
    'astro.config.mjs': "export default { image: { layout: 'constrained', responsiveStyles: true } }\n",
    'src/layouts/Page.astro': `---\nconst { title, description } = Astro.props.frontmatter\n---\n${bare('{title}', '{description}', '<slot />').replace(`<style>${STYLE}</style>`, `<style is:inline>${STYLE}</style>`).replace('content="{description}"', 'content={description}')}`,
    'src/pages/docs/photo.md': `---\ntitle: Photo\ndescription: ${DESCRIPTION}\nlayout: ../../layouts/Page.astro\n---\n${markdown('../../assets/photo.jpg')}`,
    'src/assets/photo.jpg': photo,
  })
  install(at)
  run(at, 'npx', ['--no-install', 'astro', 'build'])
  return { name: `Astro ${PACKAGES.astro}`, out: join(at, 'dist') }
}

function manifestOf(...names) {
  const dependencies = Object.fromEntries(names.map((name) => [name, PACKAGES[name]]))
  return JSON.stringify({ type: 'module', private: true, dependencies })
}

function writeFiles(at, files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(at, path)), { recursive: true })
    writeFileSync(join(at, path), content)
  }
}

function install(at) {
  run(at, 'npm', ['install', '--no-audit', '--no-fund', '--silent'])
}

function run(cwd, command, args) {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stdout}${stderr}`)
}

function show(visits) {
  const figures = [...visits].map(([name, all]) => {
    const of = (key) => median(all.map((each) => each[key]))
    const [{ file }] = all
    const figure = {
      name,
      bytes: of('bytes'),
      picture: of('picture'),
      requests: of('requests'),
      pictures: of('pictures'),
      shift: of('shift'),
      largest: of('largest'),
    }
    console.log(
      `${name}: ${(figure.bytes / 1000).toFixed(1)} KB, of which pictures ${(figure.picture / 1000).toFixed(1)} KB (${file}); ${figure.requests} requests, ${figure.pictures} of them for pictures; layout shift ${figure.shift.toFixed(3)}; largest content after ${figure.largest.toFixed(0)} ms`,
    )
    return figure
  })
  const [ours, ...others] = figures
  for (const theirs of others) {
    const row = `a photo of 12 megapixels on a phone, against ${theirs.name}`
    note(`bytes sent for ${row}`, (ours.bytes / theirs.bytes).toFixed(3), 'at most 1.0')
    note(`time to the largest content, ${row}`, (ours.largest / theirs.largest).toFixed(3), 'at most 1.0')
  }
  note('layout shift of a page with a large photo on a phone', ours.shift.toFixed(3), '0')
}
