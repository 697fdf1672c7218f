import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSite, type SiteReading } from '../../src/content-folder/read-site.ts'
import { createApiDocument } from '../../src/http/openapi/api-document.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'

let parent: string
let reading: SiteReading
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'quoin-test-'))
  const folder = join(parent, 'site')
  execFileSync(process.execPath, [join(PACKAGE_ROOT, 'scripts/documentation.mjs'), '--source', folder])
  reading = await readSite(folder)
}, 300_000)
afterAll(() => rm(parent, { recursive: true }))

const FOLDER = 'docs/reference/api/operations'

test('the documentation has a page for each operation of the current surface, and no errors', () => {
  const { paths } = createApiDocument({ themes: ['default'], baseUrl: 'https://quoin.example' })
  const requests = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'put', 'post', 'delete'].includes(method))
      .filter(([, operation]) => !(operation as { tags: string[] }).tags.includes('Legacy'))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  expect(requests.length).toBeGreaterThan(70)
  expect(reading.errors).toEqual([])
  const operations = reading.site.pages.filter(({ subroute }) => subroute.startsWith(`${FOLDER}/`))
  const described = operations.map(({ markdown }) => markdown)
  const missing = requests.filter((request) => {
    const [method = '', path = ''] = request.split(' ')
    return !described.some((text) => text.includes(`:badge[${method}]`) && text.includes(path))
  })
  expect(missing).toEqual([])
  expect(described.filter((text) => text.includes('quoin.example/v1/'))).toEqual([])
})

test('the pages that people wrote about the API remain, and lead to the operations', () => {
  const paths = reading.site.pages.map(({ subroute, slug }) => `${subroute}/${slug}`)
  for (const slug of ['projects', 'pages', 'publishing', 'media', 'settings', 'webhooks', 'legacy'])
    expect(paths).toContain(`docs/reference/api/${slug}`)
  const overview = reading.site.pages.find(({ source }) => source === 'docs/reference/api/index.md')
  expect(overview?.markdown).toContain(`](/${FOLDER}`)
  const index = reading.site.pages.find(({ source }) => source === `${FOLDER}/index.md`)
  expect(index?.markdown).toContain('are made from the description')
})
