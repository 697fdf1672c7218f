// Builds of one generated corpus by Quoin, Eleventy and Hugo, interleaved. The others build it three times: with a
// bare layout, with pages that show what Quoin's pages show, and with equal outputs, which adds the files that
// Quoin writes besides pages (see `EQUAL`). Quoin writes all of that in every build.
// node test/bench/bench.mjs builds [pages] [rounds] [languages] [--hugo <binary>,<binary>…] [--documents <folder>] [--equal]
// Newer Hugos run from a Debian package without being installed: `dpkg-deb -x hugo_*.deb folder`, then
// `--hugo folder/usr/bin/hugo`. Without the option, the `hugo` on the path is used. `--documents` takes the pages from the
// Markdown files of a folder, such as clones of public repositories, instead of generating them. `--equal` builds with equal
// outputs only.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { writeCorpus } from './corpus.mjs'
import { writeDocuments } from './documents.mjs'
import { folder, median, root } from './quoin.mjs'
import { note } from './table.mjs'

const hugoBinaries = readOption('--hugo')?.split(',') ?? ['hugo']
const documents = readOption('--documents')
const onlyEqual = readFlag('--equal')
const [, , , pages = '4000', rounds = '5', code = 'plain'] = process.argv
const ELEVENTY = '3.1.8'
const POLL_MS = 20

export async function benchBuilds() {
  const languages = code === 'languages'
  const site = join(folder, 'site')
  const content = join(site, 'content')
  const size = { pages: Number(pages), languages }
  const paths =
    documents === null ? writeCorpus(content, size) : writeDocuments(content, { from: documents, ...size })
  const changed = join(content, `${paths[7]}.md`)
  const others = [...eleventies(site), ...hugos(site)]
  const builders = [quoin(site), ...others.filter(({ name }) => !onlyEqual || name.endsWith(EQUAL.name))]
  console.log(
    `${pages} ${documents === null ? 'generated pages' : 'documents'}, code ${code}; ${builders.map(({ name }) => name).join(', ')}`,
  )

  const cold = await interleaved(builders, (builder) => builder.clear())
  show('cold build', cold, { Eleventy: 'at most 1.0', Hugo: 'at most 1.6' })
  const same = await interleaved(builders, () => {})
  show('nothing changed', same, { Eleventy: 'at most 0.07', Hugo: 'at most 0.13' })
  const before = readFileSync(changed, 'utf8')
  let n = 0
  const one = await interleaved(builders, () => writeFileSync(changed, `${before}\nChanged ${n++} times.\n`))
  show('one page changed', one, { Eleventy: 'at most 0.12', Hugo: 'at most 0.18' })
}

/** Removes the option from the arguments, which are read by position. */
function readOption(name) {
  const at = process.argv.indexOf(name)
  return at === -1 ? null : process.argv.splice(at, 2)[1]
}

function readFlag(name) {
  const at = process.argv.indexOf(name)
  if (at !== -1) process.argv.splice(at, 1)
  return at !== -1
}

let renamed = 0

/**
 * Renames the output folder, so that the next build is a cold one. Removing it would distort the measurement: for some
 * seconds after the removal of thousands of files ext4 needs up to ten times as long to create files.
 */
export function moveAside(out) {
  if (existsSync(out)) renameSync(out, `${out}-${renamed++}`)
}

/** Runs each builder in every round, in reverse order in every second round. Calls `before` before each build. */
export async function interleaved(builders, before, times = rounds) {
  const runs = new Map(builders.map(({ name }) => [name, []]))
  for (let round = 0; round < Number(times); round++) {
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
    const suffix = code === 'languages' ? ', highlighted code' : ''
    const kind = documents === null ? 'pages' : 'real documents'
    note(`${what} of ${pages} ${kind}${suffix}, against ${name}`, ratio('wall'), goals[name.split(' ')[0]])
    if (what === 'cold build' && name.startsWith('Eleventy'))
      note(
        `peak memory of a cold build of ${pages} ${kind}${suffix}, against ${name}`,
        ratio('memory'),
        'at most 0.7',
      )
  }
}

/** Runs a command. Times are in seconds; memory is the sum of the peaks of its processes, in MB. */
export async function timed({ command, cwd }) {
  const child = spawn('bash', ['-c', 'TIMEFORMAT="%R %U %S"; time "$@" > build.log 2>&1', '-', ...command], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const peaks = new Map()
  const polling = setInterval(() => samplePeaks(child.pid, peaks), POLL_MS)
  const [times, [exit]] = await Promise.all([text(child.stderr), once(child, 'close')])
  clearInterval(polling)
  if (exit !== 0) throw new Error(readFileSync(join(cwd, 'build.log'), 'utf8').slice(0, 2_000))
  const [wall, user, system] = times.trim().split(/\s+/).map(Number)
  return { wall, cpu: user + system, memory: [...peaks.values()].reduce((sum, kb) => sum + kb, 0) / 1024 }
}

function samplePeaks(parent, peaks) {
  for (const pid of childrenOf(parent)) {
    samplePeaks(pid, peaks)
    const [, kb] = /^VmHWM:\s+(\d+)/m.exec(read(`/proc/${pid}/status`)) ?? []
    if (kb !== undefined) peaks.set(pid, Number(kb))
  }
}

function childrenOf(pid) {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)
}

function read(file) {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    // The process has ended.
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
    clear: () => moveAside(out),
  }
}

/** A minimal layout. */
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

/** A layout with the parts of a Quoin page: metadata, contents, and for docs pages the sidebar and neighbours. */
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

/**
 * Pages as above, and the files that people add plugins and templates for: a Markdown twin of each page, an RSS
 * feed, a sitemap, a JSON search index with the words of every page, and `_index.json`.
 */
const EQUAL = { name: ', equal outputs', layout: ALIKE.layout }

/** Number of pages in the sidebar, as in Quoin. */
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
    console.log('Eleventy is skipped: npm could not install it.')
    return []
  }
  return [
    eleventy(site, at, 'bare', BARE, ''),
    eleventy(site, at, 'alike', ALIKE, ELEVENTY_ALIKE),
    eleventy(site, at, 'equal', EQUAL, ELEVENTY_ALIKE + ELEVENTY_EQUAL),
  ]
}

const ELEVENTY_ALIKE = `
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
  config.addFilter('neighbour', (siblings, url, step) => siblings[siblings.findIndex((one) => one.url === url) + step])`

/** Uses virtual templates, because the content folder must be the same for all generators. */
const ELEVENTY_EQUAL = `
  const plain = (html) => html.replace(/<[^>]*>/g, ' ').replace(/\\s+/g, ' ').trim()
  const alone = { layout: null, eleventyExcludeFromCollections: true, eleventyImport: { collections: ['all'] } }
  const entry = ({ url, data: { title, description } }) => ({ url, title, description })
  config.addFilter('manifest', (pages) => JSON.stringify(pages.map(entry)))
  config.addFilter('words', (pages) =>
    JSON.stringify(pages.map((page) => ({ ...entry(page), words: plain(page.templateContent) }))),
  )
  config.addTemplate('twins.njk', '# {{ one.data.title }}\\n\\n{{ one.rawInput | safe }}', {
    ...alone,
    pagination: { data: 'collections.all', size: 1, alias: 'one' },
    permalink: '{{ one.url }}index.md',
  })
  config.addTemplate('manifest.njk', '{{ collections.all | manifest | safe }}', { ...alone, permalink: '/_index.json' })
  config.addTemplate('search.njk', '{{ collections.all | words | safe }}', { ...alone, permalink: '/search.json' })
  config.addTemplate(
    'sitemap.njk',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{% for one in collections.all %}<url><loc>https://bench.example{{ one.url }}</loc></url>{% endfor %}</urlset>',
    { ...alone, permalink: '/sitemap.xml' },
  )
  config.addTemplate(
    'feed.njk',
    '<rss version="2.0"><channel><title>Bench</title><link>https://bench.example/</link><description>Bench</description>{% for one in collections.all | reverse %}{% if loop.index <= 20 %}<item><title>{{ one.data.title }}</title><link>https://bench.example{{ one.url }}</link><description>{{ one.templateContent }}</description></item>{% endif %}{% endfor %}</channel></rss>',
    { ...alone, permalink: '/feed.xml' },
  )`

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
    `{% set one = siblings | neighbour(page.url, ${step}) %}{% if one %}<a href="{{ one.url }}">{{ one.data.title }}</a>{% endif %}`
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
    clear: () => moveAside(join(site, out)),
  }
}

function hugos(site) {
  return hugoBinaries.flatMap((binary) => {
    const { stdout } = spawnSync(binary, ['version'], { encoding: 'utf8' })
    if (!stdout) {
      console.log(`Hugo is skipped: ${binary} does not run. Install it with apt-get install hugo.`)
      return []
    }
    const [, version] = /v(\d+\.\d+\.\d+)/.exec(stdout)
    return [
      hugo(site, { binary, version, kind: 'bare' }, BARE),
      hugo(site, { binary, version, kind: 'alike' }, ALIKE),
      hugo(site, { binary, version, kind: 'equal' }, EQUAL),
    ]
  })
}

const HUGO_PAGES = `disableKinds: [taxonomy, term, RSS, sitemap, section, home]
`

const HUGO_EQUAL = `disableKinds: [taxonomy, term, section]
mediaTypes: { text/markdown: { suffixes: [md] } }
outputFormats:
  Twin: { mediaType: text/markdown, baseName: index, isPlainText: true }
  Search: { mediaType: application/json, baseName: search, isPlainText: true }
  Manifest: { mediaType: application/json, baseName: _index, isPlainText: true }
outputs: { page: [HTML, Twin], home: [RSS, Search, Manifest] }
services: { rss: { limit: 20 } }
`

/** A JSON array with one object for each page. */
const hugoList = (fields) =>
  `[{{ range $n, $page := .Site.RegularPages }}{{ if $n }},{{ end }}{{ dict "url" $page.RelPermalink "title" $page.Title "description" $page.Description ${fields} | jsonify }}{{ end }}]`

/**
 * Mounts folder by folder: Hugo would copy `static/` and `site.yaml` as files of the content, and the setting that
 * excludes them has another name in newer versions.
 */
function contentMounts(site) {
  const folders = readdirSync(join(site, 'content')).filter((name) => name.startsWith('section-'))
  return folders
    .map((name) => `    - { source: ${site}/content/${name}, target: content/${name} }`)
    .join('\n')
}

function hugo(site, { binary, version, kind }, { name, layout }) {
  const out = `out-hugo-${version}-${kind}`
  const at = join(site, `hugo-${version}-${kind}`)
  mkdirSync(join(at, 'layouts/_default'), { recursive: true })
  writeFileSync(
    join(at, 'config.yaml'),
    `baseURL: https://bench.example/
title: Bench
module:
  mounts:
    - { source: ${site}/content/static, target: static }
${contentMounts(site)}
publishDir: ../${out}
markup: { highlight: { codeFences: ${code === 'languages'} }, goldmark: { renderer: { unsafe: true } } }
${kind === 'equal' ? HUGO_EQUAL : HUGO_PAGES}`,
  )
  if (kind === 'equal') {
    writeFileSync(join(at, 'layouts/_default/single.twin.md'), '# {{ .Title }}\n\n{{ .RawContent }}')
    writeFileSync(join(at, 'layouts/index.search.json'), hugoList('"words" $page.Plain'))
    writeFileSync(join(at, 'layouts/index.manifest.json'), hugoList(''))
  }
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
    command: [binary, '--quiet'],
    clear: () => moveAside(join(site, out)),
  }
}
