// Builds the documentation as a site of its own, with a page for each operation of the API, made from the description that
// a service serves: `npm run documentation -- dist-documentation --url https://docs.example`. Further arguments are those
// of `quoin build`. `--source <folder>` writes the content folder and builds nothing.
//
// The folder in `templates/` has no such pages: the demo and hundreds of tests publish it, its service has `/reference`,
// and 93 pages more would double the time of each.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './build.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const METHODS = ['get', 'put', 'post', 'delete']
const API = 'docs/reference/api'

const INDEX = `---
title: Operations
description: Every request of the current API, with its fields, errors and an example in three languages.
nav_order: 7
---

These pages are made from the description that a service answers at \`/openapi.json\`, which is made from the schemas that validate requests: they cannot disagree with the service. The pages around them say what belongs together: [rules of every request](/${API}), [projects](/${API}/projects), [pages](/${API}/pages), [publishing](/${API}/publishing), [media](/${API}/media), [settings](/${API}/settings) and [webhooks](/${API}/webhooks). The surface under \`/v1\` has [a page of its own](/${API}/legacy).

In place of \`https://quoin.example\` write the address of your service.

::openapi{file="openapi.json"}
`

const IN_OVERVIEW = `
## Every operation

[Operations](/${API}/operations) has a page for each request, with all fields, errors and an example.
`

await ensureBuilt()
const [first, ...rest] = process.argv.slice(2)
if (first === undefined) {
  process.stderr.write('Name the folder to build into: npm run documentation -- dist-documentation\n')
  process.exitCode = 2
} else if (first === '--source') await writeSource(rest[0])
else {
  const source = mkdtempSync(join(tmpdir(), 'quoin-documentation-'))
  try {
    await writeSource(source)
    const command = [join(ROOT, 'dist/cli.js'), 'build', source, '--out', first, ...rest]
    process.exitCode = spawnSync(process.execPath, command, { stdio: 'inherit' }).status ?? 1
  } finally {
    rmSync(source, { recursive: true })
  }
}

async function writeSource(folder) {
  const { createApiDocument } = await import('../dist/http/openapi/api-document.js')
  const themes = ['default', 'dark', 'minimal']
  const description = currentSurface(createApiDocument({ themes, baseUrl: 'https://quoin.example' }))
  cpSync(join(ROOT, 'templates/docs-site'), folder, { recursive: true })
  mkdirSync(join(folder, API, 'operations'))
  writeFileSync(join(folder, API, 'operations/index.md'), INDEX)
  writeFileSync(join(folder, API, 'operations/openapi.json'), JSON.stringify(description))
  const overview = join(folder, API, 'index.md')
  writeFileSync(overview, `${readFileSync(overview, 'utf8').trimEnd()}\n${IN_OVERVIEW}`)
}

/** The description without the deprecated operations under `/v1`, which have the same names for other things. */
function currentSurface(document) {
  const { tags, paths, ...others } = JSON.parse(JSON.stringify(document))
  const isCurrent = ([method, { tags = [] }]) => !METHODS.includes(method) || !tags.includes('Legacy')
  const current = Object.entries(paths).flatMap(([path, item]) => {
    const left = Object.fromEntries(Object.entries(item).filter(isCurrent))
    return METHODS.some((method) => method in left) ? [[path, left]] : []
  })
  return {
    ...others,
    tags: tags.filter(({ name }) => name !== 'Legacy'),
    paths: Object.fromEntries(current),
  }
}
