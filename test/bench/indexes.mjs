// Navigation and indexes of a project of 10,000 docs pages, in process: everything that a publish renders besides its own
// pages when it changes the navigation.
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { median, root } from './quoin.mjs'
import { note } from './table.mjs'

const PAGES = 10_000
const A_SECTION = 200
const ROUNDS = 25
const GOAL_MS = 60

export async function benchIndexes() {
  const { docsTrees } = await import(join(root, 'dist/render/docs/docs-nav.js'))
  const { createInProcessRenderer } = await import(join(root, 'dist/renderer/in-process.js'))
  const { NO_LISTINGS } = await import(join(root, 'dist/renderer/renderer.js'))
  const { loadThemes } = await import(join(root, 'dist/theme/load-theme.js'))
  const { DEFAULT_SETTINGS: settings } = await import(join(root, 'dist/domain/settings.js'))
  const themes = await loadThemes({ themes: join(root, 'themes'), templates: join(root, 'themes/_shared') })
  const renderer = createInProcessRenderer(themes)
  const site = {
    projectId: 'projaaaaaaaaaaaa',
    name: 'Bench',
    origin: 'https://bench.example',
    hostingMode: 'full_host',
    keyId: null,
    manifest: 'full',
  }
  const facts = Array.from({ length: PAGES }, (_, n) => factsOf(n))
  const lines = facts.map(linesOf)

  const times = []
  let bytes = 0
  for (let round = 0; round < ROUNDS; round++) {
    // A new array, because trees are cached by the array.
    const now = [...facts]
    const began = performance.now()
    const trees = docsTrees(now, [])
    const input = { site, settings, revision: round, lines, feed: [], trees, listings: NO_LISTINGS }
    const artifacts = await renderer.renderSite(input)
    times.push(performance.now() - began)
    bytes = artifacts.reduce((sum, { body }) => sum + body.byteLength, 0)
  }
  const ms = `${median(times).toFixed(0)} ms`
  console.log(
    `navigation and indexes of ${PAGES} pages: ${ms}, ${(bytes / 1e6).toFixed(1)} MB (goal at most ${GOAL_MS} ms)`,
  )
  note(`navigation and indexes of a project of ${PAGES} pages, in process`, ms, `at most ${GOAL_MS} ms`)
}

function factsOf(n) {
  const subroute = `docs/section-${Math.floor(n / A_SECTION)}`
  const slug = `page-${n}`
  const facts = { id: `page${String(n).padStart(12, '0')}`, title: `Page ${n}`, slug, subroute, type: 'docs' }
  const place = { path: `/${subroute}/${slug}`, navOrder: 0, parentPage: null, badge: null }
  // As rows of the database: objects of one shape.
  return JSON.parse(JSON.stringify({ ...facts, ...place }))
}

function linesOf({ title, slug, subroute, path }) {
  const url = `https://bench.example${path}/`
  const line = {
    title,
    slug,
    subroute,
    type: 'docs',
    url: path,
    description: `What ${title} is about.`,
    file: `${path}/index.html`,
  }
  return {
    subroute,
    line: JSON.stringify(line),
    sitemap: `<url><loc>${url}</loc><lastmod>2026-01-02</lastmod></url>`,
    llms: `- [${title}](${url}index.md): What it is about.`,
  }
}
