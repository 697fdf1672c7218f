// Builds of one generated corpus by Quoin and by what people would use instead, interleaved: Eleventy from
// npm and Hugo where it is installed. They do Markdown and a layout of about equal content; Quoin does all
// that its default theme brings. node test/bench/bench.mjs builds [pages] [rounds] [languages]
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { writeCorpus } from './corpus.mjs'
import { folder, median, root } from './quoin.mjs'
import { note } from './table.mjs'

const [, , , pages = '4000', rounds = '5', code = 'plain'] = process.argv
const ELEVENTY = '3.1.8'
const POLL_MS = 20

export async function benchBuilds() {
  const languages = code === 'languages'
  const site = join(folder, 'site')
  const paths = writeCorpus(join(site, 'content'), { pages: Number(pages), languages })
  const changed = join(site, 'content', `${paths[7]}.md`)
  const builders = [quoin(site), eleventy(site), hugo(site)].filter((one) => one !== null)
  console.log(`${pages} pages, code ${code}; ${builders.map(({ name }) => name).join(', ')}`)

  const cold = await interleaved(builders, (builder) => builder.clear())
  show('cold build', cold, { Eleventy: 'at most 1.0', Hugo: 'at most 1.6' })
  const same = await interleaved(builders, () => {})
  show('nothing changed', same, { Eleventy: 'at most 0.07', Hugo: 'at most 0.13' })
  const before = readFileSync(changed, 'utf8')
  let n = 0
  const one = await interleaved(builders, () => writeFileSync(changed, `${before}\nChanged ${n++} times.\n`))
  show('one page changed', one, { Eleventy: 'at most 0.12', Hugo: 'at most 0.18' })
}

let putAways = 0

/**
 * What the last build wrote, so that the next one begins with nothing. It is not removed: for some seconds
 * after thousands of files have gone, ext4 takes up to ten times as long to make others.
 */
export function putAway(out) {
  if (existsSync(out)) renameSync(out, `${out}-${putAways++}`)
}

/** Runs each builder in every round, the other way round in every second; what to do before each is given. */
async function interleaved(builders, before) {
  const runs = new Map(builders.map(({ name }) => [name, []]))
  for (let round = 0; round < Number(rounds); round++) {
    for (const builder of round % 2 === 0 ? builders : builders.toReversed()) {
      before(builder)
      runs.get(builder.name).push(await timed(builder))
    }
  }
  return runs
}

function show(what, runs, goals) {
  const [[, ours], ...others] = runs
  for (const [name, theirs] of runs) {
    const of = (key) => median(theirs.map((run) => run[key]))
    console.log(
      `${what}, ${name}: ${of('wall').toFixed(2)} s, processor ${of('cpu').toFixed(2)} s, memory ${of('memory').toFixed(0)} MB`,
    )
  }
  for (const [name, theirs] of others) {
    const ratio = (key) => median(ours.map((run, n) => run[key] / theirs[n][key])).toFixed(3)
    console.log(
      `${what}, Quoin against ${name}: time ${ratio('wall')}, processor ${ratio('cpu')}, memory ${ratio('memory')}`,
    )
    const plainly = code === 'languages' ? ', code in colours' : ''
    note(`${what} of ${pages} pages${plainly}, against ${name}`, ratio('wall'), goals[name.split(' ')[0]])
    if (what === 'cold build' && name.startsWith('Eleventy'))
      note(`peak memory of that, against ${name}`, ratio('memory'), 'at most 0.5')
  }
}

/** Seconds and megabytes; memory is the sum of the most that each of its processes held. */
export async function timed({ command, cwd }) {
  const child = spawn('bash', ['-c', 'TIMEFORMAT="%R %U %S"; time "$@" > build.log 2>&1', '-', ...command], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const held = new Map()
  const polling = setInterval(() => look(child.pid, held), POLL_MS)
  const [told, [exit]] = await Promise.all([text(child.stderr), once(child, 'close')])
  clearInterval(polling)
  if (exit !== 0) throw new Error(readFileSync(join(cwd, 'build.log'), 'utf8').slice(0, 2_000))
  const [wall, user, system] = told.trim().split(/\s+/).map(Number)
  return { wall, cpu: user + system, memory: [...held.values()].reduce((sum, kb) => sum + kb, 0) / 1024 }
}

function look(parent, held) {
  for (const pid of childrenOf(parent)) {
    look(pid, held)
    const [, kb] = /^VmHWM:\s+(\d+)/m.exec(read(`/proc/${pid}/status`)) ?? []
    if (kb !== undefined) held.set(pid, Number(kb))
  }
}

function childrenOf(pid) {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)
}

function read(file) {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}

function quoin(site) {
  writeFileSync(join(site, 'content/site.yaml'), 'name: Bench\nurl: https://bench.example\n')
  const out = join(site, 'out-quoin')
  return {
    name: 'Quoin',
    cwd: site,
    command: [process.execPath, `${root}dist/cli.js`, 'build', 'content', '--out', out],
    clear: () => putAway(out),
  }
}

const LAYOUT = (title, description, nav, content) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<meta name="description" content="${description}">
</head>
<body>
<header><a href="/">Bench</a></header>
<main><h1>${title}</h1>${content}</main>
<footer>${nav}</footer>
</body>
</html>
`

function eleventy(site) {
  const at = join(site, 'eleventy')
  mkdirSync(join(at, 'layouts'), { recursive: true })
  const dependencies = { '@11ty/eleventy': ELEVENTY }
  const overrides = { '@11ty/recursive-copy': '5.0.2' }
  writeFileSync(
    join(at, 'package.json'),
    JSON.stringify({ type: 'module', private: true, dependencies, overrides }),
  )
  const installed = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: at })
  if (installed.status !== 0) {
    console.log('Eleventy is left out: npm could not install it.')
    return null
  }
  writeFileSync(
    join(at, 'eleventy.config.js'),
    `export default (config) => {
  config.addGlobalData('layout', 'page.njk')
  config.addPassthroughCopy({ '../content/static': '/' })
  return { dir: { input: '../content', includes: '../eleventy/layouts', output: '../out-eleventy' }, markdownTemplateEngine: false }
}
`,
  )
  writeFileSync(
    join(at, 'layouts/page.njk'),
    LAYOUT('{{ title }}', '{{ description }}', '{{ page.url }}', '{{ content | safe }}'),
  )
  return {
    name: `Eleventy ${ELEVENTY}`,
    cwd: at,
    command: [process.execPath, join(at, 'node_modules/@11ty/eleventy/cmd.cjs'), '--quiet'],
    clear: () => putAway(join(site, 'out-eleventy')),
  }
}

function hugo(site) {
  const { stdout } = spawnSync('hugo', ['version'], { encoding: 'utf8' })
  if (!stdout) {
    console.log('Hugo is left out, since it is not installed: apt-get install hugo')
    return null
  }
  const [, version] = /v(\d+\.\d+\.\d+)/.exec(stdout)
  const at = join(site, 'hugo')
  mkdirSync(join(at, 'layouts/_default'), { recursive: true })
  writeFileSync(
    join(at, 'config.yaml'),
    `baseURL: https://bench.example/
title: Bench
contentDir: ../content
staticDir: ../content/static
publishDir: ../out-hugo
disableKinds: [taxonomy, term, RSS, sitemap, section, home]
markup: { highlight: { codeFences: ${code === 'languages'} }, goldmark: { renderer: { unsafe: true } } }
`,
  )
  writeFileSync(
    join(at, 'layouts/_default/single.html'),
    LAYOUT('{{ .Title }}', '{{ .Description }}', '{{ .RelPermalink }}', '{{ .Content }}'),
  )
  return {
    name: `Hugo ${version}`,
    cwd: at,
    command: ['hugo', '--quiet'],
    clear: () => putAway(join(site, 'out-hugo')),
  }
}
