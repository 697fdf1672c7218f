// Builds of one generated corpus by Quoin and by what people would use instead, interleaved: Eleventy from
// npm and Hugo where it is installed. They do Markdown and a layout, once with hardly more than the text, and once
// with what Quoin's pages show around it; Quoin does all that its default theme brings.
// node test/bench/bench.mjs builds [pages] [rounds] [languages]
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
  const builders = [quoin(site), ...eleventies(site), ...hugos(site)]
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
      note(`peak memory of a cold build of ${pages} pages, against ${name}`, ratio('memory'), 'at most 0.7')
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

/** What stands around a text: hardly anything. */
const BARE = {
  name: '',
  layout: ({ title, description, url, content }) => `<!doctype html>
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
<footer>${url}</footer>
</body>
</html>
`,
}

/** What Quoin shows as well: what is in a page, and of documentation the pages beside it and its neighbours. */
const ALIKE = {
  name: ', pages alike',
  layout: ({ title, description, url, content, siblings, contents, neighbours, ofDocs }) => `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Bench</title>
<meta name="description" content="${description}">
<link rel="canonical" href="https://bench.example${url}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:url" content="https://bench.example${url}">
<meta property="og:site_name" content="Bench">
<meta name="twitter:card" content="summary">
</head>
<body>
<a href="#content">Skip to content</a>
<header><a href="/">Bench</a></header>
${ofDocs(`<nav aria-label="Documentation"><ul>
${siblings}
</ul></nav>`)}
<nav aria-label="On this page">${contents}</nav>
<main id="content"><h1>${title}</h1><p>${description}</p>${content}
${ofDocs(`<nav aria-label="Neighbours">${neighbours}</nav>`)}</main>
<footer><p>Bench</p></footer>
</body>
</html>
`,
}

/** As many as Quoin shows. */
const SIBLINGS = 60

function eleventies(site) {
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
    return []
  }
  return [
    eleventy(site, at, 'bare', BARE, ''),
    eleventy(
      site,
      at,
      'alike',
      ALIKE,
      `
  config.amendLibrary('md', (markdown) => {
    markdown.renderer.rules.heading_open = (tokens, at) => {
      const slug = tokens[at + 1].content.toLowerCase().replace(/[^a-z0-9]+/g, '-')
      return '<' + tokens[at].tag + ' id="' + slug + '">'
    }
  })
  config.addFilter('headings', (html) =>
    [...html.matchAll(/<h([23]) id="([^"]*)">(.*?)<\\/h[23]>/g)].map(([, depth, id, text]) => ({ depth, id, text })),
  )
  config.addCollection('sections', (api) => {
    const sections = {}
    for (const item of api.getAll()) (sections[item.filePathStem.split('/')[1]] ??= []).push(item)
    for (const items of Object.values(sections)) items.sort((a, b) => (a.data.title < b.data.title ? -1 : 1))
    return sections
  })
  config.addFilter('siblings', (sections, stem) => sections[stem.split('/')[1]])
  config.addFilter('beside', (siblings, url, step) => siblings[siblings.findIndex((one) => one.url === url) + step])`,
    ),
  ]
}

function eleventy(site, at, kind, { name, layout }, config) {
  const out = `out-eleventy-${kind}`
  writeFileSync(
    join(at, `${kind}.config.js`),
    `export default (config) => {
  config.addGlobalData('layout', '${kind}.njk')
  config.addPassthroughCopy({ '../content/static': '/' })${config}
  return { dir: { input: '../content', includes: '../eleventy/layouts', output: '../${out}' }, markdownTemplateEngine: false }
}
`,
  )
  const link = (step) =>
    `{% set one = siblings | beside(page.url, ${step}) %}{% if one %}<a href="{{ one.url }}">{{ one.data.title }}</a>{% endif %}`
  writeFileSync(
    join(at, `layouts/${kind}.njk`),
    layout({
      title: '{{ title }}',
      description: '{{ description }}',
      url: '{{ page.url }}',
      content: '{{ content | safe }}',
      siblings: `{% set siblings = collections.sections | siblings(page.filePathStem) %}{% for one in siblings.slice(0, ${SIBLINGS}) %}<li><a href="{{ one.url }}"{% if one.url == page.url %} aria-current="page"{% endif %}><span>{{ one.data.title }}</span></a></li>
{% endfor %}`,
      contents:
        '<ul>{% for one in content | headings %}<li class="toc-{{ one.depth }}"><a href="#{{ one.id }}">{{ one.text | safe }}</a></li>{% endfor %}</ul>',
      neighbours: link(-1) + link(1),
      ofDocs: (part) => `{% if type == 'docs' %}${part}{% endif %}`,
    }),
  )
  return {
    name: `Eleventy ${ELEVENTY}${name}`,
    cwd: at,
    command: [
      process.execPath,
      join(at, 'node_modules/@11ty/eleventy/cmd.cjs'),
      '--quiet',
      `--config=${kind}.config.js`,
    ],
    clear: () => putAway(join(site, out)),
  }
}

function hugos(site) {
  const { stdout } = spawnSync('hugo', ['version'], { encoding: 'utf8' })
  if (!stdout) {
    console.log('Hugo is left out, since it is not installed: apt-get install hugo')
    return []
  }
  const [, version] = /v(\d+\.\d+\.\d+)/.exec(stdout)
  return [hugo(site, version, 'bare', BARE), hugo(site, version, 'alike', ALIKE)]
}

function hugo(site, version, kind, { name, layout }) {
  const at = join(site, `hugo-${kind}`)
  mkdirSync(join(at, 'layouts/_default'), { recursive: true })
  writeFileSync(
    join(at, 'config.yaml'),
    `baseURL: https://bench.example/
title: Bench
contentDir: ../content
staticDir: ../content/static
publishDir: ../out-hugo-${kind}
disableKinds: [taxonomy, term, RSS, sitemap, section, home]
markup: { highlight: { codeFences: ${code === 'languages'} }, goldmark: { renderer: { unsafe: true } } }
`,
  )
  const link = (which) =>
    `{{ with .CurrentSection.RegularPages.${which} . }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}`
  writeFileSync(
    join(at, 'layouts/_default/single.html'),
    layout({
      title: '{{ .Title }}',
      description: '{{ .Description }}',
      url: '{{ .RelPermalink }}',
      content: '{{ .Content }}',
      siblings: `{{ $here := . }}{{ range first ${SIBLINGS} .CurrentSection.RegularPages }}<li><a href="{{ .RelPermalink }}"{{ if eq . $here }} aria-current="page"{{ end }}><span>{{ .Title }}</span></a></li>
{{ end }}`,
      contents: '{{ .TableOfContents }}',
      neighbours: link('Prev') + link('Next'),
      ofDocs: (part) => `{{ if eq .Type "docs" }}${part}{{ end }}`,
    }),
  )
  return {
    name: `Hugo ${version}${name}`,
    cwd: at,
    command: ['hugo', '--quiet'],
    clear: () => putAway(join(site, `out-hugo-${kind}`)),
  }
}
